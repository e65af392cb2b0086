// A platform with other values of its constants.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "study/calibration/constants.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core {

class CalibratedPlatform {
 public:
  // `name_or_file` is a platform that comes with the program, or a file, which the user gave by the option.
  // Keeps a reference to `load`. Throws InputError.
  CalibratedPlatform(const std::string& name_or_file, const std::string& option, const FileLoader& load);

  const std::string& option() const { return option_; }
  const Platform& as_it_is() const { return as_it_is_; }
  ConstantsOf constants() const;
  // Throws InputError where the platform has no such constants.
  Platform with(std::span<const Constant> constants, const ConstantValues& values) const;

 private:
  Platform read(const InputNode& document) const;

  std::string option_;
  const FileLoader& load_;
  InputNode document_;
  Platform as_it_is_;
};

}  // namespace orrery::core
