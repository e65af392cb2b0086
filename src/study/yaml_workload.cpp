#include "study/yaml_workload.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"
#include "study/yaml_data_parallel.hpp"
#include "study/yaml_layers.hpp"
#include "study/yaml_pipeline.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_layer_table.hpp"

namespace orrery {
namespace {

constexpr int largest_option = 1 << 24;

std::vector<std::string_view> model_keys(const std::vector<std::string>& parameters) {
  std::vector<std::string_view> keys{"model", "peak", "datatype", "pipeline"};
  for (const std::string_view word : yaml_data_parallel_words()) keys.push_back(word);
  keys.insert(keys.end(), parameters.begin(), parameters.end());
  keys.push_back("bytes-per-element");
  return keys;
}

ModelFile model_file_of(const YamlNode& model, const std::filesystem::path& folder, const FileLoader& load) {
  const std::string& text = scalar_of(model, "model");
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

void check_pipeline(const LayerTable& table, const PipelineOptions& pipeline) {
  if (table.policy != TrainingPolicy::data)
    throw InputError(pipeline.where,
                     "only models that are trained data parallel can be cut into stages; leave the "
                     "pipeline out");
  for (std::size_t i = 0; i + 1 < table.layers.size(); ++i) {
    if (table.layers[i].output == Bytes())
      throw InputError(
          pipeline.where,
          "the model does not say the shape of what layer " + backquoted(table.layers[i].name) +
              " gives to the next one; leave the pipeline out or describe its layers by their shapes");
  }
}

LayerTable table_of_model(const YamlNode& workload, const ModelFile& file, const ComputeModel* device) {
  const std::vector<std::string> parameters = parameters_of_model_file(file.text, file.name);
  require_map_of(workload, "a workload", model_keys(parameters));
  LayerTableOptions options;
  options.where = workload.where;
  const YamlNode* peak = workload.find("peak");
  if (peak) options.flops_per_second = flops_of(*peak, "peak");
  if (device && peak) throw InputError(peak->where, "the run has a `device`, leave `peak` out");
  options.device = device;
  if (const YamlNode* type = workload.find("datatype")) {
    if (!device) throw InputError(type->where, "`datatype` is of a `device`, which the run does not have");
    options.type = word_value_of(*type, "datatype", datatype_words);
  }
  if (device) options.bytes_per_element = static_cast<int>(std::ceil(bytes_of(options.type)));
  if (const YamlNode* bytes = workload.find("bytes-per-element"))
    options.bytes_per_element = int_of(*bytes, "bytes-per-element", 1, largest_option);
  std::vector<ParameterChoice> choices;
  for (const std::string& name : parameters) {
    const YamlNode* node = workload.find(name);
    if (!node) continue;
    const auto value = parse_unsigned(scalar_of(*node, name));
    if (!value) reject_value(*node, name, "a whole number");
    choices.push_back({name, *value, node->where});
  }
  const YamlNode* pipeline = workload.find("pipeline");
  if (!pipeline) return layer_table_of(read_neural_network(file.text, file.name, choices), options);
  const PipelineOptions how = read_yaml_pipeline(*pipeline);
  cut_batch(choices, how);
  LayerTable table = layer_table_of(read_neural_network(file.text, file.name, choices), options);
  check_pipeline(table, how);
  table.pipeline = how;
  return table;
}

}  // namespace

LayerTable read_yaml_workload(const YamlNode& workload, const std::filesystem::path& folder,
                              const ComputeModel* device, const FileLoader& load) {
  require_map(workload, "a workload");
  const YamlNode* model = workload.find("model");
  if (!model && !workload.find("layers"))
    throw InputError(workload.where, "a workload needs the key `model` or the key `layers`");
  if (!model && device)
    throw InputError(workload.where, "layers say their times, leave the run's `device` out");
  LayerTable table = model ? table_of_model(workload, model_file_of(*model, folder, load), device)
                           : read_yaml_layers(workload);
  read_yaml_data_parallel(workload, table);
  return table;
}

std::vector<std::string> yaml_workload_keys() {
  std::vector<std::string> paths = yaml_layers_keys();
  const auto add = [&](const std::string& path) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  for (const std::string_view word : model_words()) {
    const ModelFile file = find_model_file(std::string(word), {});
    const std::vector<std::string> parameters = parameters_of_model_file(file.text, file.name);
    for (const std::string_view key : model_keys(parameters)) add("." + std::string(key));
  }
  for (const std::string& path : yaml_pipeline_keys()) add(".pipeline" + path);
  for (const std::string& path : yaml_data_parallel_keys()) add(path);
  return paths;
}

}  // namespace orrery
