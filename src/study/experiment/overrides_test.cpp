#include "study/experiment/overrides.hpp"

#include <gtest/gtest.h>

#include <string>

#include "study/experiment/run_keys.hpp"

namespace orrery::core::overrides_test {
namespace {

constexpr auto text = R"(
passes: 1
networks: { a.b: [ { name: inner, size: 2 }, { name: outer.most, size: 4 } ] }
systems: { s: { collectives: { all-reduce: [ring, { algorithm: direct }] } } }
system: s
workload: { layers: [ { name: x } ], checkpoints: [x] }
runs: [ { name: one }, { name: two } ]
)";

InputNode with(const std::vector<std::string>& overrides) {
  InputNode document = parse_yaml(text, "x.yaml");
  apply_overrides(document, overrides, [](std::string_view first) { return experiment_file_keys(first); });
  return document;
}

std::string error_of(const std::string& override, const std::string& before = "passes=1") {
  try {
    with({before, override});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, replace_values) {
  const InputNode document =
      with({"passes=2", "networks.a.b.0.size=8", "networks.a.b.outer.most.size=16",
            "systems.s.collectives.all-reduce.1.algorithm=ring", "workload.checkpoints.0=0"});
  EXPECT_EQ(document.find("passes")->text, "2");
  const InputNode& network = *document.find("networks")->find("a.b");
  EXPECT_EQ(network.items[0].find("size")->text, "8");
  EXPECT_EQ(network.items[1].find("size")->text, "16");
  const InputNode& choices = *document.find("systems")->find("s")->find("collectives")->find("all-reduce");
  EXPECT_EQ(choices.items[1].find("algorithm")->text, "ring");
  EXPECT_EQ(document.find("workload")->find("checkpoints")->items[0].text, "0");
}

TEST(Overrides, change_a_device_that_a_word_names) {
  const InputNode document = with(
      {"device=h100", "device.memory.bandwidth=4 TB/s", "platform=dgx-h100", "platform.device.clock=2 GHz"});
  const InputNode& device = *document.find("device");
  EXPECT_EQ(device.find("base")->text, "h100");
  EXPECT_EQ(device.find("memory")->find("bandwidth")->text, "4 TB/s");
  const InputNode& platform = *document.find("platform");
  EXPECT_EQ(platform.find("base")->text, "dgx-h100");
  EXPECT_EQ(platform.find("device")->find("clock")->text, "2 GHz");
}

TEST(Overrides, add_what_is_missing) {
  const InputNode document = with({"systems.s.shared-bus.latency=5 ns", "runs.two.compute-scale=0.5",
                                   "workload.layers.x.forward={compute: 3 ns}", "name=new"});
  EXPECT_EQ(document.find("systems")->find("s")->find("shared-bus")->find("latency")->text, "5 ns");
  EXPECT_EQ(document.find("runs")->items[1].find("compute-scale")->text, "0.5");
  EXPECT_EQ(document.find("workload")->find("layers")->items[0].find("forward")->find("compute")->text,
            "3 ns");
  EXPECT_EQ(document.find("name")->text, "new");
}

// A path may go below a word: the word becomes a map that has it as `base`.
TEST(Overrides, go_below_what_has_a_name) {
  InputNode document = parse_yaml("platform: dgx-h100", "x.yaml");
  apply_overrides(document,
                  {"platform.between=25 GB/s", "platform.between.step=5 us", "platform.stack.bucket=1 MiB"},
                  [](std::string_view first) { return experiment_file_keys(first); });
  const InputNode& platform = *document.find("platform");
  EXPECT_EQ(platform.find("base")->text, "dgx-h100");
  EXPECT_EQ(platform.find("between")->find("base")->text, "25 GB/s");
  EXPECT_EQ(platform.find("between")->find("step")->text, "5 us");
  EXPECT_EQ(platform.find("stack")->find("bucket")->text, "1 MiB");
}

TEST(Overrides, the_last_one_counts) {
  EXPECT_EQ(with({"passes=2", "passes=3"}).find("passes")->text, "3");
}

TEST(Overrides, values_know_where_they_come_from) {
  const InputNode document = with({"workload.layers=[{ name: y }]"});
  const InputNode& layer = document.find("workload")->find("layers")->items[0];
  EXPECT_EQ(layer.find("name")->where.text(), "--set workload.layers=[{ name: y }]");
  EXPECT_EQ(layer.names[0].where.text(), "--set workload.layers=[{ name: y }]");
}

TEST(Overrides, maps_made_on_the_route_know_where_they_come_from) {
  const InputNode document = with({"systems.s.shared-bus.latency=5 ns"});
  EXPECT_EQ(document.find("systems")->find("s")->find("shared-bus")->where.text(),
            "--set systems.s.shared-bus.latency=5 ns");
}

TEST(Overrides, an_empty_list_has_no_element_to_set) {
  try {
    with({"stragglers=[]", "stragglers.0.slowdown=2"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--set stragglers.0.slowdown=2: error: `stragglers` is an empty list here; set all of it");
  }
}

TEST(Overrides, unknown_paths_say_what_is_there) {
  EXPECT_EQ(error_of("workload.layers.x.forward.time=3 ns"),
            "--set workload.layers.x.forward.time=3 ns: error: `workload.layers.x.forward` has no key "
            "`time`; it has "
            "`compute`, `collective`, `size` or `root`");
  EXPECT_NE(error_of("pases=2").find("the experiment has no key `pases`; it has `name`, `dialect`, `passes`"),
            std::string::npos);
  EXPECT_NE(error_of("systems.t.chunks=2").find("`systems` has no name `t`; it has `s`"), std::string::npos);
  EXPECT_NE(error_of("runs.three.passes=2").find("`runs` has no element `three`; it has `one` or `two`"),
            std::string::npos);
  EXPECT_NE(error_of("systems.s.collectives.all-reduce.7=ring").find("has elements 0 to 1"),
            std::string::npos);
  EXPECT_NE(error_of("passes.more=2").find("`passes` has no keys below it"), std::string::npos);
  EXPECT_NE(error_of("workload.checkpoints.0.x=2").find("has no keys below it"), std::string::npos);
  EXPECT_NE(error_of("workloads.x.peak=2").find("`workloads` has nothing to set below it"),
            std::string::npos);
}

TEST(Overrides, change_a_key_of_what_is_named) {
  const InputNode document = with({"system.chunks=2"});
  EXPECT_EQ(document.find("system")->find("base")->text, "s");
  EXPECT_EQ(document.find("system")->find("chunks")->text, "2");
  EXPECT_EQ(document.find("systems")->find("s")->find("chunks"), nullptr);
  // A list of dimensions has no base.
  EXPECT_NE(error_of("network.0.size=2", "network=a.b").find("`network` is `a.b` here"), std::string::npos);
}

TEST(Overrides, need_a_key_and_a_value) {
  EXPECT_EQ(error_of("passes"), "--set passes: error: write --set key=value, such as --set passes=2");
  EXPECT_NE(error_of("=2").find("write --set key=value"), std::string::npos);
  EXPECT_NE(error_of("passes=[2").find("--set passes=[2"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::overrides_test
