#include "collective/library/library_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::library_file_test {
namespace {

std::string library_error(const std::string& text) {
  try {
    read_library_file(text, "l.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LibraryFile, ReadsAllKeys) {
  const auto library = read_library_file(R"(
name: mine
sources: {a: b}
launch: 1 us
send-launch: 2 us
lone-call: 8 us
step-growth: 0.15
tree-efficiency: 0.1
pairwise-inside: 0.2
pairwise-between: 0.3
protocols:
  ll: {launch: 0.4, step: 9 us, hop: 10 us, growth: 0.45, bandwidth: 0.5}
  ll128-full: {latency: 0.35, bandwidth: 0.9}
  ll128: {latency: 0.3, bandwidth: 0.6}
inside:
  one:
    bandwidth: 100 GB/s
    efficiency: 0.6
    step: 3 us
    copy-steps: 0.7
    switch-efficiency: 0.8
    switch-latency: 4 us
    ring-shares: [0.5, 1]
    launch: 7 us
between:
  two: {bandwidth: 80 Gbit/s, efficiency: 0.9, step: 5 us, short-step: 6 us, ll-step: 11 us, rendezvous: 3 us,
        eager: 8 KiB, switch-efficiency: 0.95}
)",
                                         "l.yaml");
  EXPECT_EQ(library.name, "mine");
  EXPECT_EQ(library.sources, (std::vector<std::string>{"a: b"}));
  EXPECT_DOUBLE_EQ(library.launch_seconds, 1e-6);
  EXPECT_DOUBLE_EQ(library.send_seconds, 2e-6);
  EXPECT_DOUBLE_EQ(library.tree_efficiency, 0.1);
  EXPECT_DOUBLE_EQ(library.pairwise_inside, 0.2);
  EXPECT_DOUBLE_EQ(library.pairwise_between, 0.3);
  EXPECT_TRUE(library[Protocol::simple].known);
  EXPECT_TRUE(library[Protocol::ll128].known);
  EXPECT_DOUBLE_EQ(library[Protocol::ll128].latency, 0.3);
  EXPECT_DOUBLE_EQ(library[Protocol::ll128].full_latency, 0.35);
  EXPECT_DOUBLE_EQ(library[Protocol::ll128].full_bandwidth, 0.9);
  EXPECT_DOUBLE_EQ(library.lone_call_seconds, 8e-6);
  EXPECT_DOUBLE_EQ(library.step_growth, 0.15);
  EXPECT_DOUBLE_EQ(library[Protocol::ll].launch, 0.4);
  EXPECT_DOUBLE_EQ(library[Protocol::ll].step_seconds, 9e-6);
  EXPECT_DOUBLE_EQ(library[Protocol::ll].hop_seconds, 10e-6);
  EXPECT_DOUBLE_EQ(library[Protocol::ll].growth, 0.45);
  EXPECT_DOUBLE_EQ(library[Protocol::ll].bandwidth, 0.5);
  ASSERT_EQ(library.inside.size(), 1u);
  const InsideLink& one = library.inside[0];
  EXPECT_EQ(one.name, "one");
  EXPECT_DOUBLE_EQ(one.bandwidth, 1e11);
  EXPECT_DOUBLE_EQ(one.step_seconds, 3e-6);
  EXPECT_DOUBLE_EQ(one.copy_steps, 0.7);
  EXPECT_DOUBLE_EQ(one.switch_efficiency, 0.8);
  EXPECT_DOUBLE_EQ(one.switch_seconds, 4e-6);
  EXPECT_DOUBLE_EQ(one.launch_seconds.value(), 7e-6);
  EXPECT_DOUBLE_EQ(one.ring_bandwidth(2), 3e10);
  EXPECT_DOUBLE_EQ(one.ring_bandwidth(9), 6e10);
  ASSERT_EQ(library.between.size(), 1u);
  const BetweenLink& two = library.between[0];
  EXPECT_DOUBLE_EQ(two.bandwidth, 1e10);
  EXPECT_DOUBLE_EQ(two.efficiency, 0.9);
  EXPECT_DOUBLE_EQ(two.step_seconds, 5e-6);
  EXPECT_DOUBLE_EQ(two.short_step_seconds, 6e-6);
  EXPECT_DOUBLE_EQ(two.ll_step_seconds.value(), 11e-6);
  EXPECT_DOUBLE_EQ(two.rendezvous_seconds, 3e-6);
  EXPECT_EQ(two.eager, Bytes(8192));
  EXPECT_DOUBLE_EQ(two.switch_efficiency, 0.95);
}

TEST(LibraryFile, Errors) {
  EXPECT_EQ(library_error("name: x\ninside: {a: {step: 1 us}}\n"),
            "l.yaml:2:13: error: a class of links needs the key `bandwidth`");
  EXPECT_EQ(library_error("name: x\n"), "l.yaml:1:1: error: a library needs the key `inside`");
  EXPECT_EQ(library_error("name: x\ninside: {a: {bandwidth: 1 GB/s, efficency: 1}}\n"),
            "l.yaml:2:33: error: unknown key `efficency`, did you mean `efficiency`?");
  EXPECT_TRUE(library_error("name: x\ninside: {a: {bandwidth: 1 GB/s, efficiency: 1.2}}\n")
                  .starts_with("l.yaml:2:45: error: `efficiency` has to be "));
  EXPECT_EQ(
      library_error("name: x\nprotocols: {ll128-full: {latency: 1, bandwidth: 1}}\ninside: {a: {bandwidth: 1 "
                    "GB/s}}\n"),
      "l.yaml:1:1: error: `protocols.ll128-full` is nothing without `protocols.ll128`, give both");
  EXPECT_TRUE(library_error("name: x\nprotocols: {ll: {step: 1 us}}\n").starts_with("l.yaml:2:17: error: "));
}

TEST(LibraryFile, FindsLibraries) {
  EXPECT_EQ(find_library_constants("nccl", {}, no_files()).name, "NCCL");
  try {
    find_library_constants("nclc", {"--library"}, no_files());
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--library: error: there is no library `nclc`; you may mean `nccl`, `gloo` or `mpi`; a "
                 "library file ends in .yaml");
  }
}

}  // namespace
}  // namespace orrery::core::library_file_test
