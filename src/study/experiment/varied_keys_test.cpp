#include "study/experiment/varied_keys.hpp"

#include <gtest/gtest.h>

namespace orrery::core::varied_keys_test {
namespace {

VariedKeys varied(const std::string& text) {
  const InputNode document = parse_yaml(text, "x.yaml");
  return varied_keys(document, *document.find("runs"));
}

using Strings = std::vector<std::string>;

TEST(VariedKeys, AreThoseWhoseValuesDiffer) {
  const VariedKeys found = varied(
      "passes: 1\nnetwork: near\nsystem: { chunks: 4 }\n"
      "runs:\n"
      "  - { name: a, workload: vgg }\n"
      "  - { name: b, workload: vgg, passes: 2 }\n"
      "  - { name: c, workload: gpt, network: far, system: { chunks: 4 } }\n");
  EXPECT_EQ(found.keys, (Strings{"workload", "passes", "network"}));
  EXPECT_EQ(found.values,
            (std::vector<Strings>{{"vgg", "1", "near"}, {"vgg", "2", "near"}, {"gpt", "1", "far"}}));
}

TEST(VariedKeys, AreNamedByTheirPath) {
  const VariedKeys found = varied(
      "runs:\n"
      "  - { name: a, workload: { batch: { micro: 1, global: 8 }, sizes: [1, 2] }, network: [{ name: x, "
      "size: 4 }] }\n"
      "  - { name: b, workload: { batch: { micro: 2, global: 8 }, sizes: [1, 3] }, network: [{ name: x, "
      "size: 8 }] }\n");
  EXPECT_EQ(found.keys, (Strings{"workload.batch.micro", "workload.sizes", "network.x.size"}));
  EXPECT_EQ(found.values[1], (Strings{"2", "[1, 3]", "8"}));
}

// What the top says of a key does not count in a run that has the key itself.
TEST(VariedKeys, ARunWithoutAKeyHasNoValue) {
  const VariedKeys found = varied(
      "workload: { model: a, batch: 4 }\n"
      "runs: [ { name: one }, { name: two, workload: { model: a } } ]\n");
  EXPECT_EQ(found.keys, (Strings{"workload.batch"}));
  EXPECT_EQ(found.values, (std::vector<Strings>{{"4"}, {""}}));
}

TEST(VariedKeys, OneRunVariesNothing) {
  EXPECT_TRUE(varied("runs: [ { name: one, passes: 3 } ]\n").keys.empty());
}

TEST(Seeds, AreThoseOfTheTopAndOfRuns) {
  const InputNode document = parse_yaml(
      "compute-jitter: { spread: 0.1 }\n"
      "runs:\n"
      "  - { name: a }\n"
      "  - { name: b, compute-jitter: { spread: 0.1, seed: 7 } }\n"
      "  - { name: c, compute-jitter: { spread: 0.2, seed: 7 } }\n",
      "x.yaml");
  EXPECT_EQ(seeds_of(document), (Strings{"0", "7"}));
  EXPECT_TRUE(seeds_of(parse_yaml("passes: 1\n", "x.yaml")).empty());
}

}  // namespace
}  // namespace orrery::core::varied_keys_test
