#include "study/yaml_layers.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "base/token_reader.hpp"
#include "base/yaml_reader.hpp"
#include "collective/collective_words.hpp"
#include "study/yaml_data_parallel.hpp"
#include "study/yaml_pipeline.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/astra1/recomputation_check.hpp"

namespace orrery {
namespace {

using Policy = TrainingPolicy;

std::string in_lower_case(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Policy policy_of(const YamlNode& node) {
  std::vector<std::string> words;
  for (const std::string_view word : training_policy_words()) {
    words.push_back(in_lower_case(word));
    if (words.back() == scalar_of(node, "policy")) return *training_policy_from(word);
  }
  reject_word(node, "policy", std::vector<std::string_view>(words.begin(), words.end()));
}

constexpr YamlKey<LayerStep> step_keys[] = {
    {"compute", [](const YamlNode& v, LayerStep& s) { s.compute = time_of(v, "compute"); }},
    {"collective",
     [](const YamlNode& v, LayerStep& s) {
       s.collective = word_value_of(v, "collective", collective_kind_words);
     }},
    {"size", [](const YamlNode& v, LayerStep& s) { s.size = bytes_of(v, "size"); }},
};

template <LayerStep Layer::*member>
void read_step(const YamlNode& node, Layer& layer) {
  LayerStep& step = layer.*member;
  read_map(node, "a layer's step", step_keys, step);
  if (step.collective && step.size == Bytes())
    throw InputError(node.where, "a collective needs a `size` above zero; add it or remove the collective");
  if (const YamlNode* size = node.find("size"); size && !step.collective)
    throw InputError(size->where, "a `size` needs a `collective`; add it or remove the size");
}

std::vector<std::string> step_paths() {
  return key_paths(".", step_keys);
}

void read_layer_name(const YamlNode& node, Layer& layer) {
  layer.name = label_of(node, "name");
  const auto unfit = [](unsigned char c) { return c == ' ' || c == ',' || c == '"'; };
  if (std::any_of(layer.name.begin(), layer.name.end(), unfit))
    throw InputError(node.where,
                     "a layer's name must not hold blanks, commas or quotes, which the reports "
                     "could not show; rename it");
}

constexpr YamlKey<Layer> layer_keys[] = {
    {"name", read_layer_name},
    {"forward", read_step<&Layer::forward>, step_paths},
    {"input-gradient", read_step<&Layer::input_gradient>, step_paths},
    {"weight-gradient", read_step<&Layer::weight_gradient>, step_paths},
    {"delay", [](const YamlNode& v, Layer& l) { l.delay = time_of(v, "delay"); }},
    {"policy", [](const YamlNode& v, Layer& l) { l.policy = policy_of(v); }},
    {"output", [](const YamlNode& v, Layer& l) { l.output = bytes_of(v, "output"); }},
};

void check_layer_policy(const YamlNode& node, const Layer& layer, Policy table_policy) {
  const YamlNode* const written = node.find("policy");
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

struct LayersDraft {
  LayerTable table;
  std::map<std::string, int> index_of;  // by name
  std::vector<LocatedLayer> checkpoints, initiators;
};

void read_layers(const YamlNode& node, LayersDraft& draft) {
  for (const YamlNode& item : list_of(node, "layers")) {
    Layer layer;
    layer.where = item.where;
    read_map(item, "a layer", layer_keys, layer);
    const YamlNode& name = required(item, "a layer", "name");
    check_layer_policy(item, layer, draft.table.policy);
    if (const YamlNode* output = item.find("output"); output && !draft.table.pipeline)
      throw InputError(output->where,
                       "only a pipeline sends outputs to the next layer; give the workload a `pipeline` or "
                       "remove the output");
    if (!draft.index_of.emplace(layer.name, static_cast<int>(draft.table.layers.size())).second)
      throw InputError(name.where, "there are two layers " + backquoted(layer.name) + "; rename one");
    draft.table.layers.push_back(std::move(layer));
  }
}

// A layer by name or by index.
LocatedLayer layer_of(const YamlNode& node, std::string_view key, const LayersDraft& draft) {
  const std::string& text = scalar_of(node, key);
  if (const auto named = draft.index_of.find(text); named != draft.index_of.end())
    return {named->second, node.where};
  const auto index = parse_signed(text);
  if (index && *index >= 0 && *index < static_cast<std::int64_t>(draft.table.layers.size()))
    return {static_cast<int>(*index), node.where};
  throw InputError(node.where,
                   fmt::format("there is no layer {}; give a layer's name or its index, from 0 to {}",
                               backquoted(text), draft.table.layers.size() - 1));
}

std::vector<LocatedLayer> layers_of(const YamlNode& node, std::string_view key, const LayersDraft& draft) {
  std::vector<LocatedLayer> layers;
  for (const YamlNode& item : list_of(node, key)) layers.push_back(layer_of(item, key, draft));
  return layers;
}

// Refuses a key that the workload's policy has no use for.
void require_policy(const YamlNode& node, std::string_view key, const LayersDraft& draft, Policy one,
                    Policy other) {
  if (draft.table.policy == one || draft.table.policy == other) return;
  throw InputError(node.where, fmt::format("`{}` means nothing under the policy {}; remove it", key,
                                           in_lower_case(name_of(draft.table.policy))));
}

void read_group(const YamlNode& node, LayersDraft& draft) {
  constexpr auto key = "model-parallel-group";
  require_policy(node, key, draft, Policy::hybrid_transformer, Policy::hybrid_transformer_fwd_in_bckwd);
  draft.table.model_parallel_group = int_of(node, key, 1, 1 << 27);
  draft.table.group_where = node.where;
}

void read_last_bottom_layer(const YamlNode& node, LayersDraft& draft) {
  constexpr auto key = "last-bottom-layer";
  require_policy(node, key, draft, Policy::hybrid_dlrm, Policy::hybrid_dlrm_enhanced);
  draft.table.last_bottom_layer = layer_of(node, key, draft).index;
}

template <std::vector<LocatedLayer> LayersDraft::*list>
void read_recomputation(const YamlNode& node, LayersDraft& draft) {
  constexpr auto policy = Policy::hybrid_transformer_fwd_in_bckwd;
  require_policy(node, "checkpoints` and `recompute-at", draft, policy, policy);
  draft.*list = layers_of(node, "layers", draft);
}

void read_pipeline(const YamlNode& node, LayersDraft& draft) {
  require_policy(node, "pipeline", draft, Policy::data, Policy::data);
  draft.table.pipeline = read_yaml_pipeline(node);
}

// A key may depend on those above it.
constexpr YamlKey<LayersDraft> table_keys[] = {
    {"policy", [](const YamlNode& v, LayersDraft& d) { d.table.policy = policy_of(v); }},
    {"pipeline", read_pipeline, yaml_pipeline_keys},
    {"layers", read_layers, [] { return key_paths("[].", layer_keys); }},
    {"model-parallel-group", read_group},
    {"checkpoints", read_recomputation<&LayersDraft::checkpoints>},
    {"recompute-at", read_recomputation<&LayersDraft::initiators>},
    {"last-bottom-layer", read_last_bottom_layer},
};

std::vector<std::string_view> workload_keys() {
  std::vector<std::string_view> keys = yaml_data_parallel_words();
  for (const auto& key : table_keys) keys.push_back(key.name);
  return keys;
}

std::vector<int> indices(const std::vector<LocatedLayer>& layers) {
  std::vector<int> out;
  for (const LocatedLayer& layer : layers) out.push_back(layer.index);
  return out;
}

}  // namespace

LayerTable read_yaml_layers(const YamlNode& workload) {
  LayersDraft draft;
  draft.table.where = workload.where;
  require_map_of(workload, "a workload", workload_keys());
  for (const auto& key : table_keys)
    if (const YamlNode* value = workload.find(key.name)) key.read(*value, draft);
  check_recomputation(draft.checkpoints, draft.initiators);
  draft.table.checkpoints = indices(draft.checkpoints);
  draft.table.initiators = indices(draft.initiators);
  return std::move(draft.table);
}

std::vector<std::string> yaml_layers_keys() {
  return key_paths(".", table_keys);
}

}  // namespace orrery
