#include "study/workloads/layer_table/yaml_workload.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/files/embedded_file.hpp"
#include "base/input/keys.hpp"
#include "base/text/token_reader.hpp"
#include "study/workloads/layer_table/yaml_data_parallel.hpp"
#include "study/workloads/layer_table/yaml_layers.hpp"
#include "study/workloads/yaml_sparsity.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery::core {
namespace {

constexpr int largest_option = 1 << 24;
constexpr int highest_sharding = 2;  // what stage 3 gathers again and again is not in layer tables

struct ModelDraft : Training {
  const InputNode *model = nullptr, *strategies = nullptr, *memory = nullptr, *pipeline_node = nullptr,
                  *sparsity_node = nullptr;
};

constexpr Key<ModelDraft> model_keys[] = {
    key::kept<&ModelDraft::model>(
        "model", "[a model's name](#model-files) or the path of a model file", "",
        "layers with their shapes; a path has a slash or ends in .yaml or .yml, and is "
        "relative to the experiment")
        .trying("vgg16|gpt3-1.3b"),
    key::rate<&ModelDraft::flops_per_second>("peak", "required without `device`", "compute rate of one NPU")
        .hardware(),
    key::word<datatype_words, &ModelDraft::type>(
        "datatype", "`fp16`, or `bf16` where the device has no fp16",
        "with `device`: number format of weights and activations; one of less than 16 bits is that of "
        "[products with weights](#formats-of-less-than-16-bits) alone"),
    key::kept<&ModelDraft::sparsity_node>("sparsity", "map", "none",
                                          "with `device`: [zeros](#zeros) in products with weights")
        .above(yaml_sparsity_keys),
    key::kept<&ModelDraft::pipeline_node>("pipeline", "map", "none", "").above(yaml_pipeline_keys),
    key::word<strategy_words, &ModelDraft::policy>("strategy", "as the model says, mostly `data`",
                                                   "[how NPUs share the model](#strategies)"),
    key::kept<&ModelDraft::strategies>("strategies", "CSV file", "required under `hybrid-customized`",
                                       "[each layer's strategy](#models), relative to the experiment"),
    key::kept<&ModelDraft::memory>(
        "memory", "`generic`, `mxnet-dgx1`, file", "`generic`",
        "with `device`: [memory file](#memory-files) that says what the framework keeps in [memory](#memory)")
        .trying("mxnet-dgx1"),
    key::word<optimizer_words, &ModelDraft::optimizer>(
        "optimizer", "momentum", "with `device`: optimizer, which decides what is kept for every parameter"),
    key::integer<&ModelDraft::sharding>(
        "sharding", 0, highest_sharding, "0",
        "with `device`: 1: the optimizer's state is spread over the NPUs that "
        "hold the same parameters (ZeRO); 2: gradients, too. Of memory alone: "
        "what these stages send is what a ring's all-reduce sends"),
    key::boolean<&ModelDraft::forward_only>("inference", "false",
                                            "with `device`: whether the network is [used and not "
                                            "trained](#inference-of-models), so that only the forward "
                                            "pass is computed")
        .better(Better::never),
    key::integer<&ModelDraft::bytes_per_element>("bytes-per-element", 1, largest_option,
                                                 "2; with `device`, of the datatype",
                                                 "bytes of an element of weights, activations and gradients"),
};

FoundFile model_file_of(const InputNode& model, const std::filesystem::path& folder, const FileLoader& load) {
  const std::string& text = scalar_of(model, "model");
  if (embedded_file("transformers/" + text + ".yaml"))
    throw InputError(model.where, backquoted(text) +
                                      " is a transformer, which trains on a `platform`; name one, such as "
                                      "`platform: dgx-h100`, in place of `network`, `system` and `device`");
  return find_model_file(is_path(text) ? (folder / text).string() : text, model.where, load);
}

// A layer's times are those of one micro-batch.
void cut_batch(std::vector<ParameterChoice>& choices, const PipelineOptions& pipeline) {
  const auto batch = std::find_if(choices.begin(), choices.end(),
                                  [](const ParameterChoice& choice) { return choice.name == "batch"; });
  const auto micro_batches = static_cast<std::uint64_t>(pipeline.micro_batches);
  if (batch == choices.end())
    throw InputError(pipeline.where,
                     "a pipeline needs the workload's key `batch`: the samples of all micro-batches");
  if (batch->value % micro_batches != 0 || batch->value == 0) {
    const std::uint64_t below = batch->value / micro_batches * micro_batches;
    throw InputError(
        batch->where,
        fmt::format("a batch of {} cannot be cut into {} equal micro-batches, use {}{}", batch->value,
                    micro_batches, below > 0 ? fmt::format("{} or ", below) : "", below + micro_batches));
  }
  batch->value /= micro_batches;
}

// Reads the strategies of single layers, which are needed with hybrid_customized and not allowed otherwise.
void read_strategies(const WorkloadContext& context, const FileLoader& load, ModelDraft& draft,
                     Warnings& warnings) {
  const bool customized = draft.policy == TrainingPolicy::hybrid_customized;
  if (!draft.strategies && customized)
    throw InputError(draft.policy_where,
                     "the layers' own strategies are missing, name their file with `strategies`");
  if (!draft.strategies) return;
  if (!customized)
    throw InputError(draft.strategies->where,
                     "`strategies` are those of the layers under `strategy: hybrid-customized`; "
                     "write that, or leave them out");
  const std::string path = (context.folder / scalar_of(*draft.strategies, "strategies")).string();
  draft.layers = read_layer_strategies(load(path), path, warnings);
}

void read_memory(const WorkloadContext& context, ModelDraft& draft) {
  if (!draft.memory) return;
  const std::string& text = scalar_of(*draft.memory, "memory");
  draft.memory_profile = is_path(text) ? (context.folder / text).string() : text;
  draft.memory_where = draft.memory->where;
}

// Refuses keys that only devices give a meaning if there is no device, and keys whose values the device
// gives.
void check_device_keys(const InputNode& workload, bool has_device) {
  if (const InputNode* peak = workload.find("peak"); peak && has_device)
    throw InputError(peak->where, "the run has a `device`, leave `peak` out");
  if (has_device) return;
  if (const InputNode* type = workload.find("datatype"))
    throw InputError(type->where, "`datatype` is of a `device`, which the run does not have");
  if (const InputNode* sparsity = workload.find("sparsity"))
    throw InputError(sparsity->where, "what zeros save depends on a `device`, which the run does not have");
  if (const InputNode* inference = workload.find("inference"))
    throw InputError(inference->where, "inference is computed on a `device`, which the run does not have");
  for (const char* key : {"memory", "optimizer", "sharding"})
    if (const InputNode* node = workload.find(key))
      throw InputError(
          node->where,
          fmt::format("`{}` is about the memory of a `device`, which the run does not have", key));
}

// Refuses keys that only training has a use for.
void refuse_training_keys(const InputNode& workload) {
  std::vector<std::string_view> keys = yaml_data_parallel_words();
  keys.insert(keys.end(), {"pipeline", "optimizer", "sharding", "bytes-per-element"});
  for (const std::string_view key : keys)
    if (const InputNode* node = workload.find(key))
      throw InputError(node->where,
                       fmt::format("`{}` is about training; leave it out, or leave `inference` out", key));
}

// Describes whatever parameters a model's file declares.
constexpr KeyFacts parameter_facts{
    "", "the model's",     "a parameter of the model", KeyType::integer, 1, largest_option, nullptr, nullptr,
    {}, "1|2|64|1024|9216"};

std::vector<ParameterChoice> choices_of(const InputNode& workload,
                                        const std::vector<std::string>& parameters) {
  std::vector<ParameterChoice> choices;
  for (const std::string& name : parameters) {
    const InputNode* node = workload.find(name);
    if (!node) continue;
    const auto value = parse_unsigned(scalar_of(*node, name));
    if (!value) reject_value(*node, name, "a whole number");
    choices.push_back({name, *value, node->where});
  }
  return choices;
}

TrainedModel trained_model(const InputNode& workload, const WorkloadContext& context, const FileLoader& load,
                           Warnings& warnings) {
  const InputNode& model = *workload.find("model");
  const FoundFile file = model_file_of(model, context.folder, load);
  const std::vector<std::string> parameters =
      is_path(model.text) ? parameters_of_model_file(file.text, file.name) : model_parameters(model.text);
  std::vector<std::string_view> known = names_of(model_keys);
  std::vector<std::string_view> others = yaml_data_parallel_words();
  others.insert(others.end(), parameters.begin(), parameters.end());
  known.insert(known.end() - 1, others.begin(), others.end());
  require_map_of(workload, "a workload", known);
  const auto place_of = [&](std::string_view key, const InputNode& otherwise) {
    const InputNode* node = workload.find(key);
    return (node ? *node : otherwise).where;
  };
  ModelDraft draft;
  draft.where = workload.where;
  draft.device = context.device;
  draft.machine = context.machine;
  draft.policy_where = place_of("strategy", workload);
  draft.type_where = place_of("datatype", workload);
  draft.batch_where = place_of("batch", model);
  check_device_keys(workload, context.device != nullptr);
  read_known_keys(workload, model_keys, draft);
  if (draft.forward_only) refuse_training_keys(workload);
  read_strategies(context, load, draft, warnings);
  read_memory(context, draft);
  if (draft.sparsity_node)
    draft.sparsity = read_yaml_sparsity(*draft.sparsity_node, context.device->facts, warnings);
  std::vector<ParameterChoice> choices = choices_of(workload, parameters);
  if (draft.pipeline_node) {
    draft.pipeline = read_yaml_pipeline(*draft.pipeline_node);
    draft.stages = pipeline_stages(*draft.pipeline, *context.topology).size;
    cut_batch(choices, *draft.pipeline);
  }
  return train(read_neural_network(file.text, file.name, choices), draft, warnings, load);
}

}  // namespace

