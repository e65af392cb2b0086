#include "workload/models/network_layer_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/quantity.hpp"
#include "workload/models/training_operators.hpp"

namespace orrery::core {
namespace {

bool starts_row(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::gemm:
    case LayerKind::operations:
    case LayerKind::embedding:
    case LayerKind::interaction:
      return true;
    default:
      return false;
  }
}

int arrays_of(const NetworkLayer& layer) {
  if (layer.kind == LayerKind::batch_norm) return 2;  // scales and shifts
  return (layer.weights > 0 ? 1 : 0) + (layer.biases > 0 ? 1 : 0);
}

double operations_of(const NetworkLayer& layer) {
  if (const auto* work = std::get_if<Elementwise>(&layer.work))
    return starts_row(layer.kind) ? work->flops : 0;
  return 2 * layer.multiply_accumulates();
}

bool starts_row(const NetworkLayer& layer, bool is_first) {
  return is_first || starts_row(layer.kind);
}

bool vanishes_in_inference(LayerKind kind) {
  return kind == LayerKind::batch_norm || kind == LayerKind::relu || kind == LayerKind::dropout;
}

RowOperators operators_of(const NetworkLayer& layer, const LayerTableOptions& options) {
  if (options.forward_only && vanishes_in_inference(layer.kind)) return {};
  const bool is_linear = is_weighted_product(layer);
  const Datatype type = is_linear ? options.linear_type.value_or(options.type) : options.type;
  const LayerSparsity sparsity = is_linear ? options.sparsity.of(layer.name) : LayerSparsity();
  if (options.forward_only) return {{forward_operators(layer, type, sparsity), {}, {}}};
  return {{forward_operators(layer, type, sparsity), input_gradient_operators(layer, type, sparsity),
           weight_gradient_operators(layer, type, sparsity)}};
}

class TableBuilder {
 public:
  TableBuilder(const NeuralNetwork& network, const LayerTableOptions& options)
      : network_(network), options_(options) {
    if (!options.device && !(options.flops_per_second > 0))
      throw InputError(options.where, "a model needs the compute rate of the NPU; write `peak: 100 TFLOP/s`");
    if (options.bytes_per_element < 1) throw InputError(options.where, "an element needs at least one byte");
    table_.policy = network.policy;
    table_.model_parallel_group = network.model_parallel_group;
    table_.samples = static_cast<int>(network.batch);
    table_.where = options.where;
  }

  LayerTable build() {
    for (const NetworkLayer& layer : network_.layers) {
      if (starts_row(layer, table_.layers.empty())) start_row(layer);
      if (options_.device) add_times(layer);
      row_of_[layer.name] = static_cast<int>(table_.layers.size()) - 1;
      set_output(layer);
      if (layer.kind == LayerKind::embedding) continue;
      reduced_ += double(layer.parameters());
      table_.layers.back().arrays += arrays_of(layer);
    }
    end_row();
    for (const std::string& name : network_.checkpoints) table_.checkpoints.push_back(row_of_.at(name));
    for (const std::string& name : network_.recomputed_at) table_.initiators.push_back(row_of_.at(name));
    std::reverse(table_.initiators.begin(), table_.initiators.end());
    if (!network_.last_bottom_layer.empty())
      table_.last_bottom_layer = row_of_.at(network_.last_bottom_layer);
    return std::move(table_);
  }

 private:
  // Times are rounded to whole nanoseconds, the layer table's unit.
  Time time_of(double operations) const {
    const double ns = std::round(operations / options_.flops_per_second * 1e9);
    if (!Time::is_input_ns(ns))
      throw InputError(options_.where,
                       "a layer of this model computes for more than 30 days; check the peak and the batch");
    return Time::from_ns(static_cast<std::int64_t>(ns));
  }

