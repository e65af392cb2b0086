#include "compute/kernels/pointwise_kernels.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/input_node.hpp"

namespace orrery::core::pointwise_kernels_test {
namespace {

PointwiseKernels kernels_of(const std::string& text) {
  return read_pointwise_kernels(parse_yaml(text, "k.yaml").items[0], {.name = "pointwise"});
}

Elementwise work(PointwiseKind kind, bool backward) {
  return {0, 1, 1, kind, backward};
}

TEST(PointwiseKernels, ByKindAndDirection) {
  const PointwiseKernels kernels =
      kernels_of("k: { norm: { forward: 2, backward: 5 }, loss: { backward: 3 } }");
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::norm, false), Datatype::bf16), 4);
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::norm, true), Datatype::bf16), 10);
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::loss, false), Datatype::fp32), 4);
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::loss, true), Datatype::fp32), 12);
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::other, true), Datatype::fp8), 1);
}

TEST(PointwiseKernels, AWiderFormat) {
  const PointwiseKernels kernels = kernels_of("k: { format: fp32 }");
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::norm, false), Datatype::bf16), 4);
  EXPECT_EQ(kernels.bytes_per_element(work(PointwiseKind::norm, false), Datatype::fp64), 8);
}

TEST(PointwiseKernels, EveryFileCanBeRead) {
  ASSERT_FALSE(pointwise_kernel_names().empty());
  for (const std::string_view name : pointwise_kernel_names())
    EXPECT_NE(kernels_of("k: " + std::string(name)), PointwiseKernels()) << name;
  const PointwiseKernels changed = kernels_of("k: { base: eager, norm: { forward: 7 } }");
  EXPECT_EQ(changed.bytes_per_element(work(PointwiseKind::norm, false), Datatype::fp16), 14);
  EXPECT_EQ(changed.passes[static_cast<std::size_t>(PointwiseKind::loss)],
            kernels_of("k: eager").passes[static_cast<std::size_t>(PointwiseKind::loss)]);
}

TEST(PointwiseKernels, Errors) {
  EXPECT_THROW(kernels_of("k: slow"), InputError);
  EXPECT_THROW(kernels_of("k: { norm: { forward: 0 } }"), InputError);
  EXPECT_THROW(kernels_of("k: { norms: { forward: 1 } }"), InputError);
}

}  // namespace
}  // namespace orrery::core::pointwise_kernels_test
