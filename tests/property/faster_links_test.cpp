// More bandwidth and less latency never make a training step slower.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "study/workloads/transformer/yaml_transformer.hpp"
#include "workload/training/step/step_clock.hpp"

namespace orrery::core::test::faster_links_test {
namespace {

Time step_on(const std::string& inside, const std::string& between, const std::string& workload) {
  const std::string platform = fmt::format("{{ base: dgx-h100, inside: {}, between: {} }}", inside, between);
  Warnings warnings;
  const TrainingSetup setup = read_yaml_transformer(
      parse_yaml(workload, "w.yaml"), read_platform(parse_yaml(platform, "p.yaml"), {}, InputLog()), {},
      InputLog(), warnings);
  return training_step_end(setup, StageCosts(setup));
}

void expect_never_slower(const std::vector<std::string>& links, bool inside) {
  for (const std::string parallelism :
       {"{ tensor: 2, sequence: true, data: 4, pipeline: 4, zero: 1 }", "{ data: 32, zero: 3, shard: 8 }",
        "{ tensor: 4, context: 2, data: 4, zero: 2 }",
        "{ tensor: 2, data: 4, pipeline: 4, schedule: interleaved, virtual-stages: 2 }"}) {
    const std::string workload = fmt::format(
        "{{ model: gpt3-1.3b, batch: {{ global: 32, micro: 1 }}, parallelism: {} }}", parallelism);
    Time last = Time::longest_input();
    for (const std::string& link : links) {
      const Time step = inside ? step_on(link, "ib-ndr", workload) : step_on("nvlink4", link, workload);
      EXPECT_LE(step.ps(), last.ps()) << link << " of " << parallelism;
      last = step;
    }
  }
}

std::vector<std::string> numbers(double least, double most) {
  std::vector<std::string> links;
  for (double bandwidth = least; bandwidth <= most; bandwidth *= 1.4)
    links.push_back(fmt::format("{} GB/s", bandwidth));
  return links;
}

TEST(FasterLinks, NeverSlowATrainingStep) {
  expect_never_slower(numbers(1, 2000), true);
  expect_never_slower(numbers(0.5, 300), false);
  // The classes that are better than one another in everything, and numbers of the same bandwidth.
  expect_never_slower({"efa", "12.5 GB/s", "roce-100g", "25 GB/s", "ib-hdr", "ib-ndr", "50 GB/s"}, false);
  expect_never_slower(
      {"{ base: ib-ndr, bandwidth: 1 GB/s }", "{ base: ib-ndr, bandwidth: 25 GB/s }", "ib-ndr",
       "{ base: ib-ndr, step: 20 us, short-step: 10 us }", "{ base: ideal, bandwidth: 50 GB/s }"},
      false);
}

}  // namespace
}  // namespace orrery::core::test::faster_links_test
