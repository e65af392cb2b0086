// Makes memory that is limited last for all threads.
#pragma once

#include <cstdint>

namespace orrery::core {

// Returns how many heaps ("arenas") fit into a quarter of an address space, one at least. The C library of
// GNU gives threads heaps of their own, and reserves addresses of two times 64 MiB to make one. Where there
// are not as many left, it asks the system for each small piece of memory instead, which takes some hundred
// times as long.
int arenas_that_fit(std::uint64_t address_space_bytes);

// Returns how many threads fit into an address space, one at least: 32 MiB hold the stack of a thread and
// what a small simulation needs.
int threads_that_fit(std::uint64_t address_space_bytes);
// Returns the same for the address space that this process may have (ulimit -v).
int threads_that_fit_limit();

// Has threads share heaps where the address space of this process is limited (ulimit -v).
void fit_arenas_to_limit();

}  // namespace orrery::core
