#include "study/workloads/transformer/yaml_inference.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace orrery::core {
namespace {

enum class InferencePhase : std::uint8_t {
  prefill,  // all tokens of a prompt, or of an encoder's text
  decode,   // the next token, behind those whose keys and values are there
};
constexpr std::array<EnumName<InferencePhase>, 2> phase_words{{
    {"prefill", InferencePhase::prefill},
    {"decode", InferencePhase::decode},
}};

struct InferenceDraft {
  InferencePhase phase = InferencePhase::prefill;
  const InputNode *weights = nullptr, *cache = nullptr;
};

constexpr Key<InferenceDraft> inference_keys[] = {
    key::word<phase_words, &InferenceDraft::phase>(
        "phase", "required",
        "`prefill` computes all tokens of each sequence, `decode` the last one, with keys and values of the "
        "others from memory"),
    key::kept<&InferenceDraft::weights>(
        "weights", "number format", "that of the products",
        "number format in which weights of layers lie in memory, where products are computed in a wider one")
        .trying("fp8"),
    key::kept<&InferenceDraft::cache>("cache", "number format", "that of the tensors",
                                      "number format in which keys and values are kept")
        .trying("fp8"),
};

// Keys of a workload, and of a map in it, that only training has a use for.
constexpr std::pair<std::string_view, std::string_view> keys_of_training[] = {
    {"", "recompute"},           {"", "optimizer"},
    {"", "precision"},           {"", "predictions"},
    {"overlap", "gradients"},    {"overlap", "parameters"},
    {"parallelism", "zero"},     {"parallelism", "shard"},
    {"parallelism", "schedule"}, {"parallelism", "virtual-stages"},
};

void refuse_keys_of_training(const InputNode& workload) {
  for (const auto& [map, key] : keys_of_training) {
    const InputNode* const in = map.empty() ? &workload : workload.find(map);
    if (const InputNode* const node = in ? in->find(key) : nullptr)
      throw InputError(node->where,
                       fmt::format("`{}` is about training; leave it out, or leave `inference` out", key));
  }
}

// Reads a format of what lies in memory, which has to be narrower than that in which it is computed.
std::optional<Datatype> stored_format(const InputNode* node, std::string_view key, Datatype computed,
                                      const Device& device) {
  if (!node) return std::nullopt;
  const Datatype asked = word_value_of(*node, key, datatype_words);
  if (device.systolic || device.compute_model)
    throw InputError(node->where,
                     fmt::format("the compute model of {} knows no formats of memory alone; leave "
                                 "`{}` out",
                                 device.name, key));
  if (bytes_of(asked) >= bytes_of(computed))
    throw InputError(node->where,
                     fmt::format("{} is no narrower than {}, in which it is computed; leave `{}` out",
                                 word_of(datatype_words, asked), word_of(datatype_words, computed), key));
  return asked;
}

// Refuses models and keys with which a step of decoding cannot be simulated.
void check_decoding(const InputNode& workload, const SourceLocation& where, const Transformer& model,
                    const TransformerPlan& plan) {
  if (!model.causal)
    throw InputError(where, "an encoder sees whole sequences and adds no tokens; use `phase: prefill`");
  if (model.latent)
    throw InputError(where, "decoding with latent attention is not modelled; use `phase: prefill`");
  if (const InputNode* lengths = workload.find("lengths"))
    throw InputError(lengths->where,
                     "a step of decoding sees `sequence` tokens of each sequence; leave `lengths` out");
  if (!model.moe) return;
  const std::uint64_t chosen = model.moe->experts_per_token, experts = model.moe->experts;
  const std::uint64_t tokens = plan.micro_batch * plan.expert;
  if (tokens * chosen < experts)
    throw InputError(where,
                     fmt::format("{} tokens may leave some of {} experts without any, which is not "
                                 "modelled; use a batch of at least {}",
                                 tokens, experts, (experts + chosen - 1) / chosen * plan.data / plan.expert));
}

}  // namespace

void read_yaml_inference(const InputNode& workload, const Device& device, Transformer& model,
                         TransformerPlan& plan) {
  const InputNode& node = *workload.find("inference");
  InferenceDraft draft;
  read_map(node, "`inference`", inference_keys, draft);
  refuse_keys_of_training(workload);
  plan.forward_only = true;
  if (!workload.find("attention")) plan.attention = AttentionKind::flash;
  const InputNode* const batch = workload.find("batch");
  if (!batch->find("micro") && plan.global_batch % plan.data == 0)
    plan.micro_batch = plan.global_batch / plan.data;
  plan.weight_type = stored_format(draft.weights, "weights", plan.linear_type.value_or(plan.type), device);
  plan.cache_type = stored_format(draft.cache, "cache", plan.type, device);
  if (draft.cache && !model.causal)
    throw InputError(draft.cache->where, "an encoder keeps no keys and values; leave `cache` out");
  if (draft.cache && plan.attention == AttentionKind::naive)
    throw InputError(draft.cache->where,
                     "only fused attention reads keys and values of another format; use `attention: flash`");
  if (draft.phase == InferencePhase::prefill) {
    if (!model.masked) plan.predicted = 1;
    return;
  }
  check_decoding(workload, node.find("phase")->where, model, plan);
  plan.seen = model.sequence;
  model.sequence = 1;
}

std::vector<KeyPath> yaml_inference_keys() {
  return key_paths(".", inference_keys);
}

}  // namespace orrery::core
