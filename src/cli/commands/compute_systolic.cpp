// orrery compute systolic: prints how long matrix products and convolutions take on a systolic array.
#include <optional>

#include "base/diagnostics/words.hpp"
#include "base/files/file_loader.hpp"
#include "base/text/quantity.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "compute/device_model.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "compute/systolic/scale_sim_topology.hpp"
#include "compute/systolic/systolic_device_model.hpp"
#include "report/calculators/systolic_report.hpp"

namespace orrery::core {

namespace {

struct SystolicOptions {
  std::optional<std::uint64_t> m, n, k;
  std::string topology, config, device;
  std::string dataflow, frequency, input_sram, filter_sram, output_sram;
  std::optional<std::uint64_t> rows, columns, arrays, bandwidth;
  bool json = false;
};

std::uint64_t words_of_sram(const std::string& text, const char* flag) {
  const std::uint64_t words = parse_bytes(text, {flag}).count();  // one per byte, as in SCALE-Sim
  if (words < smallest_sram)
    throw InputError({flag}, backquoted(text) + " is too small, choose 100 B or more");
  return words;
}

std::uint64_t at_least_1(std::uint64_t value, const char* flag) {
  if (value == 0) throw InputError({flag}, "is 0, choose at least 1");
  return value;
}

SystolicArray array_of_device(const SystolicOptions& options, const FileLoader& load) {
  if (!options.config.empty())
    throw InputError({"--config"}, "describes an array, and so does --device, leave one out");
  const Device device = find_calculated_device(options.device, {"--device"}, load);
  if (!device.systolic)
    throw InputError({"--device"},
                     "the " + device.name + " has no systolic arrays, use `orrery compute roofline`");
  return systolic_array_of(device);
}

SystolicArray array_of(const SystolicOptions& options, Warnings& warnings, const FileLoader& load) {
  SystolicArray array;
  if (!options.device.empty()) array = array_of_device(options, load);
  if (!options.config.empty()) array = read_scale_sim_config(load(options.config), options.config, warnings);
  if (!options.dataflow.empty())
    array.dataflow = word_of_flag(dataflow_words, options.dataflow, "--dataflow");
  if (options.rows) array.rows = at_least_1(*options.rows, "--rows");
  if (options.columns) array.columns = at_least_1(*options.columns, "--cols");
  if (options.arrays) array.arrays = at_least_1(*options.arrays, "--arrays");
  if (options.bandwidth) array.bandwidth = at_least_1(*options.bandwidth, "--bandwidth");
  if (!options.frequency.empty()) array.frequency = parse_frequency(options.frequency, {"--frequency"});
  if (!options.input_sram.empty()) array.input_sram = words_of_sram(options.input_sram, "--ifmap-sram");
  if (!options.filter_sram.empty()) array.filter_sram = words_of_sram(options.filter_sram, "--filter-sram");
  if (!options.output_sram.empty()) array.output_sram = words_of_sram(options.output_sram, "--ofmap-sram");
  return array;
}

std::vector<TopologyLayer> read_topology(const SystolicOptions& options, Warnings& warnings,
                                         const FileLoader& load) {
  std::vector<TopologyLayer> layers =
      read_scale_sim_topology(load(options.topology), options.topology, warnings);
  ScaleSimSparsity sparsity;
  if (!options.config.empty()) sparsity = read_scale_sim_sparsity(load(options.config), options.config);
  for (TopologyLayer& layer : layers) leave_out_zeros(layer, sparsity, warnings);
  return layers;
}

std::vector<TopologyLayer> layers_of(const SystolicOptions& options, Warnings& warnings,
                                     const FileLoader& load) {
  const bool product = options.m || options.n || options.k;
  if (product && !options.topology.empty())
    throw InputError({"--topology"}, "cannot be mixed with --m, --n and --k, choose one way");
  if (!options.topology.empty()) return read_topology(options, warnings, load);
  if (!options.m || !options.n || !options.k)
    throw InputError({}, "nothing to compute, give --m, --n and --k, or --topology");
  const Gemm gemm{at_least_1(*options.m, "--m"), at_least_1(*options.n, "--n"), at_least_1(*options.k, "--k"),
                  1};
  return {{"GEMM", systolic_operation(gemm, {}), {}}};
}

int compute(const SystolicOptions& options) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  SystolicReport report;
  report.array = array_of(options, warnings, inputs);
  for (const TopologyLayer& layer : layers_of(options, warnings, inputs))
    report.operators.push_back(
        {layer.name, layer.operation, systolic_cost(report.array, layer.operation, layer.where)});
  print_warnings(warnings);
  if (options.json)
    print_json(systolic_json(report) + "\n");
  else
    print(systolic_text(report));
  return success;
}

}  // namespace

Command add_compute_systolic(CLI::App& command) {
  auto options = std::make_shared<SystolicOptions>();
  command.add_option("--m", options->m, "Rows of the inputs: M of an M x K by K x N product");
  command.add_option("--n", options->n, "Columns of the weights: N");
  command.add_option("--k", options->k, "Columns of the inputs and rows of the weights: K");
  command.add_option("--topology", options->topology,
                     "SCALE-Sim's topology file, in place of --m, --n and --k");
  command.add_option("--config", options->config,
                     "SCALE-Sim's configuration file; the flags below change it");
  command.add_option(
      "--device", options->device,
      "A device whose arrays to take: rows, columns, number and clock; the flags below change it");
  command.add_option("--dataflow", options->dataflow, "What stays in the array: os, ws or is (default: ws)");
  command.add_option("--rows", options->rows, "Rows of the array (default: 256)");
  command.add_option("--cols", options->columns, "Columns of the array (default: 256)");
  command.add_option("--ifmap-sram", options->input_sram, "Buffer of the inputs (default: 6 MiB)");
  command.add_option("--filter-sram", options->filter_sram, "Buffer of the weights (default: 6 MiB)");
  command.add_option("--ofmap-sram", options->output_sram, "Buffer of the outputs (default: 2 MiB)");
  command.add_option("--arrays", options->arrays, "Arrays that share each operator (default: 1)");
  command.add_option("--frequency", options->frequency, "Of the clock (default: 1 GHz)");
  command.add_option("--bandwidth", options->bandwidth,
                     "Words per cycle from and to main memory, of each buffer (default: unlimited)");
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return compute(*options); };
}

}  // namespace orrery::core
