// orrery compute kernels: prints what attention and operators without products cost on a device.

#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/file_loader.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "compute/device_model.hpp"
#include "report/calculators/kernel_report.hpp"

namespace orrery::core {

namespace {

struct KernelOptions {
  std::string device = "a100";
  std::string attention_kernel, pointwise;  // empty: those of the device
  std::string datatype;
  std::string table;
  bool json = false;
};

// Reads a word that a flag has, as a key would.
template <class Kernels>
void take_kernels(Kernels& kernels, const std::string& word, std::string_view flag,
                  Kernels (*read)(const InputNode&, const KeyFacts&)) {
  if (word.empty()) return;
  InputNode node;
  node.kind = InputNode::Kind::scalar;
  node.text = word;
  node.where = {std::string(flag)};
  kernels = read(node, {.name = flag});
}

int cost_of_kernels(const KernelOptions& options) {
  const InputLog inputs(InputLog::Holds::paths);
  Device device = find_calculated_device(options.device, {"--device"}, inputs);
  take_kernels(device.attention_kernel, options.attention_kernel, "--attention-kernel",
               read_attention_kernel);
  take_kernels(device.pointwise, options.pointwise, "--pointwise", read_pointwise_kernels);
  const ComputingDevice computing = computing_device(device);
  const Datatype usual_type = options.datatype.empty()
                                  ? usual_datatype(device)
                                  : word_of_flag(datatype_words, options.datatype, "--dtype");
  const KernelReport report = cost_kernels(read_kernel_table(inputs.read(options.table), options.table),
                                           usual_type, {"--dtype"}, device, *computing.model);
  if (options.json)
    print_json(kernels_to_json(report).dump(2) + "\n");
  else
    print(kernel_text(report));
  return success;
}

}  // namespace

Command add_compute_kernels(CLI::App& command) {
  auto options = std::make_shared<KernelOptions>();
  command.add_option("--device", options->device, "A device of `orrery list devices`, or a device file")
      ->capture_default_str();
  command.add_option("--table", options->table, "CSV file of the operators")->required();
  command.add_option("--attention-kernel", options->attention_kernel,
                     "Implementation of attention, instead of the device's");
  command.add_option("--pointwise", options->pointwise,
                     "Level of fusion of operators without products, instead of the device's");
  command.add_option("--dtype", options->datatype,
                     "Number format of the elements; fp16, or bf16 where the device has no fp16");
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return cost_of_kernels(*options); };
}

}  // namespace orrery::core
