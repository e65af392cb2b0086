#include "study/workloads/yaml_sparsity.hpp"

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

struct SparsityDraft : LayerSparsity {
  const InputNode* layers = nullptr;
};

template <OperandSparsity LayerSparsity::*member>
void read_operand(const InputNode& node, const KeyFacts& key, LayerSparsity& sparsity) {
  const std::string& text = scalar_of(node, key.name);
  OperandSparsity& operand = sparsity.*member;
  operand = {};
  if (text == "dense") return;
  if (const auto pattern = parse_block_pattern(text)) {
    operand = OperandSparsity(*pattern);
    return;
  }
  const auto share = parse_real(text);
  if (!share || *share < 0 || *share >= 1)
    reject_value(node, key.name, "a pattern such as 2:4, a share of zeros from 0 to less than 1, or `dense`");
  operand = OperandSparsity(*share);
}

constexpr Key<SparsityDraft> sparsity_keys[] = {
    key::custom<read_operand<&LayerSparsity::weights>>("weights", "N:M, share of zeros, `dense`", "`dense`",
                                                       "zeros among the weights. N:M: of M neighbours along "
                                                       "the features that are summed over, at most N are "
                                                       "not zero; a share: zeros are anywhere")
        .trying("2:4|0.9"),
    key::custom<read_operand<&LayerSparsity::activations>>("activations", "N:M, share of zeros, `dense`",
                                                           "`dense`", "zeros among the activations, likewise")
        .trying("0.9|2:4"),
    key::boolean<&SparsityDraft::transposable>(
        "transposable", "false",
        "whether patterns N:M hold for transposed weights and activations, too, so that the products of the "
        "backward pass make use of them"),
    key::word<weight_storage_words, &SparsityDraft::stored>(
        "stored", "`dense`",
        "what memory holds of weights with zeros. dense: all of them, as under masks; compressed: those that "
        "are kept and where they belong, and gradients and states of the optimizer for these alone"),
    key::kept<&SparsityDraft::layers>("layers", "map of layers", "none",
                                      "layers with zeros of their own, by name: a map of the keys above for "
                                      "each, in which those that are left out are as for the model"),
};

void check_patterns(const LayerSparsity& sparsity, const InputNode& map, const Device& device) {
  const ProductSparsity forward = sparsity.forward();
  if (const InputNode* const transposable = map.find("transposable"); transposable && !forward.has_pattern())
    throw InputError(
        transposable->where,
        "only a pattern such as 2:4 can be `transposable`; give the weights one, or leave it out");
  const InputNode* place = map.find(forward.rows.pattern.is_dense() ? "weights" : "activations");
  require_pattern(forward, device, (place ? *place : map).where);
}

void check_storage(const LayerSparsity& sparsity, const InputNode& map) {
  const InputNode* const stored = map.find("stored");
  if (!stored || sparsity.stored == WeightStorage::dense || sparsity.weights.zeros > 0) return;
  throw InputError(
      stored->where,
      "only weights with zeros can be stored compressed; give `weights` a pattern such as 2:4 or "
      "a share of zeros, or leave `stored` out");
}

void warn_of_zeros(const LayerSparsity& sparsity, const InputNode& map, const Device& device,
                   Warnings& warnings) {
  if (device.roofline.zero_skipping > 0) return;
  const auto warn = [&](std::string_view key, const OperandSparsity& operand) {
    const InputNode* const node = map.find(key);
    if (!node || operand.zeros == 0 || !operand.pattern.is_dense()) return;
    warnings.add(node->where, fmt::format("{} skips no zeros (its `zero-skipping` is 0), so that these save "
                                          "bytes, but no multiplications",
                                          device.name));
  };
  warn("weights", sparsity.weights);
  warn("activations", sparsity.activations);
}

SparsityDraft read_layer(const InputNode& map, const LayerSparsity& usual, const Device& device,
                         Warnings& warnings) {
  SparsityDraft draft{usual, nullptr};
  read_map(map, "the sparsity of a model or a layer", sparsity_keys, draft);
  check_patterns(draft, map, device);
  check_storage(draft, map);
  warn_of_zeros(draft, map, device, warnings);
  return draft;
}

}  // namespace

ModelSparsity read_yaml_sparsity(const InputNode& node, const Device& device, Warnings& warnings) {
  if (device.compute_model)
    throw InputError(node.where, "the compute model " + backquoted(device.compute_model->name) +
                                     " of a plug-in is not told of zeros; leave `sparsity` or "
                                     "`compute-model` out");
  const SparsityDraft draft = read_layer(node, {}, device, warnings);
  ModelSparsity sparsity{draft, {}};
  if (!draft.layers) return sparsity;
  require_map(*draft.layers, "`layers`");
  for (std::size_t i = 0; i < draft.layers->items.size(); ++i) {
    const InputName& name = draft.layers->names[i];
    const SparsityDraft own = read_layer(draft.layers->items[i], draft, device, warnings);
    if (own.layers) throw InputError(own.layers->where, "a layer has no `layers` of its own; leave them out");
    sparsity.own.push_back({name.text, own, name.where});
  }
  return sparsity;
}

std::vector<KeyPath> yaml_sparsity_keys() {
  return keys_of_map<sparsity_keys>();
}

}  // namespace orrery::core
