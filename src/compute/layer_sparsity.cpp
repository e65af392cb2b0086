#include "compute/layer_sparsity.hpp"

#include <algorithm>

namespace orrery::core {

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
