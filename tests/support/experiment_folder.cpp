#include "support/experiment_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "study/experiment/experiment.hpp"

namespace orrery::core::test {

namespace fs = std::filesystem;

Seeds seeds_to_try(std::uint64_t usual) {
  const char* range = std::getenv("ORRERY_TEST_SEED");
  if (!range) return {0, std::getenv("ORRERY_TEST_LONG") ? 20'000 : usual};
  const std::uint64_t first = std::strtoull(range, nullptr, 10);
  const char* end = std::strchr(range, '-');
  return {first, end ? std::strtoull(end + 1, nullptr, 10) : first + 1};
}

ExperimentFolder::ExperimentFolder()
    : path_(fs::temp_directory_path() / ("orrery-experiments-" + std::to_string(::getpid()))) {
  fs::create_directories(path_);
}

std::optional<RunSpec> ExperimentFolder::read(const RandomExperiment& made, std::string& refused) const {
  for (const fs::directory_entry& file : fs::directory_iterator(path_)) fs::remove(file.path());
  for (const auto& [file, bytes] : made.files) std::ofstream(path_ / file, std::ios::binary) << bytes;
  const fs::path experiment = path_ / "e.yaml";
  std::ofstream(experiment) << made.text;
  try {
    Warnings warnings;
    return read_experiment(made.text, experiment.string(), {}, warnings, InputLog()).runs.at(0);
  } catch (const InputError& error) {
    refused = error.what();
    return std::nullopt;
  }
}

}  // namespace orrery::core::test
