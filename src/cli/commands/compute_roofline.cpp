// orrery compute roofline: prints what matrix products cost on a device.

#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/file_loader.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "compute/device_model.hpp"
#include "compute/measured/measured_model.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "report/calculators/roofline_report.hpp"

namespace orrery::core {

namespace {

constexpr std::uint64_t largest_extent = 1ull << 40;

struct RooflineOptions {
  std::string device = "a100";
  Gemm gemm;
  std::string datatype, pattern = "unstructured";
  double weight_sparsity = 0, activation_sparsity = 0;
  std::string shapes, table;
  bool json = false;
};

std::vector<ShapeRow> shapes_of(const RooflineOptions& options, const FileLoader& load) {
  if (!options.shapes.empty()) return read_shape_table(load(options.shapes), options.shapes);
  return {ShapeRow{options.gemm, {}, {}, {}}};
}

Datatype usual_type_of(const RooflineOptions& options, const Device& device) {
  if (options.datatype.empty()) return usual_datatype(device);
  return word_of_flag(datatype_words, options.datatype, "--dtype");
}

int cost_with_roofline(RooflineOptions options) {
  const SparsityPattern pattern = word_of_flag(sparsity_pattern_words, options.pattern, "--sparsity-pattern");
  const InputLog inputs(InputLog::Holds::paths);
  const auto roofline =
      std::make_shared<RooflineModel>(find_calculated_device(options.device, {"--device"}, inputs));
  const ProductSparsity sparsity =
      calculated_sparsity(options.weight_sparsity, options.activation_sparsity, pattern, roofline->device());
  const Datatype usual_type = usual_type_of(options, roofline->device());
  std::shared_ptr<const ComputeModel> model = roofline;
  if (!options.table.empty())
    model = std::make_shared<MeasuredModel>(read_shape_table(inputs.read(options.table), options.table),
                                            usual_type, roofline);
  const RooflineReport report =
      cost_products(shapes_of(options, inputs), usual_type, {"--dtype"}, *roofline, *model, sparsity);
  if (options.json)
    print_json(roofline_to_json(report).dump(2) + "\n");
  else
    print(roofline_text(report));
  return success;
}

}  // namespace

Command add_compute_roofline(CLI::App& command) {
  auto options = std::make_shared<RooflineOptions>();
  const CLI::Validator extent = from_to(std::uint64_t{1}, largest_extent);
  const CLI::Validator share = from_to(0.0, 1.0);
  command.add_option("--device", options->device, "A device of `orrery list devices`, or a device file")
      ->capture_default_str();
  auto* m = command.add_option("-m,--m", options->gemm.m, "Rows of the product: samples or tokens");
  auto* n = command.add_option("-n,--n", options->gemm.n, "Columns of the product: output features");
  auto* k = command.add_option("-k,--k", options->gemm.k, "Extent that is summed over: input features");
  auto* batch = command.add_option("--batch", options->gemm.batch, "How many such products");
  for (CLI::Option* option : {m, n, k, batch}) option->check(extent)->capture_default_str();
  command.add_option("--dtype", options->datatype,
                     "Number format of the operands; fp16, or bf16 where the device has no fp16");
  command
      .add_option("--weight-sparsity", options->weight_sparsity, "Share of zeros among the weights (K x N)")
      ->check(share);
  command
      .add_option("--activation-sparsity", options->activation_sparsity,
                  "Share of zeros among the activations (M x K)")
      ->check(share);
  command.add_option("--sparsity-pattern", options->pattern, "Of the weights: unstructured or 2:4")
      ->capture_default_str();
  auto* shapes = command.add_option("--shapes", options->shapes, "CSV file of many shapes, instead of one");
  for (CLI::Option* option : {m, n, k, batch}) shapes->excludes(option);
  command.add_option("--table", options->table, "CSV file of measured times, which the model then follows");
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return cost_with_roofline(*options); };
}

}  // namespace orrery::core
