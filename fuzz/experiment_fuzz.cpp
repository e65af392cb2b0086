// Whatever the text, reading an experiment ends with an Experiment or an InputError. Lines that begin with
// "--set " are overrides. No file is read.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::string text;
  std::vector<std::string> overrides;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--set "))
      overrides.push_back(line.substr(6));
    else
      text += line + "\n";
  }
  // A short text can describe a hundred thousand runs; what sweeps vary has a target of its own.
  if (text.find("sweep") != std::string::npos) return 0;
  const auto load = [](const std::string& path) -> std::string {
    throw orrery::core::InputError({path}, "no files while fuzzing");
  };
  orrery::core::Warnings warnings;
  try {
    orrery::core::read_experiment(text, "fuzz.yaml", overrides, warnings, load);
  } catch (const orrery::core::InputError&) {
  }
  return 0;
}
