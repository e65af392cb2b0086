// The program `orrery` as a function, for packages that bring it with them.
//
//   char name[] = "orrery", flag[] = "--version";
//   char* words[] = {name, flag, nullptr};
//   if (orrery::run_program(2, words) != 0) std::cerr << "it does not run\n";
#pragma once

#include "orrery/export.hpp"

namespace orrery {

// Carries out a command line, the first word of which is the name of the program, and returns its exit code:
// 0, 1 for a fault of Orrery, 2 for bad input and 3 for a simulation that cannot go on. It prints what the
// program prints. One thread at a time may call it.
ORRERY_API int run_program(int count, char** words);

}  // namespace orrery
