// orrery generate: writes the layer table of a network that is split among NPUs.
#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/files/file_loader.hpp"
#include "base/text/quantity.hpp"
#include "base/text/readable.hpp"
#include "cli/commands.hpp"
#include "cli/commands/generate_model.hpp"
#include "cli/console.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "compute/systolic/systolic_model.hpp"
#include "report/table/table.hpp"
#include "topology/topology_check.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/astra1/layer_table_writer.hpp"
#include "workload/generate/gemm_table.hpp"

namespace orrery::core {

namespace {

struct GenerateOptions {
  const CLI::App* command;
  ModelFlags model;
  std::string mnk;
  std::string parallel = "DATA";
  std::int64_t npus = 8, packages = 1, bytes_per_element = 2;
  std::string config, frequency;
  std::string output = "workload.txt";
  bool compat_astra1 = false;
  std::string run_name, scalesim_path;  // without effect
};

TrainingPolicy policy_of(const std::string& word) {
  const auto policy = value_of(policy_words, word);
  if (policy && (splits_a_layer(*policy) || *policy == TrainingPolicy::hybrid_customized)) return *policy;
  std::vector<std::string_view> known = layer_strategy_words();
  known.push_back(word_of(policy_words, TrainingPolicy::hybrid_customized));
  throw InputError({"--parallel"}, "unknown strategy " + backquoted(word) + ", use " + alternatives(known));
}

SplitMachine machine_of(const GenerateOptions& options) {
  constexpr std::int64_t max_bytes = 1024;
  if (options.npus < 1 || options.npus > max_npus)
    throw InputError({"--npus"}, fmt::format("is {}, choose 1 to {}", options.npus, max_npus));
  if (options.packages < 1 || options.npus % options.packages != 0)
    throw InputError({"--packages"}, fmt::format("{} packages do not divide {} NPUs, choose a divisor",
                                                 options.packages, options.npus));
  if (options.bytes_per_element < 1 || options.bytes_per_element > max_bytes)
    throw InputError({"--datatype_size"},
                     fmt::format("is {}, choose 1 to {} bytes", options.bytes_per_element, max_bytes));
  return {static_cast<std::uint64_t>(options.npus), static_cast<std::uint64_t>(options.packages),
          static_cast<std::uint64_t>(options.bytes_per_element)};
}

SystolicArray array_of(const GenerateOptions& options, Warnings& warnings, const FileLoader& load) {
  SystolicArray array;
  if (!options.config.empty()) array = read_scale_sim_config(load(options.config), options.config, warnings);
  if (!options.frequency.empty() && options.compat_astra1)
    throw InputError({"--frequency"},
                     "is not known to ASTRA-sim 1.0's generator, leave it or --compat-astra1 out");
  if (!options.frequency.empty()) array.frequency = parse_frequency(options.frequency, {"--frequency"});
  return array;
}

void print_summary(const LayerTable& table, const GenerateOptions& options) {
  Time forward, input_gradient, weight_gradient;
  for (const Layer& layer : table.layers) {
    forward = saturated_sum(forward, layer.forward.compute);
    input_gradient = saturated_sum(input_gradient, layer.input_gradient.compute);
    weight_gradient = saturated_sum(weight_gradient, layer.weight_gradient.compute);
  }
  const std::string text =
      fmt::format("{}: {} layers, {} on {} NPUs, compute {} forward, {} input gradient, {} weight gradient",
                  options.output, table.layers.size(), word_of(policy_words, table.policy), options.npus,
                  readable(forward), readable(input_gradient), readable(weight_gradient));
  print(wrapped(text, 2) + "\n");
}

LayerTable table_of_products(const GenerateOptions& options, const SplitMachine& machine, Warnings& warnings,
                             const FileLoader& load) {
  const std::string of_models = options.model.first_given();
  if (!of_models.empty()) throw InputError({of_models}, "is for --model only, leave it or --mnk out");
  GemmTableOptions how;
  how.policy = policy_of(options.parallel);
  how.machine = machine;
  how.compat_astra1 = options.compat_astra1;
  const SystolicModel model(array_of(options, warnings, load));
  const std::vector<MnkLayer> layers = read_mnk_file(
      load(options.mnk), options.mnk, how.policy == TrainingPolicy::hybrid_customized, warnings);
  return gemm_table(layers, model, how, warnings);
}

TrainedModel trained_model(const GenerateOptions& options, const SplitMachine& machine, Warnings& warnings,
                           const FileLoader& load) {
  for (const char* flag :
       {"--parallel", "--datatype_size", "--scalesim_config", "--frequency", "--compat-astra1"})
    if (options.command->count(flag) > 0)
      throw InputError({flag}, "is for --mnk only, leave it or --model out");
  return train(options.model, machine, warnings, load);
}

int generate(const GenerateOptions& options) {
  if (options.mnk.empty() == options.model.model.empty())
    throw InputError({options.mnk.empty() ? "--mnk" : "--model"},
                     options.mnk.empty()
                         ? "missing, name the file of matrix products, or with --model a network"
                         : "cannot be mixed with --mnk, choose one of them");
  Warnings warnings;
  OutputFiles outputs;
  outputs.add_named({"--output"}, options.output);
  const InputLog inputs(InputLog::Holds::paths);
  const SplitMachine machine = machine_of(options);
  TrainedModel trained;
  with_progress("generate", "working out layers", [&] {
    if (options.mnk.empty())
      trained = trained_model(options, machine, warnings, inputs);
    else
      trained.table = table_of_products(options, machine, warnings, inputs);
  });
  outputs.refuse_inputs(inputs);
  write_output(options.output, options.compat_astra1 ? write_as_astra1_generator(trained.table)
                                                     : write_layer_table(trained.table));
  print_warnings(warnings);
  if (options.output == standard_output) return success;
  print_summary(trained.table, options);
  if (trained.memory) print(wrapped("memory: " + text_of(*trained.memory), 2) + "\n");
  return success;
}

}  // namespace

Command add_generate_command(CLI::App& command) {
  auto options = std::make_shared<GenerateOptions>();
  options->command = &command;
  options->model.add_to(command);
  command.add_option("--mnk", options->mnk, "Matrix products, a line per layer: name,m,n,k (CSV)");
  command.add_option(
      "--parallel", options->parallel,
      "DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA or HYBRID_CUSTOMIZED (default: DATA)");
  command.add_option("--npus,--num_npus", options->npus, "NPUs of the machine (default: 8)");
  command.add_option("--packages,--num_packages", options->packages, "Packages they stand in (default: 1)");
  command.add_option("--datatype_size", options->bytes_per_element,
                     "Bytes per element of what is communicated (default: 2)");
  command.add_option(
      "--scalesim_config", options->config,
      "Systolic array, SCALE-Sim's configuration file (default: 256 x 256, weight stationary)");
  command.add_option("--frequency", options->frequency, "Clock of the array (default: 1 GHz)");
  command.add_option("--output,--output_file", options->output,
                     "File for the layer table (default: workload.txt); -: standard output");
  command.add_flag("--compat-astra1", options->compat_astra1,
                   "Write what ASTRA-sim 1.0's generator writes, defects included");
  command.add_option("--run_name", options->run_name, "Accepted, without effect");
  command.add_option("--scalesim_path", options->scalesim_path, "Accepted, without effect");
  return [options](const CommandLine&) { return generate(*options); };
}

}  // namespace orrery::core
