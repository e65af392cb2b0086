// Runs other programs, such as those of Slurm.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orrery::core {

struct EndedProgram {
  int status = 0;  // with which it has exited; 128 and more: a signal has ended it
  std::string output, errors;
};

// Runs a program that is found as a shell finds it, but without a shell, and waits for its end. The words are
// its name and its arguments. Returns nothing where there is no such program. Throws InputError where the
// system cannot start it.
std::optional<EndedProgram> run_program(const std::vector<std::string>& words);

// Returns the absolute path of the program that runs now.
std::string path_of_this_program();

}  // namespace orrery::core
