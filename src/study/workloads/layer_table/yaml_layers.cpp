#include "study/workloads/layer_table/yaml_layers.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/input/keys.hpp"
#include "base/text/token_reader.hpp"
#include "collective/plan/collective_words.hpp"
#include "study/workloads/layer_table/yaml_data_parallel.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/astra1/recomputation_check.hpp"

namespace orrery::core {
namespace {

using Policy = TrainingPolicy;

Policy policy(const InputNode& node, const KeyFacts& key) {
  std::vector<std::string> words;
  for (const auto& [word, policy] : policy_words) {
    words.push_back(text_of(policy));
    if (words.back() == scalar_of(node, key.name)) return policy;
  }
  reject_word(node, key.name, std::vector<std::string_view>(words.begin(), words.end()));
}

constexpr int largest_root = (1 << 30) - 1;

constexpr Key<LayerStep> step_keys[] = {
    key::time<&LayerStep::compute>("compute", "0", "compute time").better(Better::never),
    key::word<collective_kind_words, &LayerStep::collective>(
        "collective", "none",
        "collective that follows the compute; the policy decides whether and where it runs; a warning names "
        "a collective that the policy never runs"),
    key::size<&LayerStep::size>(
        "size", "required with a collective",
        "size of the collective, above 0 except for a barrier; see [what it means](#sizes)"),
    key::integer<&LayerStep::root>(
        "root", 0, largest_root, "0",
        "for a broadcast, reduce, gather or scatter: a rank. In each group, the member that stands where "
        "this rank does along the group's dimensions is the root"),
};

template <LayerStep Layer::*member>
void read_step(const InputNode& node, Layer& layer) {
  LayerStep& step = layer.*member;
  read_map(node, "a layer's step", step_keys, step);
  const bool barrier = step.collective == CollectiveKind::barrier;
  if (const InputNode* root = node.find("root");
      root && (!step.collective || barrier || is_symmetric(*step.collective)))
    throw InputError(root->where, "only a broadcast, reduce, gather or scatter has a `root`; remove it");
  if (const InputNode* size = node.find("size"); size && barrier)
    throw InputError(size->where, "a barrier has no `size`; remove it");
  if (step.collective && !barrier && step.size == Bytes())
    throw InputError(node.where, "a collective needs a `size` above zero; add it or remove the collective");
  if (const InputNode* size = node.find("size"); size && !step.collective)
    throw InputError(size->where, "a `size` needs a `collective`; add it or remove the size");
}

void read_layer_name(const InputNode& node, Layer& layer) {
  layer.name = label_of(node, "name");
  const auto unfit = [](unsigned char c) { return c == ' ' || c == ',' || c == '"'; };
  if (std::any_of(layer.name.begin(), layer.name.end(), unfit))
    throw InputError(node.where,
                     "a layer's name must not hold blanks, commas or quotes, which the reports "
                     "could not show; rename it");
}

template <LayerStep Layer::*member>
constexpr auto step_key(std::string_view name) {
  return key::custom<read_step<member>>(name, "map", "nothing to do", "the three steps of a layer").above([] {
    return key_paths(".", step_keys);
  });
}

constexpr Key<Layer> layer_keys[] = {
    key::custom<read_layer_name>("name", "text", "required",
                                 "name of the layer, which is unique and has no blanks, commas or quotes")
        .trying("other"),
    step_key<&Layer::forward>("forward"),
    step_key<&Layer::input_gradient>("input-gradient"),
    step_key<&Layer::weight_gradient>("weight-gradient"),
    key::time<&Layer::delay>("delay", "0",
                             "time that is added after every collective of the layer; it is never scaled")
        .better(Better::never),
    key::declared<policy, KeyType::other, &Layer::policy>(
        "policy", "required where there is a collective",
        "under `hybrid-customized` only: the layer's own policy")
        .of("policy")
        .trying("model"),
    key::size<&Layer::output>(
        "output", "0",
        "in a [pipeline](#pipelines): what one micro-batch sends on to the next layer, and back"),
};

void check_layer_policy(const InputNode& node, const Layer& layer, Policy table_policy) {
  const InputNode* const written = node.find("policy");
  if (table_policy != Policy::hybrid_customized) {
    if (!written) return;
    throw InputError(written->where,
                     "a layer has a policy of its own only where the workload's is hybrid-customized; "
                     "remove it or change that");
  }
  const bool communicates =
      layer.forward.collective || layer.input_gradient.collective || layer.weight_gradient.collective;
  if (!written && communicates)
    throw InputError(node.where, "under hybrid-customized a layer with collectives needs a `policy`; add it");
  if (layer.policy && !usable_as_layer_policy(*layer.policy))
    throw InputError(written->where, backquoted(written->text) +
                                         " cannot be the policy of a layer; use for example "
                                         "`data` or `model`");
}

struct LayersDraft : LayerTable {
  std::map<std::string, int> index_of;  // by name
  std::vector<LocatedLayer> checkpoint_layers, initiator_layers;
};

void read_layers(const InputNode& node, LayersDraft& draft) {
  for (const InputNode& item : list_of(node, "layers")) {
    Layer layer;
    layer.where = item.where;
    read_map(item, "a layer", layer_keys, layer);
    check_layer_policy(item, layer, draft.policy);
    if (const InputNode* output = item.find("output"); output && !draft.pipeline)
      throw InputError(output->where,
                       "only a pipeline sends outputs to the next layer; give the workload a `pipeline` or "
                       "remove the output");
    if (!draft.index_of.emplace(layer.name, static_cast<int>(draft.layers.size())).second)
      throw InputError(item.find("name")->where,
                       "there are two layers " + backquoted(layer.name) + "; rename one");
    draft.layers.push_back(std::move(layer));
  }
}

// Finds a layer by name or by index.
LocatedLayer layer_of(const InputNode& node, std::string_view key, const LayersDraft& draft) {
  const std::string& text = scalar_of(node, key);
  if (const auto named = draft.index_of.find(text); named != draft.index_of.end())
    return {named->second, node.where};
  const auto index = parse_signed(text);
  if (index && *index >= 0 && *index < static_cast<std::int64_t>(draft.layers.size()))
    return {static_cast<int>(*index), node.where};
  throw InputError(node.where,
                   fmt::format("there is no layer {}; give a layer's name or its index, from 0 to {}",
                               backquoted(text), draft.layers.size() - 1));
}

std::vector<LocatedLayer> layers_of(const InputNode& node, std::string_view key, const LayersDraft& draft) {
  std::vector<LocatedLayer> layers;
  for (const InputNode& item : list_of(node, key)) layers.push_back(layer_of(item, key, draft));
  return layers;
}

// Refuses a key that the workload's policy has no use for.
void require_policy(const InputNode& node, std::string_view key, const LayersDraft& draft, Policy one,
                    Policy other) {
  if (draft.policy == one || draft.policy == other) return;
  throw InputError(node.where, fmt::format("`{}` means nothing under the policy {}; remove it", key,
                                           text_of(draft.policy)));
}

void read_group(const InputNode& node, LayersDraft& draft) {
  constexpr auto key = "model-parallel-group";
  require_policy(node, key, draft, Policy::hybrid_transformer, Policy::hybrid_transformer_fwd_in_bckwd);
  draft.model_parallel_group = int_of(node, key, 1, 1 << 27);
  draft.group_where = node.where;
}

void read_last_bottom_layer(const InputNode& node, LayersDraft& draft) {
  constexpr auto key = "last-bottom-layer";
  require_policy(node, key, draft, Policy::hybrid_dlrm, Policy::hybrid_dlrm_enhanced);
  draft.last_bottom_layer = layer_of(node, key, draft).index;
}

template <std::vector<LocatedLayer> LayersDraft::*list>
void read_recomputation(const InputNode& node, LayersDraft& draft) {
  constexpr auto policy = Policy::hybrid_transformer_fwd_in_bckwd;
  require_policy(node, "checkpoints` and `recompute-at", draft, policy, policy);
  draft.*list = layers_of(node, "layers", draft);
}

void read_pipeline(const InputNode& node, LayersDraft& draft) {
  require_policy(node, "pipeline", draft, Policy::data, Policy::data);
  draft.pipeline = read_yaml_pipeline(node);
}

constexpr Key<LayersDraft> table_keys[] = {
    key::declared<policy, KeyType::other, &LayersDraft::policy>("policy", "`data`",
                                                                "how training is spread over the NPUs")
        .of("the [policy words](#training-policies) in lower case with hyphens, such as `hybrid-data-model`")
        .trying("model"),
    key::custom<read_pipeline>("pipeline", "map", "none",
                               "the layers are spread over stages, which work on micro-batches one after the "
                               "other; for models and layers under the policy `data`")
        .above(yaml_pipeline_keys),
    key::custom<read_layers>("layers", "list", "", "the layers, in forward order")
        .above(keys_of_list<layer_keys>),
    key::custom<read_group>(
        "model-parallel-group", "1 to 2²⁷", "1",
        "`hybrid-transformer`, `hybrid-transformer-fwd-in-bckwd`: NPUs that share a layer")
        .trying("2"),
    key::custom<read_recomputation<&LayersDraft::checkpoint_layers>>(
        "checkpoints", "list of layers", "none",
        "`hybrid-transformer-fwd-in-bckwd`: layers at which a recomputation can start")
        .trying("[b]"),
    key::custom<read_recomputation<&LayersDraft::initiator_layers>>(
        "recompute-at", "list of layers", "none",
        "`hybrid-transformer-fwd-in-bckwd`: layers at which the backward pass asks for a recomputation, each "
        "above a checkpoint")
        .trying("[b]"),
    key::custom<read_last_bottom_layer>(
        "last-bottom-layer", "layer", "the first",
        "`hybrid-dlrm`, `hybrid-dlrm-enhanced`: layer that waits for the embedding exchange")
        .trying("c"),
};

std::vector<int> indices(const std::vector<LocatedLayer>& layers) {
  std::vector<int> out;
  for (const LocatedLayer& layer : layers) out.push_back(layer.index);
  return out;
}

}  // namespace

LayerTable read_yaml_layers(const InputNode& workload) {
  LayersDraft draft;
  draft.where = workload.where;
  std::vector<std::string_view> known = yaml_data_parallel_words();
  std::ranges::copy(names_of(table_keys), std::back_inserter(known));
  require_map_of(workload, "a workload", known);
  read_known_keys(workload, table_keys, draft);
  check_recomputation(draft.checkpoint_layers, draft.initiator_layers);
  draft.checkpoints = indices(draft.checkpoint_layers);
  draft.initiators = indices(draft.initiator_layers);
  return std::move(static_cast<LayerTable&>(draft));
}

std::vector<KeyPath> yaml_layers_keys() {
  return keys_of_map<table_keys>();
}

}  // namespace orrery::core
