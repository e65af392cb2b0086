// Runs many independent tasks on several threads. Their results are taken in order.
#pragma once

#include <cstddef>
#include <functional>

namespace orrery::core {

// Returns one thread per core, or 1 where the number of cores is not known.
int default_threads();

// Calls task(0) ... task(count - 1) on up to `threads` threads, and finished(0) ... finished(count - 1) on
// the calling thread, each as soon as its task and those before it are done. Tasks begin in the order of
// their indices.
//
// No exception escapes a thread. After an exception no further task begins, and it is thrown here when the
// tasks under way have ended. If there are several, the one with the lowest index is thrown, so the threads
// do not decide which.
void run_in_order(std::size_t count, int threads, const std::function<void(std::size_t)>& task,
                  const std::function<void(std::size_t)>& finished);

}  // namespace orrery::core
