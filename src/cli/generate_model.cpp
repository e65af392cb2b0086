#include "cli/generate_model.hpp"

#include "base/file.hpp"
#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "cli/flag_values.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery {

namespace {

constexpr int highest_sharding = 2;

template <class Table>
auto value_of_flag(const Table& table, const std::string& word, const char* flag) {
  const auto value = value_of(table, word);
  if (value) return *value;
  const auto words = words_of(table);
  const std::string hint = suggestion(word, words);
  throw InputError(
      {flag}, "unknown word " + backquoted(word) + (hint.empty() ? ", use " + alternatives(words) : hint));
}

std::vector<ParameterChoice> choices_of(const ModelFlags& flags) {
  std::vector<ParameterChoice> choices;
  if (flags.batch) choices.push_back({"batch", static_cast<std::uint64_t>(*flags.batch), {"--batch"}});
  for (const std::string& text : flags.parameters) {
    const std::size_t equals = text.find('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : parse_unsigned(std::string_view(text).substr(equals + 1));
    if (!value)
      throw InputError({"--set"}, backquoted(text) +
                                      " is no parameter of a model, write NAME=VALUE with a whole "
                                      "number such as image-size=128");
    choices.push_back({text.substr(0, equals), *value, {"--set"}});
  }
  return choices;
}

void read_strategy(const ModelFlags& flags, Training& training, Warnings& warnings) {
  training.policy_where = {"--strategy"};
  if (!flags.strategy.empty()) training.policy = value_of_flag(strategy_words, flags.strategy, "--strategy");
  const bool customized = training.policy == TrainingPolicy::hybrid_customized;
  if (customized == flags.strategies.empty())
    throw InputError({"--strategies"}, customized ? "missing, name the file of the layers' strategies"
                                                  : "is for --strategy=hybrid-customized only, remove it");
  if (customized)
    training.layers = read_layer_strategies(read_text_file(flags.strategies), flags.strategies, warnings);
}

}  // namespace

void ModelFlags::add_to(CLI::App& command) {
  command.add_option("--model", model, "A model of `orrery list models`, or a model file");
  options_ = {
      command.add_option("--device", device, "A device of `orrery list devices`, or a device file"),
      command.add_option(
          "--strategy", strategy,
          "data, model, hybrid-data-model, hybrid-model-data or hybrid-customized (default: as the "
          "model says)"),
      command.add_option("--strategies", strategies,
                         "Under hybrid-customized: each layer's strategy, a line layer,strategy (CSV)"),
      command.add_option("--batch", batch, "Samples of a data-parallel share (default: as the model says)"),
      command.add_option("--datatype", datatype,
                         "Number format (default: fp16, or bf16 where the device has no fp16)"),
      command.add_option("--set", parameters, "A parameter of the model: NAME=VALUE, repeatable")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
      command.add_option("--memory", memory,
                         "What the framework keeps: generic, mxnet-dgx1 or a memory file"),
      command.add_option("--optimizer", optimizer, "sgd, momentum or adam (default: momentum)"),
      command.add_option(
          "--sharding", sharding,
          "1: the optimizer's state is spread over the data-parallel NPUs; 2: gradients, too")};
  add_allow_out_of_memory(command, allow_out_of_memory);
  options_.push_back(command.get_option("--allow-oom"));
}

std::string ModelFlags::first_given() const {
  for (const CLI::Option* option : options_)
    if (option->count() > 0) return "--" + option->get_lnames().front();
  return {};
}

TrainedModel train(const ModelFlags& flags, const SplitMachine& machine, Warnings& warnings) {
  if (flags.device.empty())
    throw InputError({"--device"}, "missing, name what computes the model, such as v100");
  if (flags.batch && *flags.batch < 1)
    throw InputError({"--batch"}, "is " + std::to_string(*flags.batch) + ", choose at least 1");
  const ComputingDevice device = find_computing_device(flags.device, {"--device"});
  Training training;
  training.where = {"--model"};
  training.batch_where = {flags.batch ? "--batch" : "--model"};
  training.machine = machine;
  training.device = &device;
  if (!flags.datatype.empty()) training.type = value_of_flag(datatype_words, flags.datatype, "--datatype");
  if (!flags.memory.empty()) training.memory_profile = flags.memory;
  training.memory_where = {"--memory"};
  training.type_where = {"--datatype"};
  training.optimizer = value_of_flag(optimizer_words, flags.optimizer, "--optimizer");
  training.sharding = checked(flags.sharding, 0, highest_sharding, "--sharding");
  read_strategy(flags, training, warnings);
  TrainedModel trained = train(find_model(flags.model, {"--model"}, choices_of(flags)), training, warnings);
  require_memory(*trained.memory, flags.allow_out_of_memory, warnings);
  return trained;
}

}  // namespace orrery
