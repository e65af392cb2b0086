// A folder in which random experiments lie beside the files that they name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "study/run/run_spec.hpp"
#include "support/random_experiment.hpp"

namespace orrery::core::test {

// The seeds that a test tries: up to `usual`, or up to 20,000 with ORRERY_TEST_LONG=1, or those that
// ORRERY_TEST_SEED names as n or n-m, without the last one.
struct Seeds {
  std::uint64_t first = 0, last = 0;
  std::uint64_t count() const { return last - first; }
};
Seeds seeds_to_try(std::uint64_t usual);

class ExperimentFolder {
 public:
  ExperimentFolder();
  ~ExperimentFolder() { std::filesystem::remove_all(path_); }
  ExperimentFolder(const ExperimentFolder&) = delete;
  ExperimentFolder& operator=(const ExperimentFolder&) = delete;

  // Reads an experiment's only run, whose files take the place of those before. Returns none, with the reason
  // in `refused`, where the experiment has no meaning.
  std::optional<RunSpec> read(const RandomExperiment& made, std::string& refused) const;

 private:
  std::filesystem::path path_;
};

}  // namespace orrery::core::test
