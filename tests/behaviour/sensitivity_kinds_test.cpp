// Tests that what would help is listed by kind: hardware, layout, software and constants of a fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "study/sensitivity/sensitivity.hpp"
#include "study/sensitivity/sensitivity_table.hpp"

namespace orrery::core::test::sensitivity_kinds_test {
namespace {

const std::string transformer = R"(
platform: { base: dgx-h100, stack: megatron-2021 }
workload: { model: gpt3-1.3b, batch: { global: 32 }, parallelism: { tensor: 8, data: 2 } }
)";

Sensitivity sensitivity_of(const std::string& text, const SensitivityOptions& options = {}) {
  return find_sensitivity(
      experiment_document(text, "e.yaml", {}), "e.yaml", "e", options,
      [](std::size_t, std::size_t, std::string_view) {}, InputLog());
}

const SensitivityRow& row_of(const Sensitivity& found, const std::string& key) {
  const auto row = std::ranges::find(found.rows, key, &SensitivityRow::key);
  EXPECT_NE(row, found.rows.end()) << key;
  return row == found.rows.end() ? found.rows.front() : *row;
}

bool has(const Sensitivity& found, const std::string& key) {
  return std::ranges::find(found.rows, key, &SensitivityRow::key) != found.rows.end();
}

// Hardware that can be bought comes first, and constants of a fit come last, below a head of their own.
TEST(SensitivityByKind, ListsByKindAndInEachByEffect) {
  const Sensitivity found = sensitivity_of(transformer);
  std::set<ParameterKind> kinds;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const SensitivityRow& row = found.rows[i];
    EXPECT_NE(row.kind, ParameterKind::none) << row.key;
    kinds.insert(row.kind);
    if (i == 0) continue;
    const SensitivityRow& before = found.rows[i - 1];
    EXPECT_LE(before.kind, row.kind) << row.key;
    if (before.kind == row.kind && before.is_possible() && row.is_possible()) {
      EXPECT_LE(before.after, row.after) << row.key;
    }
  }
  EXPECT_EQ(kinds.size(), parameter_kind_words.size());
  EXPECT_EQ(row_of(found, "platform.inside.bandwidth").kind, ParameterKind::hardware);
  EXPECT_EQ(row_of(found, "platform.stack.kernel-slowdown").kind, ParameterKind::fitted);
  const std::string text = sensitivity_text(found, false);
  const std::size_t hardware = text.find("\nhardware, which can be bought\n"),
                    software = text.find("\nsoftware and its settings\n"),
                    fitted = text.find("\nconstants fitted to measurements, which nobody can buy\n");
  EXPECT_LT(hardware, software) << text;
  EXPECT_LT(software, fitted) << text;
  EXPECT_LT(fitted, text.find("\nplatform.stack.kernel-slowdown")) << text;
  EXPECT_EQ(sensitivity_to_json("e", found)["parameters"][0]["kind"], "hardware");
}

// A stack that names no kernels has those of the device, which are one parameter and not two.
TEST(SensitivityByKind, KernelsOfTheDeviceAreListedOnce) {
  const Sensitivity found = sensitivity_of(transformer);
  EXPECT_TRUE(has(found, "platform.device.pointwise.norm.forward"));
  EXPECT_FALSE(has(found, "platform.stack.pointwise.norm.forward"));
}

// The layout is varied as far as the GPUs stay the same; what does not fit the memory is not possible.
TEST(SensitivityByKind, VariesTheLayoutOnTheSameGpus) {
  const Sensitivity found = sensitivity_of(transformer);
  EXPECT_EQ(row_of(found, "workload.recompute").kind, ParameterKind::layout);
  EXPECT_EQ(row_of(found, "workload.batch.micro").to, "2");
  EXPECT_EQ(row_of(found, "workload.batch.micro").from, "1");
  EXPECT_EQ(row_of(found, "workload.overlap.gradients").kind, ParameterKind::software);
  EXPECT_FALSE(has(found, "workload.parallelism.schedule")) << "there is one stage";
  const std::string ring = R"(
network: [ { name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 0 ns } ]
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 64 MiB } } ] }
)";
  EXPECT_FALSE(has(sensitivity_of(ring), "workload.recompute")) << "which is no transformer";
}

// Nobody can buy a smaller slowdown of kernels, which by itself would need the smallest factor.
TEST(SensitivityByKind, ReachesNoTargetByConstantsOfAFit) {
  std::string text = transformer;
  text.replace(text.find("global: 32"), 10, "global: 32, micro: 16");
  SensitivityOptions options;
  options.only = "platform.*.kernel-slowdown";
  const Sensitivity slowdown = sensitivity_of(text, options);
  EXPECT_GT(row_of(slowdown, "platform.stack.kernel-slowdown").gain(), 0.05);
  options.target = Time::from_ns_rounded(slowdown.total.ns() * 0.95);
  EXPECT_FALSE(sensitivity_of(text, options).single);
  options.costs = ChangeCosts(parse_yaml("platform.stack.kernel-slowdown: 1\n", "c"));
  ASSERT_TRUE(sensitivity_of(text, options).single);
  options.costs = ChangeCosts();
  options.only.clear();
  const Sensitivity found = sensitivity_of(text, options);
  ASSERT_TRUE(found.single);
  EXPECT_EQ(found.single->settings[0].find("kernel-slowdown"), std::string::npos)
      << found.single->settings[0];
}

}  // namespace
}  // namespace orrery::core::test::sensitivity_kinds_test
