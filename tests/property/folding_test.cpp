// A folded run and one of every message on every rank write the same bytes, on random inputs.
// ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "network/network_models.hpp"
#include "report/astra1/astra1_reports.hpp"
#include "report/summary/summary.hpp"
#include "study/run/run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::folding_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t few = 250, many = 10'000;

class Folding : public testing::TestWithParam<Dialect> {
 protected:
  struct Written {
    std::map<std::string, std::string> files;
    std::vector<Time> finish;  // by rank
    bool folded;
  };

  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("orrery-folding-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Written run(const RunSpec& spec, bool fold) {
    Warnings warnings;
    const RunResult result = carry_out(spec, warnings, fold);
    ResultOptions options;
    options.path = folder_.string() + "/";
    options.run_name = spec.name;
    write_astra1_reports(result.program, result.machine, result.recording, options, warnings);
    Written written;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
      written.files[file.path().filename()] = read_file_of_any_kind(file.path());
      fs::remove(file.path());
    }
    const Summary summary = summarize(spec.name, spec.passes, result.program, result.machine,
                                      result.recording, breakdown_of(result.program, result.recording));
    written.files["summary"] = to_json(summary).dump(1);
    for (int rank = 0; rank < spec.topology->npus(); ++rank)
      written.finish.push_back(result.recording.finish_of(RankId(rank)));
    written.folded = result.recording.folded;
    return written;
  }

  // Returns how many runs were folded.
  int compare(bool varied) {
    int folded = 0;
    const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? many : few;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      RunSpec spec = random_run(seed, GetParam());
      if (varied) vary_ranks(spec, seed);
      const Written with = run(spec, true), without = run(spec, false);
      EXPECT_FALSE(without.folded);
      EXPECT_EQ(with.files, without.files) << describe(spec);
      EXPECT_EQ(with.finish, without.finish) << describe(spec);
      if (HasFailure()) break;
      folded += with.folded;
    }
    return folded;
  }

  fs::path folder_;
};

TEST_P(Folding, EqualRanksChangeNoByteSlow) {
  EXPECT_GT(compare(false), static_cast<int>(few) / 5);
}

TEST_P(Folding, RanksThatDifferChangeNoByteSlow) {
  EXPECT_GT(compare(true), static_cast<int>(few) / 5);
}

// Messages are flows, and dimensions have one chunk at a time, so that no phases meet.
class IsolatedPhases : public Folding {
 protected:
  static void adapt(RunSpec& spec) {
    spec.network.model = &fluid_model;
    SystemConfig system = *spec.system;
    system.active_chunks = system.queues_per_dimension = 1;
    spec.system = std::move(system);
  }
};

// Flows that meet are looked at in other instants than those of a group by itself, and each time a rest of a
// picosecond is rounded.
TEST_P(IsolatedPhases, RanksThatDifferEndAtTheSameTimesSlow) {
  int folded = 0, equal = 0;
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? many : few;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    RunSpec spec = random_run(seed, GetParam());
    vary_ranks(spec, seed);
    adapt(spec);
    const Written with = run(spec, true), without = run(spec, false);
    for (std::size_t rank = 0; rank < with.finish.size(); ++rank)
      EXPECT_NEAR(with.finish[rank].ns(), without.finish[rank].ns(), 1e-6 * without.finish[rank].ns())
          << describe(spec);
    folded += with.folded;
    equal += with.files == without.files;
  }
  EXPECT_GT(folded, static_cast<int>(few) / 5);
  EXPECT_GT(equal, 0.99 * static_cast<double>(seeds));
}

INSTANTIATE_TEST_SUITE_P(Natively, IsolatedPhases, testing::Values(native_dialect));

INSTANTIATE_TEST_SUITE_P(Dialects, Folding, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

}  // namespace
}  // namespace orrery::core::test::folding_test