TrainedModel read_yaml_workload(const InputNode& workload, const WorkloadContext& context, Warnings& warnings,
                                const FileLoader& load) {
  require_map(workload, "a workload");
  const InputNode* model = workload.find("model");
  if (!model && !workload.find("layers"))
    throw InputError(workload.where, "a workload needs the key `model` or the key `layers`");
  if (!model && context.device)
    throw InputError(workload.where, "layers say their times, leave the run's `device` out");
  TrainedModel trained = model ? trained_model(workload, context, load, warnings)
                               : TrainedModel{read_yaml_layers(workload), {}, {}};
  read_yaml_data_parallel(workload, trained.table);
  return trained;
}

std::vector<KeyPath> yaml_model_keys() {
  return keys_of_map<model_keys>();
}

std::vector<KeyPath> yaml_workload_keys() {
  std::vector<KeyPath> paths = yaml_model_keys();
  const auto add = [&](const std::vector<KeyPath>& more) {
    for (const KeyPath& path : more)
      if (std::ranges::find(paths, path.path, &KeyPath::path) == paths.end()) paths.push_back(path);
  };
  add(yaml_layers_keys());
  add(yaml_data_parallel_keys());
  for (const std::string_view word : model_words())
    for (const std::string& parameter : model_parameters(word)) add({{"." + parameter, &parameter_facts}});
  return paths;
}

}  // namespace orrery::core
