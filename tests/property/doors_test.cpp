// A run by ASTRA-sim's flags and the same run by an experiment have the same numbers.
// ORRERY_TEST_LONG=1 has the slow tests try many more, and ORRERY_TEST_SEED=n has them try one.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/experiment_folder.hpp"
#include "support/two_doors.hpp"

namespace orrery::core::test::doors_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Works in a folder of its own, because files of a trace are named without their folder.
class Doors : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(folder_.path()); }
  void TearDown() override { fs::current_path(before_); }

  void expect_same(const Seeds& seeds, const std::function<TwoDoors(std::uint64_t)>& random,
                   const std::set<std::string>& only_by_flags) const {
    std::uint64_t ran = 0;
    for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
      const TwoDoors doors = random(seed);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + doors.experiment);
      write(doors);
      Outcome by_flags = run_orrery(with_json(doors.flags));
      const Outcome by_experiment = run_orrery({"experiment.yaml", "--json", "--output=results"});
      ASSERT_EQ(by_flags.exit_code, by_experiment.exit_code) << by_flags.error << by_experiment.error;
      if (by_flags.exit_code != 0) continue;
      expect_same_numbers(Json::parse(by_flags.output), Json::parse(by_experiment.output).at("runs").at(0),
                          only_by_flags);
      if (HasFailure()) return;
      ++ran;
    }
    EXPECT_GE(ran, seeds.count() / 2);
  }

 private:
  static Flags with_json(Flags flags) {
    flags.insert(flags.end(), {"--json", "--path=by-flags/"});
    return flags;
  }

  void write(const TwoDoors& doors) const {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry.path());
    for (const auto& [name, content] : doors.files) write_file_atomically(name, content);
    write_file_atomically("experiment.yaml", doors.experiment);
    fs::create_directory("by-flags");
  }

  static void expect_same_numbers(const Json& by_flags, const Json& by_experiment,
                                  const std::set<std::string>& only_by_flags) {
    for (const auto& [key, value] : by_experiment.items()) {
      if (key == "name" || key == "warnings") continue;  // flags have warnings among the origin
      ASSERT_TRUE(by_flags.contains(key)) << key << ": " << value;
      EXPECT_EQ(by_flags.at(key), value) << key;
    }
    for (const auto& [key, value] : by_flags.items()) {
      EXPECT_TRUE(by_experiment.contains(key) || only_by_flags.contains(key)) << key;
    }
  }

  TemporaryFolder folder_;
  fs::path before_ = fs::current_path();
};

TEST_F(Doors, OfLayerTables) {
  expect_same({0, 20}, layer_table_by_two_doors, {"origin"});
}

TEST_F(Doors, OfManyLayerTablesSlow) {
  expect_same(seeds_to_try(300), layer_table_by_two_doors, {"origin"});
}

// Flags also tell what ASTRA-sim 2 tells of each rank.
const std::set<std::string> only_by_flags_of_traces{"origin", "finish_order", "ranks", "simulated"};

TEST_F(Doors, OfTraces) {
  expect_same({0, 20}, traces_by_two_doors, only_by_flags_of_traces);
}

TEST_F(Doors, OfManyTracesSlow) {
  expect_same(seeds_to_try(300), traces_by_two_doors, only_by_flags_of_traces);
}

}  // namespace
}  // namespace orrery::core::test::doors_test
