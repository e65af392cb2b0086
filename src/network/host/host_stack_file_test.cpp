#include "network/host/host_stack_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::host_stack_file_test {
namespace {

HostStack read(const std::string& text) {
  return read_host_stack(parse_yaml(text, "experiment.yaml"), no_files());
}

std::string error_of(const std::string& text) {
  try {
    read_host_stack_file(text, "stack.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(HostStackFile, ThoseThatComeWithTheProgramAreRead) {
  ASSERT_FALSE(host_stack_names().empty());
  for (const std::string_view name : host_stack_names()) {
    const HostStack stack = find_host_stack(std::string(name), {}, no_files());
    EXPECT_FALSE(stack.name.empty()) << name;
    EXPECT_FALSE(stack.state.empty()) << name;
    EXPECT_FALSE(stack.sources.empty()) << name;
  }
}

TEST(HostStackFile, AMapChangesItsBase) {
  const HostStack tcp = read("kernel-tcp"),
                  changed = read("{ base: kernel-tcp, cores: 3, npus-per-host: 8 }");
  EXPECT_EQ(changed.cores, 3);
  EXPECT_EQ(changed.npus_per_host, 8);
  EXPECT_EQ(changed.send, tcp.send);
  EXPECT_EQ(changed.copying.bytes_per_ns(), tcp.copying.bytes_per_ns());
}

TEST(HostStackFile, WhatNobodyWouldUseIsRefused) {
  EXPECT_EQ(error_of("name: a\nper-packet: 5 ns\n"),
            "stack.yaml:2:13: error: `per-packet` is of a core, and no core carries messages; give `cores` "
            "or leave "
            "it out");
  EXPECT_EQ(
      error_of("name: a\ncopy-bandwidth: 5 GB/s\n"),
      "stack.yaml:2:17: error: `copy-bandwidth` is of a core, and no core carries messages; give `cores` or "
      "leave it out");
  EXPECT_EQ(error_of("name: a\nstaging-latency: 5 us\n"),
            "stack.yaml:2:18: error: `staging-latency` is of copies to host memory, and there are none; give "
            "`staging-bandwidth` or leave it out");
  EXPECT_EQ(error_of("name: a\npacket: 0 B\n"),
            "stack.yaml:2:9: error: packets have to have bytes, such as 4 KiB");
}

}  // namespace
}  // namespace orrery::core::host_stack_file_test
