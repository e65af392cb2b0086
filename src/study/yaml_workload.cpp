#include "study/yaml_workload.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/embedded_file.hpp"
#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"
#include "study/yaml_data_parallel.hpp"
#include "study/yaml_layers.hpp"
#include "study/yaml_pipeline.hpp"
#include "study/yaml_training.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery {
namespace {

constexpr int largest_option = 1 << 24;

std::vector<std::string_view> model_keys(const std::vector<std::string>& parameters) {
  std::vector<std::string_view> keys{"model", "peak", "datatype", "pipeline"};
  keys.insert(keys.end(), yaml_training_keys().begin(), yaml_training_keys().end());
  for (const std::string_view word : yaml_data_parallel_words()) keys.push_back(word);
  keys.insert(keys.end(), parameters.begin(), parameters.end());
  keys.push_back("bytes-per-element");
  return keys;
}

ModelFile model_file_of(const YamlNode& model, const std::filesystem::path& folder, const FileLoader& load) {
  const std::string& text = scalar_of(model, "model");
  if (embedded_file("transformers/" + text + ".yaml"))
    throw InputError(model.where, backquoted(text) +
                                      " is a transformer, which trains on a `platform`; name one, such as "
                                      "`platform: dgx-h100`, in place of `network`, `system` and `device`");
  return find_model_file(
      is_model_path(text) ? (folder / text).string() : text, model.where, [&](const std::string& path) {
        try {
          return load(path);
        } catch (const InputError& error) {
          throw InputError(model.where, std::string("no model file that can be read: ") + error.what());
        }
      });
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

TrainedModel trained_model(const YamlNode& workload, const WorkloadContext& context, const FileLoader& load,
                           Warnings& warnings) {
  const YamlNode& model = *workload.find("model");
  const ModelFile file = model_file_of(model, context.folder, load);
  const std::vector<std::string> parameters = is_model_path(model.text)
                                                  ? parameters_of_model_file(file.text, file.name)
                                                  : model_parameters(model.text);
  require_map_of(workload, "a workload", model_keys(parameters));
  Training training;
  training.where = workload.where;
  training.device = context.device;
  training.machine = context.machine;
  const YamlNode* peak = workload.find("peak");
  if (peak) training.flops_per_second = flops_of(*peak, "peak");
  if (training.device && peak) throw InputError(peak->where, "the run has a `device`, leave `peak` out");
  if (const YamlNode* type = workload.find("datatype")) {
    if (!training.device)
      throw InputError(type->where, "`datatype` is of a `device`, which the run does not have");
    training.type = word_value_of(*type, "datatype", datatype_words);
    training.type_where = type->where;
  }
  if (const YamlNode* bytes = workload.find("bytes-per-element"))
    training.bytes_per_element = int_of(*bytes, "bytes-per-element", 1, largest_option);
  read_yaml_training(workload, context.folder, load, training, warnings);
  std::vector<ParameterChoice> choices;
  for (const std::string& name : parameters) {
    const YamlNode* node = workload.find(name);
    if (!node) continue;
    const auto value = parse_unsigned(scalar_of(*node, name));
    if (!value) reject_value(*node, name, "a whole number");
    choices.push_back({name, *value, node->where});
  }
  if (const YamlNode* pipeline = workload.find("pipeline")) {
    training.pipeline = read_yaml_pipeline(*pipeline);
    training.stages = pipeline_stages(*training.pipeline, *context.topology).size;
    cut_batch(choices, *training.pipeline);
  }
  return train(read_neural_network(file.text, file.name, choices), training, warnings);
}

}  // namespace

TrainedModel read_yaml_workload(const YamlNode& workload, const WorkloadContext& context, Warnings& warnings,
                                const FileLoader& load) {
  require_map(workload, "a workload");
  const YamlNode* model = workload.find("model");
  if (!model && !workload.find("layers"))
    throw InputError(workload.where, "a workload needs the key `model` or the key `layers`");
  if (!model && context.device)
    throw InputError(workload.where, "layers say their times, leave the run's `device` out");
  TrainedModel trained =
      model ? trained_model(workload, context, load, warnings) : TrainedModel{read_yaml_layers(workload), {}};
  read_yaml_data_parallel(workload, trained.table);
  return trained;
}

std::vector<std::string> yaml_workload_keys() {
  std::vector<std::string> paths = yaml_layers_keys();
  const auto add = [&](const std::string& path) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  for (const std::string_view word : model_words()) {
    const std::vector<std::string> parameters = model_parameters(word);
    for (const std::string_view key : model_keys(parameters)) add("." + std::string(key));
  }
  for (const std::string& path : yaml_pipeline_keys()) add(".pipeline" + path);
  for (const std::string& path : yaml_data_parallel_keys()) add(path);
  return paths;
}

}  // namespace orrery
