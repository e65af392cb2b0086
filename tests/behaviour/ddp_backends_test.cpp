// The example ddp-backends against what figure 2 (a) and (b) of Li et al., "PyTorch Distributed", VLDB 2020,
// shows.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::ddp_backends_test {
namespace {

// Seconds of 60 million parameters by backend, from the smallest all-reduces to the largest.
std::map<std::string, std::vector<double>> exchange_times() {
  const TemporaryFolder folder;
  const Outcome outcome = call_orrery(
      {"run", source_dir() + "/examples/ddp-backends.yaml", "--json", "--output", folder.path().string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::string, std::vector<double>> times;
  const nlohmann::json summary = nlohmann::json::parse(outcome.output);
  for (const nlohmann::json& run : summary.at("runs")) {
    const std::string name = run["name"];
    times[name.substr(0, name.find(' '))].push_back(run["total_us"].get<double>() * 1e-6);
  }
  return times;
}

TEST(DdpBackends, FigureOfThePaper) {
  auto times = exchange_times();
  const std::vector<double>&nccl = times["nccl"], &gloo = times["gloo"];
  ASSERT_EQ(nccl.size(), 11u);
  ASSERT_EQ(gloo.size(), 11u);
  // "The total communication time clearly decreases when using larger input tensors, for both NCCL and Gloo."
  for (std::size_t i = 1; i < 11; ++i) {
    EXPECT_LT(nccl[i], nccl[i - 1]) << i;
    EXPECT_LT(gloo[i], gloo[i - 1]) << i;
  }
  // NCCL is far faster, by an order of magnitude where all-reduces are large.
  for (std::size_t i = 0; i < 11; ++i) EXPECT_GT(gloo[i], 2 * nccl[i]) << i;
  EXPECT_GT(gloo.back(), 10 * nccl.back());
  // "Gloo reaches pinnacle speed at around 500K parameters per input tensor", the sixth, "while there is no
  // clear saturation signal for NCCL on NVLink with even 20M-parameter input tensors".
  EXPECT_LT(gloo[5], 1.1 * gloo.back());
  EXPECT_GT(nccl[5], 1.3 * nccl.back());
  EXPECT_GT(gloo[0], 2 * gloo.back());
}

}  // namespace
}  // namespace orrery::core::test::ddp_backends_test
