#include "compute/layer_sparsity.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::core {

std::uint64_t LayerSparsity::stored_weights(std::uint64_t elements) const {
  if (stored == WeightStorage::dense) return elements;
  if (!weights.pattern.is_dense()) return weights.pattern.kept_of(elements);
  return static_cast<std::uint64_t>(std::llround((1 - weights.zeros) * static_cast<double>(elements)));
}

// A pattern says which of its block each kept weight is. Where zeros are anywhere, a bit for each weight says
// whether it is kept.
double LayerSparsity::index_bytes(std::uint64_t elements) const {
  if (stored == WeightStorage::dense || weights.zeros == 0) return 0;
  const double bits = weights.pattern.is_dense()
                          ? static_cast<double>(elements)
                          : static_cast<double>(stored_weights(elements)) * weights.pattern.index_bits();
  return bits / 8;
}

const LayerSparsity& ModelSparsity::of(std::string_view layer) const {
  const auto found = std::ranges::find(own, layer, &Own::layer);
  return found == own.end() ? usual : found->sparsity;
}

void ModelSparsity::require_layers(std::span<const std::string_view> known) const {
  constexpr std::size_t most_shown = 20;
  for (const Own& one : own) {
    if (std::ranges::find(known, one.layer) != known.end()) continue;
    std::string message = "the model has no product with weights " + backquoted(one.layer);
    message += suggestion(one.layer, known);
    if (known.size() <= most_shown) message += "; it has " + alternatives(known);
    throw InputError(one.where, message);
  }
}

}  // namespace orrery::core
