#include "report/profile/kernel_kinds.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

using Kind = ActivityKind;

struct NamePattern {
  std::string_view part;  // in small letters
  ActivityKind kind;
};

// Parts of names of kernels that communicate.
constexpr NamePattern communication_kernels[] = {
    {"nccl", Kind::other_communication},        {"rccl", Kind::other_communication},
    {"mscclkernel", Kind::other_communication}, {"cross_device_reduce", Kind::all_reduce},
    {"nvshmem", Kind::other_communication},     {"deep_ep::", Kind::all_to_all},
};

// Parts of names of kernels that compute. The first part that is found counts, so what is more particular
// comes first: a fused attention has a softmax within, and a convolution may be carried out as a product.
constexpr NamePattern compute_kernels[] = {
    // Attention in one kernel.
    {"flash", Kind::attention},
    {"fmha", Kind::attention},
    {"sdpa", Kind::attention},
    {"mem_eff", Kind::attention},
    {"flex_attention", Kind::attention},
    {"attention_kernel", Kind::attention},
    {"mha_fwd", Kind::attention},
    {"mha_bwd", Kind::attention},
    // The optimizer.
    {"multi_tensor_apply", Kind::optimizer},
    {"multi_tensor", Kind::optimizer},
    {"adam", Kind::optimizer},
    {"lamb_", Kind::optimizer},
    {"momentum", Kind::optimizer},
    {"optimizer", Kind::optimizer},
    // Norms.
    {"layer_norm", Kind::normalisation},
    {"layernorm", Kind::normalisation},
    {"rms_norm", Kind::normalisation},
    {"rmsnorm", Kind::normalisation},
    {"batch_norm", Kind::normalisation},
    {"batchnorm", Kind::normalisation},
    {"group_norm", Kind::normalisation},
    {"groupnorm", Kind::normalisation},
    {"instance_norm", Kind::normalisation},
    {"rowwisemoments", Kind::normalisation},
    {"gammabeta", Kind::normalisation},
    {"bn_fw", Kind::normalisation},
    {"bn_bw", Kind::normalisation},
    {"ln_fwd", Kind::normalisation},
    {"ln_bwd", Kind::normalisation},
    {" norm", Kind::normalisation},
    // Softmax and loss.
    {"softmax", Kind::softmax},
    {"nll_loss", Kind::softmax},
    {"cross_entropy", Kind::softmax},
    {"crossentropy", Kind::softmax},
    {"exponentials", Kind::softmax},
    {" logit", Kind::softmax},
    {"loss", Kind::softmax},
    // Convolutions.
    {"fprop", Kind::convolution},
    {"dgrad", Kind::convolution},
    {"wgrad", Kind::convolution},
    {"implicit_conv", Kind::convolution},
    {"convolve", Kind::convolution},
    {"winograd", Kind::convolution},
    {"conv2d", Kind::convolution},
    {"conv3d", Kind::convolution},
    {"conv1d", Kind::convolution},
    {"conv_depthwise", Kind::convolution},
    {"depthwise", Kind::convolution},
    {"convolution", Kind::convolution},
    {"miopen", Kind::convolution},
    {"im2col", Kind::convolution},
    {"col2im", Kind::convolution},
    // Matrix products.
    {"gemm", Kind::matrix_product},
    {"gemv", Kind::matrix_product},
    {"nvjet", Kind::matrix_product},
    {"cutlass", Kind::matrix_product},
    {"splitkreduce", Kind::matrix_product},
    {"splitk", Kind::matrix_product},
    {"cijk_", Kind::matrix_product},
    {"cublas", Kind::matrix_product},
    {"matmul", Kind::matrix_product},
    {"dot_kernel", Kind::matrix_product},
    {"triton_tem_", Kind::matrix_product},
    {"triton_mm", Kind::matrix_product},
    {"_mm_", Kind::matrix_product},
    {"_bmm", Kind::matrix_product},
    // Embeddings.
    {"embedding", Kind::embedding},
    {"indexselect", Kind::embedding},
    {"index_select", Kind::embedding},
    {"indexing_backward", Kind::embedding},
    {"positions", Kind::embedding},
    // Pooling.
    {"pool", Kind::pooling},
    // Whatever adds up, counts or sorts.
    {"reduce_kernel", Kind::reduction},
    {"devicereduce", Kind::reduction},
    {"devicescan", Kind::reduction},
    {"radixsort", Kind::reduction},
    {"bitonicsort", Kind::reduction},
    {"topk", Kind::reduction},
    {"triton_red_", Kind::reduction},
    {"triton_per_", Kind::reduction},
    {"cumsum", Kind::reduction},
    // Whatever passes over its data once.
    {"elementwise", Kind::elementwise},
    {"triton_poi_", Kind::elementwise},
    {"catarray", Kind::elementwise},
    {"dropout", Kind::elementwise},
    {"gelu", Kind::elementwise},
    {"silu", Kind::elementwise},
    {"swiglu", Kind::elementwise},
    {"relu", Kind::elementwise},
    {"activation", Kind::elementwise},
    {"residual", Kind::elementwise},
    {"rotary", Kind::elementwise},
    {"rope", Kind::elementwise},
    {"transpose", Kind::elementwise},
    {"permute", Kind::elementwise},
    {"fill", Kind::elementwise},
    {"copy_kernel", Kind::elementwise},
    {"cast", Kind::elementwise},
};

// Parts of names of collectives and their kernels, without lines and in small letters. A name with "sendrecv"
// has "recv" in it, one of a reduce-scatter "reduce" and "scatter", and so on.
constexpr NamePattern collectives_in_names[] = {
    {"allreduce", Kind::all_reduce},
    {"reducescatter", Kind::reduce_scatter},
    {"allgather", Kind::all_gather},
    {"alltoall", Kind::all_to_all},
    {"broadcast", Kind::broadcast},
    {"bcast", Kind::broadcast},
    {"barrier", Kind::barrier},
    {"sendrecv", Kind::message},
    {"isendirecv", Kind::message},
    {"coalesced", Kind::message},
    {"send", Kind::send},
    {"recv", Kind::receive},
    {"receive", Kind::receive},
    {"gather", Kind::gather},
    {"scatter", Kind::scatter},
    {"reduce", Kind::reduce},
};

char small(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

template <std::size_t size>
std::optional<ActivityKind> first_in(const NamePattern (&patterns)[size], std::string_view name) {
  for (const NamePattern& pattern : patterns)
    if (name.find(pattern.part) != std::string_view::npos) return pattern.kind;
  return std::nullopt;
}

}  // namespace

std::optional<ActivityKind> kind_of_collective(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_' && c != '-') plain += small(c);
  return first_in(collectives_in_names, plain);
}

ActivityKind kind_of_kernel(std::string_view name) {
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), small);
  if (const auto kind = first_in(communication_kernels, plain))
    return *kind == Kind::other_communication ? kind_of_collective(name).value_or(*kind) : *kind;
  return first_in(compute_kernels, plain).value_or(Kind::other);
}

// Operators that pass over their data once are told apart by their names.
ActivityKind kind_of_work(const WorkName& work) {
  const ActivityKind kind = value_of(activity_kinds, work.kind).value_or(Kind::other);
  if (kind != Kind::elementwise) return kind;
  const ActivityKind named = kind_of_kernel(work.name);
  return named == Kind::normalisation || named == Kind::softmax || named == Kind::embedding
             ? named
             : Kind::elementwise;
}

}  // namespace orrery::core
