#include "report/training/training_explanation.hpp"

#include <array>
#include <variant>

#include <fmt/format.h>

#include "base/text/readable.hpp"
#include "collective/library/library_time.hpp"
#include "report/critical_path/computed_work.hpp"
#include "report/table/table.hpp"
#include "workload/training/stages/stage_cost.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core {

namespace {

class Explanation {
 public:
  explicit Explanation(const TrainingSetup& setup) : setup_(setup), mesh_(setup.mesh()) {}

  std::string of_block(const RankBlock& block) const {
    std::string text = of_steps("forward", block.forward);
    if (!block.backward.empty()) text += of_steps("backward", block.backward);
    return text;
  }

  // Explains what comes once a step, for the first and the last stage, which hold the embedding and the head.
  std::string of_update() const {
    const StageCosts costs(setup_);
    std::string text;
    const std::size_t last = setup_.plan.pipeline - 1;
    for (const std::size_t stage : {std::size_t{0}, last}) {
      const StageCost& cost = costs.of(stage);
      text += fmt::format("  stage {}: {} parameters on one rank\n", stage,
                          readable_count(static_cast<double>(cost.parameters.total())));
      const ParameterExchange reduce = costs.reduction(cost.parameters);
      text += of_part(setup_.plan.zero >= 2 ? "gradients, of each micro-batch" : "gradients, in one go",
                      Seconds::of(reduce.alone()));
      text += of_part("update", cost.optimizer + cost.shared_embedding) +
              of_part("weights after it", Seconds::of(cost.gather.alone()));
      if (last == 0) break;
    }
    return text;
  }

 private:
  static std::string of_part(std::string_view what, Seconds time) {
    return time > Seconds() ? fmt::format("    {:<32} {:>9}\n", what, readable_seconds(time.count())) : "";
  }

  // Returns the sums, then a line for each operator and collective.
  std::string of_steps(std::string_view pass, const std::vector<Step>& steps) const {
    TextTable table{{{"operator", true}, {"time"}, {"by", true}, {"peak"}, {"size", true}}, {}};
    Seconds computing, exchanging;
    for (const Step& step : steps) {
      const auto* op = std::get_if<Operator>(&step.work);
      table.rows.push_back(op ? of_operator(*op, step, computing)
                              : of_exchange(std::get<Exchange>(step.work), exchanging));
    }
    return fmt::format("  {}: {} of operators, {} of collectives\n", pass,
                       readable_seconds(computing.count()), readable_seconds(exchanging.count())) +
           table.text();
  }

  std::vector<std::string> of_operator(const Operator& op, const Step& step, Seconds& sum) const {
    const OperatorCost cost = setup_.device.model->cost(op);
    const bool elementwise = std::holds_alternative<Elementwise>(op.work);
    const Seconds time = device_of(setup_).slowdown.time(op, cost);
    sum += time;
    const std::string_view phase = step.phase == StepPhase::recompute         ? " (again)"
                                   : step.phase == StepPhase::weight_gradient ? " (weights)"
                                                                              : "";
    return {op.name + std::string(phase), readable_seconds(time.count()),
            std::string(word_of(bound_words, cost.bound)),
            elementwise ? "" : fmt::format("{:.0f}%", cost.utilization * 100), shape_of(op)};
  }

  std::vector<std::string> of_exchange(const Exchange& exchange, Seconds& sum) const {
    const GroupPlacement group =
        placement_of(mesh_.communicator({}, std::array{mesh_axis(exchange.axis)}), setup_.gpus_per_node());
    const CollectiveCost cost = setup_.library->cost(exchange.kind, exchange.bytes, group);
    const Seconds time = Seconds(cost.seconds) / setup_.stack.exchange_efficiency;
    sum += time;
    std::string how;
    if (cost.algorithm)
      how = fmt::format("{} {}", word_of(library_algorithm_words, *cost.algorithm),
                        word_of(protocol_words, *cost.protocol));
    return {fmt::format("{} {}", name_of(exchange.axis), name_of(exchange.kind)),
            readable_seconds(time.count()), how, "",
            fmt::format("{}, {} ranks, {} a node", readable_bytes(exchange.bytes), group.members,
                        group.per_node)};
  }

  const TrainingSetup& setup_;
  const RankMesh mesh_;
};

}  // namespace

std::string training_explanation(const std::string& name, const TrainingSetup& setup) {
  const Explanation explanation(setup);
  const auto title = [&](const std::string& block) {
    return wrapped(fmt::format("{}: {}, a micro-batch of {} on one rank, {} of them a step\n", name, block,
                               setup.plan.micro_batch, setup.plan.micro_batches()),
                   2);
  };
  std::string text;
  const auto add = [&](BlockKind kind, const std::string& block) {
    text += title(block) + explanation.of_block(rank_block(kind, setup.model, setup.plan));
  };
  const std::uint64_t with_experts = setup.model.layers_with_experts(),
                      without = setup.model.layers - with_experts;
  add(BlockKind::embedding, "the embedding");
  if (without > 0) add(BlockKind::layer, fmt::format("one of {} layers", without));
  if (with_experts > 0)
    add(BlockKind::layer_with_experts, fmt::format("one of {} layers with experts", with_experts));
  add(BlockKind::head, "the head");
  if (setup.plan.forward_only) return text;
  return text + fmt::format("{}: once a step\n", name) + explanation.of_update();
}

}  // namespace orrery::core
