// Tells files of measurements by what is in them.
#pragma once

#include <string>
#include <vector>

namespace orrery::core {

struct MeasuredInputs {
  // Files of each kind, in the order in which they were given. Kernels may stand in a folder.
  std::vector<std::string> products, collectives, steps, kernels;

  // `option` is where the user named the files. Throws InputError where there are none, where one holds no
  // measurements, and where they tell constants that depend on each other.
  MeasuredInputs(const std::vector<std::string>& files, const std::string& option);

  bool are_of_machine() const { return steps.empty() && kernels.empty(); }
};

}  // namespace orrery::core
