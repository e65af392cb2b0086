#include "study/workloads/layer_table/layer_table_work.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "report/timeline/programs/program_timeline.hpp"

namespace orrery::core {

namespace {

class LayerTableWork final : public ComputedWork {
 public:
  LayerTableWork(const LayerTable& table, const ModelOperators& operators, const Program& program,
                 double scale)
      : program_(program), scale_(scale), of_(table.layers.size() * passes_of_a_layer) {
    for (std::size_t row = 0; row < table.layers.size(); ++row)
      for (std::size_t pass = 0; pass < passes_of_a_layer; ++pass) {
        const Layer& layer = table.layers[row];
        std::vector<ComputedOperator>& work = of_[row * passes_of_a_layer + pass];
        if (operators.device)
          add_operators(layer, pass, operators.rows[row].of_pass[pass], *operators.device->model, work);
        else
          add_at_peak(layer, pass, operators.flops_per_second, work);
      }
    for (const ProgramPart& part : program.parts) add_host(part.graph, table);
  }

  std::vector<WorkItem> of(std::uint32_t part, ExecutionGraph::Id id) const override {
    const Operation& operation = program_.parts[part].graph[id];
    std::vector<WorkItem> items;
    if (operation.kind != OperationKind::compute || operation.layer < 0 || operation.background) return items;
    if (operation.host_work != HostWork::none) {
      const ComputedOperator& op = host_.at(place_of(operation));
      return {{&op, 1, op.time}};
    }
    for (const ComputedOperator& op : of_[static_cast<std::size_t>(operation.layer) * passes_of_a_layer +
                                          static_cast<std::size_t>(operation.pass)])
      items.push_back({&op, 1, op.time});
    return items;
  }

 private:
  ComputedOperator named(const Layer& layer, std::size_t pass, std::string name, double seconds) const {
    return {layer.name, std::move(name), {}, layer_passes[pass], Seconds(seconds * scale_), {}, {}};
  }

  void add_operators(const Layer& layer, std::size_t pass, const std::vector<Operator>& operators,
                     const ComputeModel& model, std::vector<ComputedOperator>& work) const {
    for (const Operator& op : operators) {
      CostExplanation explanation = model.explain(op);
      ComputedOperator computed = named(layer, pass, op.name, explanation.cost.seconds);
      computed.shape = shape_of(op);
      computed.explanation = std::move(explanation);
      work.push_back(std::move(computed));
    }
  }

  void add_at_peak(const Layer& layer, std::size_t pass, double flops_per_second,
                   std::vector<ComputedOperator>& work) const {
    const double seconds = Seconds::of(layer.step(static_cast<Pass>(pass)).compute).count();
    if (seconds == 0) return;
    ComputedOperator computed = named(layer, pass, layer.name, seconds);
    CostExplanation explanation;
    explanation.cost.seconds = explanation.ideal_seconds = seconds;
    explanation.cost.flops = seconds * flops_per_second;
    explanation.cost.utilization = 1;
    explanation.source = CostSource::given_peak;
    explanation.limit = Limit::matrix_units;
    computed.explanation = explanation;
    work.push_back(std::move(computed));
  }

  using HostPlace = std::tuple<std::int32_t, Pass, HostWork>;  // layer, pass and what the host does

  static HostPlace place_of(const Operation& operation) {
    return {operation.layer, operation.pass, operation.host_work};
  }

  // Every pass waits equally long for the host.
  void add_host(const ExecutionGraph& graph, const LayerTable& table) {
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      if (graph.host_work(id) == HostWork::none) continue;
      const Operation operation = graph[id];
      const Layer& layer = table.layers[static_cast<std::size_t>(operation.layer)];
      const auto pass = static_cast<std::size_t>(operation.pass);
      host_.try_emplace(
          place_of(operation),
          ComputedOperator{
              layer.name, "host", {}, layer_passes[pass], Seconds::of(operation.duration), {}, {}});
    }
  }

  const Program& program_;
  double scale_;
  std::vector<std::vector<ComputedOperator>> of_;  // by row and pass
  std::map<HostPlace, ComputedOperator> host_;
};

}  // namespace

std::unique_ptr<ComputedWork> work_of_table(const LayerTable& table, const ModelOperators& operators,
                                            const Program& program, double scale) {
  if (!operators.device && operators.flops_per_second == 0) return nullptr;
  return std::make_unique<LayerTableWork>(table, operators, program, scale);
}

}  // namespace orrery::core