  Bytes bytes_of(double elements) const {
    if (elements * options_.bytes_per_element > largest_size.as_double())
      throw InputError(options_.where, "a layer of this model sends more than 8 PiB; check its sizes");
    return Bytes(static_cast<std::uint64_t>(elements) *
                 static_cast<std::uint64_t>(options_.bytes_per_element));
  }

  void start_row(const NetworkLayer& layer) {
    end_row();
    const LayerStep step{options_.device ? Time() : time_of(operations_of(layer)), {}, false, {}};
    const LayerStep after = options_.forward_only ? LayerStep() : step;
    Layer& row = table_.layers.emplace_back(
        Layer{layer.name, step, after, after, Time::from_ns(1), layer.policy, options_.where});
    if (options_.device)  // whose operators are counted
      for (LayerStep* of : {&row.forward, &row.input_gradient, &row.weight_gradient}) of->kernels = 0;
    row.arrays = 0;
    attach(row.forward, layer.forward);
    if (!options_.forward_only) attach(row.input_gradient, layer.input_gradient);
  }

  void set_output(const NetworkLayer& layer) {
    Layer& row = table_.layers.back();
    if (layer.output.elements() > 0)
      row.output = bytes_of(double(layer.output.elements()) * double(network_.batch));
    row.ends_block = !layer.in_branch;
  }

  void add_times(const NetworkLayer& layer) {
    Layer& row = table_.layers.back();
    const RowOperators operators = operators_of(layer, options_);
    LayerStep* const steps[] = {&row.forward, &row.input_gradient, &row.weight_gradient};
    for (std::size_t pass = 0; pass < operators.of_pass.size(); ++pass) {
      steps[pass]->kernels += static_cast<int>(operators.of_pass[pass].size());
      add(operators.of_pass[pass], layer, *steps[pass], seconds_[pass]);
    }
  }

  // `seconds` is the time of the row's step until now, so that errors of rounding to nanoseconds do not add
  // up.
  void add(const std::vector<Operator>& operators, const NetworkLayer& layer, LayerStep& step,
           double& seconds) const {
    for (const Operator& op : operators) seconds += options_.device->cost(op).seconds;
    if (!Time::is_input_ns(seconds * 1e9))
      throw InputError(layer.where,
                       "the layer computes for more than 30 days on this device, make it smaller");
    step.compute = Time::from_ns(std::llround(seconds * 1e9));
  }

  void end_row() {
    seconds_ = {};
    const double reduced = std::exchange(reduced_, 0);
    if (reduced == 0 || options_.forward_only ||
        table_.layers.back().policy.value_or(table_.policy) == TrainingPolicy::model)
      return;
    LayerStep& step = table_.layers.back().weight_gradient;
    step.collective = CollectiveKind::all_reduce;
    step.size = bytes_of(reduced);
  }

  void attach(LayerStep& step, const LayerExchange& exchange) const {
    if (!exchange.collective) return;
    step.collective = exchange.collective;
    step.size = bytes_of(double(exchange.elements));
  }

  const NeuralNetwork& network_;
  const LayerTableOptions& options_;
  LayerTable table_;
  std::map<std::string_view, int> row_of_;  // by layer
  double reduced_ = 0;                      // parameters of the last row
  std::array<double, 3> seconds_{};         // of its steps, on a device
};

}  // namespace

LayerTable layer_table_of(const NeuralNetwork& network, const LayerTableOptions& options) {
  return TableBuilder(network, options).build();
}

std::vector<RowOperators> row_operators(const NeuralNetwork& network, const LayerTableOptions& options) {
  std::vector<RowOperators> rows;
  for (const NetworkLayer& layer : network.layers) {
    if (starts_row(layer, rows.empty())) rows.emplace_back();
    const RowOperators operators = operators_of(layer, options);
    for (std::size_t pass = 0; pass < operators.of_pass.size(); ++pass)
      rows.back().of_pass[pass].insert(rows.back().of_pass[pass].end(), operators.of_pass[pass].begin(),
                                       operators.of_pass[pass].end());
  }
  return rows;
}

}  // namespace orrery::core
