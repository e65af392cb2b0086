#include "study/workloads/transformer/transformer_work.hpp"

#include <array>
#include <string>
#include <variant>

#include "report/timeline/programs/program_timeline.hpp"

namespace orrery::core {

namespace {

std::string name_of_block(BlockKind kind) {
  constexpr std::array<const char*, block_kinds> names{"embedding", "layer", "layer with experts", "head"};
  return names[static_cast<std::size_t>(kind)];
}

std::string name_of_operator(const Step& step, const Operator& op) {
  switch (step.phase) {
    case StepPhase::recompute:
      return op.name + " again";
    case StepPhase::weight_gradient:
      return op.name + " weights";
    default:
      return op.name;
  }
}

ComputedOperator named(std::string layer, std::string name, bool backward, Seconds time) {
  return {std::move(layer), std::move(name), {}, whole_passes[backward ? 1 : 0], time, {}, {}};
}

}  // namespace

TransformerWork::TransformerWork(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                                 const TrainingNotes& notes)
    : setup_(setup),
      costs_(costs),
      program_(program),
      notes_(notes),
      pieces_(setup, costs),
      framework_(named("pass", "framework", false, Seconds::of(setup.stack.time_per_pass))) {}

// A block may wait behind the exchange of another one, and have none itself.
const CollectiveRequest& TransformerWork::exchange_of(const PassPiece& piece) const {
  std::vector<BlockKind> kinds{piece.block, BlockKind::layer, BlockKind::layer_with_experts,
                               BlockKind::embedding, BlockKind::head};
  const bool weights_first = piece.kind == PassPiece::Kind::weights;
  for (const bool weights : {weights_first, !weights_first})
    for (const BlockKind kind : kinds) {
      const BlockParameters& parameters = costs_.parts()[static_cast<std::size_t>(kind)];
      const ParameterExchange exchange = weights ? costs_.weights(parameters) : costs_.reduction(parameters);
      if (!exchange.requests.empty()) return requests_.emplace_back(exchange.requests.front());
    }
  return requests_.emplace_back();
}

const TransformerWork::OfBlock& TransformerWork::block(BlockKind kind, bool backward) const {
  const auto [found, is_new] = blocks_.try_emplace({kind, backward});
  OfBlock& made = found->second;
  if (!is_new) return made;
  for (const Step& step : pieces_.steps(kind, backward)) {
    ComputedOperator& computed = made.operators.emplace_back();
    CollectiveRequest& request = made.requests.emplace_back();
    if (const auto* exchange = std::get_if<Exchange>(&step.work)) {
      request = request_of(*exchange, costs_.communicators());
      request.efficiency = setup_.stack.exchange_efficiency;
      continue;
    }
    const auto& op = std::get<Operator>(step.work);
    CostExplanation explanation = setup_.device.model->explain(op);
    const Seconds time = device_of(setup_).slowdown.time(op, explanation.cost);
    computed = named(name_of_block(kind), name_of_operator(step, op), backward, time);
    computed.shape = shape_of(op);
    computed.software = time - Seconds(explanation.cost.seconds);
    computed.explanation = explanation;
  }
  made.host = named(name_of_block(kind), "host", backward, {});
  return made;
}

const TransformerWork::WholePass& TransformerWork::pass(std::uint32_t part, const PassPart& of) const {
  const PassKey key{part, of.slot.virtual_stage, of.slot.backward, of.first, of.end};
  const auto [found, is_new] = passes_.try_emplace(key);
  WholePass& made = found->second;
  if (!is_new) return made;
  for (const PassPiece& piece : pieces_.of(static_cast<int>(part), of)) {
    const OfBlock& block_of_piece = block(piece.block, of.slot.backward);
    switch (piece.kind) {
      case PassPiece::Kind::step:
        if (block_of_piece.operators[piece.step].name.empty())
          made.exposed.push_back({&block_of_piece.requests[piece.step], piece.count, piece.time});
        else
          made.items.push_back(
              {&block_of_piece.operators[piece.step], piece.count, piece.time, piece.contended});
        break;
      case PassPiece::Kind::host:
        made.items.push_back({&block_of_piece.host, piece.count, piece.time});
        break;
      case PassPiece::Kind::framework:
        made.items.push_back({&framework_, 1, piece.time});
        break;
      case PassPiece::Kind::weights:
      case PassPiece::Kind::gradients:
        made.exposed.push_back({&exchange_of(piece), 1, piece.time});
        break;
    }
  }
  return made;
}

const std::vector<ComputedOperator>& TransformerWork::update(std::uint32_t stage) const {
  const auto [found, is_new] = updates_.try_emplace(stage);
  std::vector<ComputedOperator>& made = found->second;
  if (!is_new) return made;
  const StageCost& cost = costs_.of(stage);
  const Operator op = optimizer_step(cost.updated, setup_.optimizer, setup_.precision);
  ComputedOperator& optimizer =
      made.emplace_back(ComputedOperator{"update", op.name, {}, whole_passes[2], cost.optimizer, {}, {}});
  optimizer.explanation = setup_.device.model->explain(op);
  if (cost.shared_embedding > Seconds())
    made.push_back({"update", "sum of shared embedding", {}, whole_passes[2], cost.shared_embedding, {}, {}});
  return made;
}

std::vector<WorkItem> TransformerWork::of(std::uint32_t part, ExecutionGraph::Id id) const {
  const Operation& operation = program_.parts[part].graph[id];
  if (operation.kind != OperationKind::compute) return {};
  if (const PassPart* const whole = notes_[part].pass_of(id)) return pass(part, *whole).items;
  std::vector<WorkItem> items;
  for (const NotedOperator& noted : notes_[part].operators_of(id)) {
    const ComputedOperator& op = block(noted.block, noted.backward).operators[noted.step];
    const Seconds time = Seconds::of(noted.time);
    items.push_back({&op, op.time > Seconds() ? time.count() / op.time.count() : 0, time});
  }
  if (!items.empty()) return items;
  if (operation.pass == Pass::weight_gradient) {
    for (const ComputedOperator& op : update(part)) items.push_back({&op, 1, op.time});
    return items;
  }
  return {{&framework_, 1, framework_.time}};
}

std::vector<ExposedCollective> TransformerWork::exposed(std::uint32_t part, ExecutionGraph::Id id) const {
  const PassPart* const whole = notes_[part].pass_of(id);
  return whole ? pass(part, *whole).exposed : std::vector<ExposedCollective>();
}

}  // namespace orrery::core
