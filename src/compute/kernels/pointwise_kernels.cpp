#include "compute/kernels/pointwise_kernels.hpp"

#include <algorithm>

#include "base/files/embedded_file.hpp"
#include "compute/kernels/kernel_file.hpp"

namespace orrery::core {

namespace {

constexpr KernelFiles pointwise_files{"pointwise", "level of fusion"};
constexpr double least_passes = 0.1, most_passes = 100;

template <double PointwisePasses::*direction>
constexpr auto passes(std::string_view name, std::string_view meaning) {
  return key::real<direction>(name, least_passes, most_passes, "1", meaning).better(Better::less).fitted();
}

constexpr Key<PointwisePasses> passes_keys[] = {
    passes<&PointwisePasses::forward>(
        "forward", "bytes of the forward pass, as a multiple of reading operands and writing results once"),
    passes<&PointwisePasses::backward>("backward", "the same of the backward pass"),
};

template <PointwiseKind kind>
void read_passes(const InputNode& node, const KeyFacts&, PointwiseKernels& kernels) {
  read_map(node, "passes over memory", passes_keys, kernels.passes[static_cast<std::size_t>(kind)]);
}

template <PointwiseKind kind>
constexpr auto passes_of(std::string_view name, std::string_view meaning) {
  return key::custom<read_passes<kind>>(name, "map", "1 in both", meaning).above(keys_of_map<passes_keys>);
}

constexpr Key<PointwiseKernels> pointwise_keys[] = {
    key::ignored("name", "name for people to read").of("text"),
    key::ignored("source", "source of the numbers, for people to read").of("text"),
    passes_of<PointwiseKind::norm>("norm", "layer and RMS norms"),
    passes_of<PointwiseKind::activation>("activation", "activation functions of one operand"),
    passes_of<PointwiseKind::gated_activation>("gated-activation",
                                               "activation functions whose result is multiplied: SwiGLU"),
    passes_of<PointwiseKind::softmax>("softmax", "softmax of attention that is not fused, and of routers"),
    passes_of<PointwiseKind::loss>("loss", "cross-entropy"),
    passes_of<PointwiseKind::rotary>("rotary", "queries and keys turned by their positions"),
    passes_of<PointwiseKind::other>("other", "everything else, such as residual sums and the optimizer"),
    key::word<datatype_words, &PointwiseKernels::format>(
        "format", "that of the operator",
        "number format of what kernels read and write, where it is wider than that of the operator"),
};

}  // namespace

double PointwiseKernels::bytes_per_element(const Elementwise& work, Datatype type) const {
  const PointwisePasses& of_kind = passes[static_cast<std::size_t>(work.kind)];
  const double bytes = std::max(bytes_of(type), format ? bytes_of(*format) : 0);
  return bytes * (work.backward ? of_kind.backward : of_kind.forward);
}

PointwiseKernels read_pointwise_kernels(const InputNode& node, const KeyFacts& key) {
  PointwiseKernels kernels;
  read_map(kernel_map(node, key.name, pointwise_files), "a level of fusion", pointwise_keys, kernels);
  return kernels;
}

std::vector<std::string_view> pointwise_kernel_names() {
  return embedded_names(pointwise_files.folder);
}

std::vector<KeyPath> pointwise_kernel_keys() {
  return with_base(keys_of_map<pointwise_keys>(), kernel_base_key);
}

}  // namespace orrery::core
