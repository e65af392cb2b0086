#include "report/profile/kernel_kinds.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/words.hpp"
#include "program/collective_request.hpp"

namespace orrery::core::kernel_kinds_test {
namespace {

struct NamedKernel {
  const char* name;
  ActivityKind kind;
};

// Names as cuBLAS, cuDNN, PyTorch, Triton and others give them.
constexpr NamedKernel named_kernels[] = {
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_"
     "kernel",
     ActivityKind::matrix_product},
    {"nvjet_tst_192x192_64x4_1x2_h_bz_coopB_TNT", ActivityKind::matrix_product},
    {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8>(...)",
     ActivityKind::matrix_product},
    {"ampere_sgemm_128x64_tn", ActivityKind::matrix_product},
    {"void cublasLt::splitKreduce_kernel<32, 16, int, float, ...>", ActivityKind::matrix_product},
    {"Cijk_Ailk_Bljk_BBS_BH_MT128x128x32", ActivityKind::matrix_product},
    {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>", ActivityKind::attention},
    {"fmha_cutlassF_bf16_aligned_64x128_rf_sm80", ActivityKind::attention},
    {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob", ActivityKind::attention},
    {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc", ActivityKind::convolution},
    {"void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>", ActivityKind::convolution},
    {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>",
     ActivityKind::normalisation},
    {"void at::native::batch_norm_collect_statistics_kernel<c10::Half>", ActivityKind::normalisation},
    {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, false>",
     ActivityKind::softmax},
    {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>", ActivityKind::softmax},
    {"void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float>",
     ActivityKind::softmax},
    {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>", ActivityKind::embedding},
    {"void at::native::(anonymous namespace)::embedding_backward_feature_kernel<float>",
     ActivityKind::embedding},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>>",
     ActivityKind::elementwise},
    {"triton_poi_fused_gelu_0", ActivityKind::elementwise},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>", ActivityKind::reduction},
    {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>>",
     ActivityKind::optimizer},
    {"my_own_kernel", ActivityKind::other},
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", ActivityKind::all_reduce},
    {"ncclKernel_ReduceScatter_RING_SIMPLE_Sum_float", ActivityKind::reduce_scatter},
    {"ncclDevKernel_AllGather_RING_LL", ActivityKind::all_gather},
    {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", ActivityKind::message},
    {"ncclDevKernel_Broadcast_RING_LL", ActivityKind::broadcast},
    {"ncclDevKernel_Generic", ActivityKind::other_communication},
};

TEST(KernelKinds, NamesOfKernels) {
  for (const NamedKernel& kernel : named_kernels)
    EXPECT_EQ(words_of(kind_of_kernel(kernel.name)).word, words_of(kernel.kind).word) << kernel.name;
}

TEST(KernelKinds, NamesOfCollectives) {
  EXPECT_EQ(kind_of_collective("allreduce"), ActivityKind::all_reduce);
  EXPECT_EQ(kind_of_collective("_allgather_base"), ActivityKind::all_gather);
  EXPECT_EQ(kind_of_collective("_reduce_scatter_base"), ActivityKind::reduce_scatter);
  EXPECT_EQ(kind_of_collective("allgather_into_tensor_coalesced"), ActivityKind::all_gather);
  EXPECT_EQ(kind_of_collective("all_to_allv"), ActivityKind::all_to_all);
  EXPECT_EQ(kind_of_collective("recv"), ActivityKind::receive);
  EXPECT_EQ(kind_of_collective("send"), ActivityKind::send);
  EXPECT_EQ(kind_of_collective("gather"), ActivityKind::gather);
  EXPECT_EQ(kind_of_collective("wait"), std::nullopt);
}

// The words of kinds stand in the order of ActivityKind, and those of collectives are CollectiveKind's.
TEST(KernelKinds, Words) {
  for (std::size_t i = 0; i < activity_kinds.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(activity_kinds[i].value), i) << activity_kinds[i].word;
  for (const auto& [word, kind] : collective_kind_words) {
    const auto known = value_of(activity_kinds, word);
    ASSERT_TRUE(known) << word;
    EXPECT_EQ(kind_of_collective(word), known) << word;
  }
}

// Operators of transformers that pass over their data once have names that say what they are.
TEST(KernelKinds, SimulatedOperators) {
  EXPECT_EQ(kind_of_work({"qkv", "matrix product"}), ActivityKind::matrix_product);
  EXPECT_EQ(kind_of_work({"attention norm", "elementwise"}), ActivityKind::normalisation);
  EXPECT_EQ(kind_of_work({"softmax", "elementwise"}), ActivityKind::softmax);
  EXPECT_EQ(kind_of_work({"attention dropout", "elementwise"}), ActivityKind::elementwise);
  EXPECT_EQ(kind_of_work({"mlp activation", "elementwise"}), ActivityKind::elementwise);
  EXPECT_EQ(kind_of_work({"embedding", "elementwise"}), ActivityKind::embedding);
  EXPECT_EQ(kind_of_work({"update", "optimizer"}), ActivityKind::optimizer);
}

}  // namespace
}  // namespace orrery::core::kernel_kinds_test
