// Many independent tasks on several threads, their results taken in order.
#pragma once

#include <cstddef>
#include <functional>

namespace orrery {

// One thread per core; 1 where their number is not known.
int default_threads();

// Calls task(0) ... task(count - 1) on up to `threads` threads, and on the calling one finished(0) ...
// finished(count - 1), each as soon as its task and those before it are done. Tasks begin in the order of
// their indices.
//
// No exception escapes a thread: after one no further task begins, and when those under way have ended it is
// thrown here. Of several it is the one of the lowest index, so which does not depend on the threads.
void run_in_order(std::size_t count, int threads, const std::function<void(std::size_t)>& task,
                  const std::function<void(std::size_t)>& finished);

}  // namespace orrery
