#include "compute/kernels/attention_kernel.hpp"

#include "base/files/embedded_file.hpp"
#include "compute/kernels/kernel_file.hpp"

namespace orrery::core {

namespace {

constexpr KernelFiles attention_files{"attention", "implementation of attention"};
constexpr double most_exponentials = 100, most_keys = 1e6;

constexpr Key<AttentionKernel> attention_keys[] = {
    key::ignored("name", "name for people to read").of("text"),
    key::ignored("source", "source of the numbers, for people to read").of("text"),
    key::share<&AttentionKernel::forward>("forward", "0.6",
                                          "share of the matrix units' peak that the forward pass reaches")
        .fitted(),
    key::share<&AttentionKernel::backward>(
        "backward", "0.6",
        "share of the matrix units' peak that the backward pass reaches, the scores that it computes again "
        "counted")
        .fitted(),
    key::share<&AttentionKernel::narrow_forward>("forward-8-bit", "as `forward`",
                                                 "share in formats of 8 bits and fewer")
        .fitted(),
    key::share<&AttentionKernel::narrow_backward>("backward-8-bit", "as `backward`",
                                                  "share in formats of 8 bits and fewer")
        .fitted(),
    key::real<&AttentionKernel::exponentials>(
        "exponentials", 0, most_exponentials, "0",
        "time of the softmax of a score that does not hide behind the products, as a number of exponentials")
        .better(Better::less)
        .fitted(),
    key::real<&AttentionKernel::more_keys>(
        "more-keys", 0, most_keys, "0",
        "number of keys that a query takes as long for as its tile needs to begin and to end")
        .better(Better::less)
        .fitted(),
};

}  // namespace

double AttentionKernel::efficiency(Datatype type, bool is_backward) const {
  const double wide = is_backward ? backward : forward;
  constexpr double narrow_bytes = 1;
  return bytes_of(type) <= narrow_bytes ? (is_backward ? narrow_backward : narrow_forward).value_or(wide)
                                        : wide;
}

AttentionKernel read_attention_kernel(const InputNode& node, const KeyFacts& key) {
  AttentionKernel kernel;
  read_map(kernel_map(node, key.name, attention_files), "an implementation of attention", attention_keys,
           kernel);
  return kernel;
}

std::vector<std::string_view> attention_kernel_names() {
  return embedded_names(attention_files.folder);
}

std::vector<KeyPath> attention_kernel_keys() {
  return with_base(keys_of_map<attention_keys>(), kernel_base_key);
}

}  // namespace orrery::core
