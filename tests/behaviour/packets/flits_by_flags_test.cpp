// A network of flits that is given by the flags of ASTRA-sim 1.0 is simulated flit by flit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::flits_by_flags_test {
namespace {

class FlitsByFlags : public testing::Test {
 protected:
  FlitsByFlags() {
    write("network.txt",
          "topology: Torus sizes: 4 num-npus: 4 flit-width: 256 package-link-width: 256 package-packet-size: "
          "512\n"
          "vcs-per-vnet: 16 buffers-per-vc: 64\n");
    write("system.txt",
          "scheduling-policy: LIFO\nendpoint-delay: 10\nactive-chunks-per-dimension: 1\n"
          "preferred-dataset-splits: 1\nboost-mode: 0\nall-reduce-implementation: ring\n"
          "all-gather-implementation: ring\nreduce-scatter-implementation: ring\n"
          "all-to-all-implementation: ring\ncollective-optimization: localBWAware\n");
    write("workload.txt", "MICRO\n1\nc -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 65536 0\n");
  }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(at(name), text);
  }
  std::string at(const std::string& name) const { return (folder.path() / name).string(); }
  nlohmann::json run(std::vector<std::string> more) const {
    std::vector<std::string> words{"run",
                                   "--workload-configuration=" + at("workload.txt"),
                                   "--system-configuration=" + at("system.txt"),
                                   "--network-configuration=" + at("network.txt"),
                                   "--path=" + at(""),
                                   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return outcome.exit_code == 0 ? nlohmann::json::parse(outcome.output) : nlohmann::json();
  }
  TemporaryFolder folder;
};

TEST_F(FlitsByFlags, AreSimulated) {
  const nlohmann::json usual = run({});
  EXPECT_GT(usual.at("busiest_links").at(0).at("flits"), 0);
  EXPECT_EQ(usual, run({"--network-model=packet"}));
}

TEST_F(FlitsByFlags, AreLeftOutByThoseWhoSaySo) {
  const nlohmann::json closed_form = run({"--network-model=analytical"});
  EXPECT_LT(closed_form.at("total_us").get<double>(), run({}).at("total_us").get<double>());
}

}  // namespace
}  // namespace orrery::core::test::flits_by_flags_test
