// The traces among the examples are what this text says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::example_traces_test {
namespace {

constexpr int micro_batches = 4, npus_of_stage = 4;
constexpr const char* forward = "duration=7000 num_ops=1500000000000 tensor_size=1000000000";
constexpr const char* backward = "duration=14000 num_ops=3000000000000 tensor_size=2000000000";

std::string node(const std::string& text) {
  return text + " is_cpu_op:bool=0\n";
}

// Gradients of each half of a stage's layers are added up among its NPUs, and then its weights change.
std::string end_of_step(int last, int group) {
  std::string text;
  for (const auto& [id, half] : {std::pair(40, "upper"), std::pair(41, "lower")})
    text +=
        node(fmt::format("collective {} name=gradients_of_the_{}_half after={} comm_type=0 "
                         "comm_size=268435456 pg_name:string={}",
                         id, half, last, group));
  return text +
         node("compute 42 name=update after=40,41 duration=2600 num_ops=1000000000 tensor_size=4000000000");
}

std::string after(int node) {
  return node > 0 ? fmt::format(" after={}", node) : "";
}

// The stage runs all forward passes, then all backward passes, which wait for gradients of the other stage.
std::string first_stage(int npu) {
  std::string text;
  for (int m = 0; m < micro_batches; ++m)
    text +=
        node(fmt::format("compute {} name=forward_{}{} {}", 1 + m, m, after(m), forward)) +
        node(fmt::format("send {} name=activations_{} after={} comm_size=16777216 comm_tag={} comm_dst={}",
                         11 + m, m, 1 + m, m, npu + npus_of_stage));
  for (int m = 0; m < micro_batches; ++m)
    text += node(fmt::format("receive {} name=gradients_{} comm_size=16777216 comm_tag={} comm_src={}",
                             21 + m, m, 10 + m, npu + npus_of_stage)) +
            node(fmt::format("compute {} name=backward_{} after={},{} {}", 31 + m, m, 21 + m,
                             m == 0 ? micro_batches : 30 + m, backward));
  return text + end_of_step(34, 1);
}

// The stage runs one forward and one backward pass in turn.
std::string last_stage(int npu) {
  std::string text;
  for (int m = 0; m < micro_batches; ++m)
    text += node(fmt::format("receive {} name=activations_{} comm_size=16777216 comm_tag={} comm_src={}",
                             1 + m, m, m, npu - npus_of_stage)) +
            node(fmt::format("compute {} name=forward_{} after={}{} {}", 11 + m, m, 1 + m,
                             m > 0 ? fmt::format(",{}", 20 + m) : "", forward)) +
            node(fmt::format("compute {} name=backward_{} after={} {}", 21 + m, m, 11 + m, backward)) +
            node(fmt::format("send {} name=gradients_{} after={} comm_size=16777216 comm_tag={} comm_dst={}",
                             31 + m, m, 21 + m, 10 + m, npu - npus_of_stage));
  return text + end_of_step(24, 2);
}

TEST(ExampleTraces, SayWhatTheTextSays) {
  for (int npu = 0; npu < 2 * npus_of_stage; ++npu) {
    const std::string file = fmt::format("{}/examples/traces/two-stages.{}.et", source_dir(), npu);
    EXPECT_EQ(read_file_of_any_kind(file),
              trace_of_text(npu < npus_of_stage ? first_stage(npu) : last_stage(npu)))
        << file;
  }
}

}  // namespace
}  // namespace orrery::core::test::example_traces_test
