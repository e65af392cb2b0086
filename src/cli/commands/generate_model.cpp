#include "cli/commands/generate_model.hpp"

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"
#include "cli/flags/flag_values.hpp"
#include "study/workloads/layer_table/yaml_workload.hpp"

namespace orrery::core {

namespace {

void set(InputNode& map, std::string_view key, const std::string& value, const char* flag) {
  if (map.find(key)) throw InputError({flag}, backquoted(key) + " is given twice; remove one");
  map.names.push_back({std::string(key), {flag}});
  map.items.push_back({InputNode::Kind::scalar, value, {}, {}, {flag}});
}

}  // namespace

void ModelFlags::add_to(CLI::App& command) {
  workload_.kind = InputNode::Kind::map;
  workload_.where = {"--model"};
  command.add_option("--model", model, "A model of `orrery list models`, or a model file");
  options_.push_back(
      command.add_option("--device", device, "A device of `orrery list devices`, or a device file"));
  const auto add = [&](const char* flag, std::string_view key, const char* description) {
    options_.push_back(
        command
            .add_option_function<std::string>(
                flag, [this, flag, key](const std::string& value) { set(workload_, key, value, flag); },
                description)
            ->expected(1));
  };
  add("--strategy", "strategy",
      "data, model, hybrid-data-model, hybrid-model-data or hybrid-customized (default: as the model says)");
  add("--strategies", "strategies",
      "Under hybrid-customized: each layer's strategy, a line layer,strategy (CSV)");
  add("--batch", "batch", "Samples of a data-parallel share (default: as the model says)");
  add("--datatype", "datatype", "Number format (default: fp16, or bf16 where the device has no fp16)");
  add("--memory", "memory", "What the framework keeps: generic, mxnet-dgx1 or a memory file");
  add("--optimizer", "optimizer", "sgd, momentum or adam (default: momentum)");
  add("--sharding", "sharding",
      "1: the optimizer's state is spread over the data-parallel NPUs; 2: gradients, too");
  options_.push_back(
      command.add_option("--set", parameters, "A parameter of the model: NAME=VALUE, repeatable")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  add_allow_out_of_memory(command, allow_out_of_memory);
  options_.push_back(command.get_option("--allow-oom"));
}

std::string ModelFlags::first_given() const {
  for (const CLI::Option* option : options_)
    if (option->count() > 0) return "--" + option->get_lnames().front();
  return {};
}

InputNode ModelFlags::workload() const {
  InputNode workload = workload_;
  set(workload, "model", model, "--model");
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || !parse_unsigned(std::string_view(text).substr(equals + 1)))
      throw InputError({"--set"},
                       backquoted(text) +
                           " is no parameter of a model, write NAME=VALUE with a whole number such "
                           "as image-size=128");
    set(workload, text.substr(0, equals), text.substr(equals + 1), "--set");
  }
  return workload;
}

TrainedModel train(const ModelFlags& flags, const SplitMachine& machine, Warnings& warnings,
                   const FileLoader& load) {
  if (flags.device.empty())
    throw InputError({"--device"}, "missing, name what computes the model, such as v100");
  const ComputingDevice device = find_computing_device(flags.device, {"--device"}, load);
  TrainedModel trained =
      read_yaml_workload(flags.workload(), {{}, &device, machine, nullptr}, warnings, load);
  require_memory(*trained.memory, flags.allow_out_of_memory, warnings);
  return trained;
}

}  // namespace orrery::core
