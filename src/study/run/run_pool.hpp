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

// Calls task(begin, end) on several threads for parts of the numbers below `count`, each of at most
// `at_a_time`. told(done) gets how many numbers are done when a part ends, on its thread. Throws as
// run_in_order().
void run_in_parts(std::size_t count, std::size_t at_a_time, int threads,
                  const std::function<void(std::size_t begin, std::size_t end)>& task,
                  const std::function<void(std::size_t done)>& told);

}  // namespace orrery::core
