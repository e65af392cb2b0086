#include "compute/kernels/attention_kernel.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/input_node.hpp"

namespace orrery::core::attention_kernel_test {
namespace {

AttentionKernel kernel_of(const std::string& text) {
  return read_attention_kernel(parse_yaml(text, "k.yaml").items[0], {.name = "attention-kernel"});
}

TEST(AttentionKernel, AMapSaysAllOfIt) {
  const AttentionKernel kernel = kernel_of(
      "k: { forward: 0.5, backward: 0.25, forward-8-bit: 0.4, exponentials: 2, more-keys: 64, source: me }");
  EXPECT_EQ(kernel.efficiency(Datatype::bf16, false), 0.5);
  EXPECT_EQ(kernel.efficiency(Datatype::bf16, true), 0.25);
  EXPECT_EQ(kernel.efficiency(Datatype::fp8, false), 0.4);
  EXPECT_EQ(kernel.efficiency(Datatype::int8, true), 0.25) << "as in 16 bits, where nothing else is said";
  EXPECT_EQ(kernel.exponentials, 2);
  EXPECT_EQ(kernel.more_keys, 64);
}

TEST(AttentionKernel, AMapMayChangeAFile) {
  const AttentionKernel whole = kernel_of("k: flash-attention-2");
  AttentionKernel changed = kernel_of("k: { base: flash-attention-2, backward: 0.125 }");
  EXPECT_EQ(changed.backward, 0.125);
  changed.backward = whole.backward;
  EXPECT_EQ(changed, whole);
}

TEST(AttentionKernel, EveryFileCanBeRead) {
  ASSERT_FALSE(attention_kernel_names().empty());
  for (const std::string_view name : attention_kernel_names()) {
    const AttentionKernel kernel = kernel_of("k: " + std::string(name));
    EXPECT_NE(kernel, AttentionKernel()) << name;
    EXPECT_LT(kernel.backward, kernel.forward) << name << ": the backward pass has to add up gradients";
  }
}

TEST(AttentionKernel, Errors) {
  try {
    kernel_of("k: flash-attention-9");
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(
        text.starts_with("k.yaml:1:4: error: there is no implementation of attention `flash-attention-9`"))
        << text;
  }
  EXPECT_THROW(kernel_of("k: { forward: 1.5 }"), InputError);
  EXPECT_THROW(kernel_of("k: { speed: 1 }"), InputError);
}

}  // namespace
}  // namespace orrery::core::attention_kernel_test
