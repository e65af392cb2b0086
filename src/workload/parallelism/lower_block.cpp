#include "workload/parallelism/lower_block.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "workload/parallelism/gradient_program.hpp"
#include "workload/parallelism/held_parameters.hpp"
#include "workload/parallelism/step_builder.hpp"

namespace orrery::core {
namespace {

class BackwardLowering {
 public:
  BackwardLowering(const ShardedGraph& graph, const LoweringChoices& choices)
      : graph_(graph),
        choices_(choices),
        steps_(graph, choices),
        values_(graph.tensors().size()),
        fetched_(graph.tensors().size()),
        complete_(graph.tensors().size()),
        summands_(graph.tensors().size()),
        weights_(graph.tensors().size()),
        group_of_(graph.operations().size()) {
    for (std::size_t g = 0; g < steps_.groups().size(); ++g)
      for (std::size_t i = steps_.groups()[g].begin; i < steps_.groups()[g].end; ++i) group_of_[i] = g;
  }

  void lower(RankBlock& block) {
    const std::vector<GradientAction> program = gradient_program(graph_);
    if (choices_.recompute_all)
      for (const OperationGroup& group : steps_.groups()) steps_.run(group, StepPhase::recompute, values_);
    summands_[index_of(graph_.output)] = {
        {layout_of_gradient(graph_[graph_.output].layout), {block_input}, -1}};
    for (std::size_t a = 0; a < program.size(); ++a) {
      take(program[a]);
      if (program[a].kind == GradientAction::Kind::gradient && last_of_group(program, a))
        differentiate(steps_.groups()[group_of_[program[a].operation]]);
    }
    emit_delayed();
    block.backward = steps_.take();
    if (graph_.entry && !complete_[index_of(*graph_.entry)].empty())
      block.input_gradient = complete_[index_of(*graph_.entry)].back();
    add_parameters(block);
  }

 private:
  // Summands of a tensor's gradient that have the same layout, and the step that made them. Others of the
  // same source are included.
  struct Summand {
    Layout layout;
    Waits ready;
    int source;
  };
  struct WeightGradient {
    Step step;
    std::vector<TensorId> weights;
  };

  bool last_of_group(const std::vector<GradientAction>& program, std::size_t a) const {
    const std::size_t i = program[a].operation;
    if (i != steps_.groups()[group_of_[i]].begin) return false;
    return a + 1 == program.size() || program[a + 1].kind != GradientAction::Kind::gradient ||
           program[a + 1].operation != i;
  }

  void add_summand(TensorId id, Summand summand) {
    if (graph_[id].role == TensorRole::weight)
      weights_[index_of(id)] = {summand.ready.empty() ? block_input : summand.ready.back(), summand.layout};
    summands_[index_of(id)].push_back(std::move(summand));
  }

  bool any_placed(TensorId id, const Layout& layout) const {
    const auto& all = summands_[index_of(id)];
    return std::any_of(all.begin(), all.end(),
                       [&](const Summand& summand) { return summand.layout == layout; });
  }

  void take(const GradientAction& action) {
    switch (action.kind) {
      case GradientAction::Kind::gather:
        gather_for_gradient(graph_.operations()[action.operation]);
        break;
      case GradientAction::Kind::gradient:
        pending_.push_back(action);
        break;
      case GradientAction::Kind::pass: {
        const TensorId from = graph_.operations()[action.operation].output;
        Summand summand = combined(from, action.from);
        summand.layout = action.to;
        add_summand(action.tensor, std::move(summand));
        break;
      }
      case GradientAction::Kind::move: {
        if (!any_placed(action.tensor, action.from)) break;  // inside a group: its operator does it
        Summand summand = combined(action.tensor, action.from);
        summand.ready = steps_.add_exchange(action.tensor, StepPhase::input_gradient, action.axis,
                                            action.transition, action.from, action.to, summand.ready);
        summand.layout = action.to;
        summand.source = next_source_--;
        add_summand(action.tensor, std::move(summand));
        break;
      }
      case GradientAction::Kind::accumulate:
        if (graph_[action.tensor].role != TensorRole::weight && any_placed(action.tensor, action.to))
          complete_[index_of(action.tensor)] = combined(action.tensor, action.to).ready;
        break;
    }
  }

  // Takes all summands of a layout from the list and returns them as one.
  Summand combined(TensorId id, const Layout& layout) {
    auto& all = summands_[index_of(id)];
    Summand sum{layout, {}, next_source_};
    std::vector<int> sources;
    for (const Summand& summand : all) {
      if (summand.layout != layout) continue;
      merge(sum.ready, summand.ready);
      merge(sources, {summand.source});
    }
    std::erase_if(all, [&](const Summand& summand) { return summand.layout == layout; });
    if (sources.size() == 1) {
      sum.source = sources[0];
      return sum;
    }
    --next_source_;
    const double elements = graph_.local_elements(graph_[id], layout), count = double(sources.size());
    emit_delayed();
    const auto read = static_cast<std::uint64_t>(count * elements),
               written = static_cast<std::uint64_t>(elements);
    const Operator op{"gradient of " + graph_[id].name, Elementwise{(count - 1) * elements, read, written},
                      steps_.type_of(id)};
    sum.ready = {steps_.add({op.name, StepPhase::input_gradient, op, sum.ready})};
    return sum;
  }

  // Makes a copy again that was not kept.
  void gather(const TensorOperation& operation) {
    if (fetched_[index_of(operation.output)]) return;
    fetched_[index_of(operation.output)] = true;
    const Layout &from = graph_[operation.inputs[0]].layout, &to = graph_[operation.output].layout;
    values_[index_of(operation.output)] =
        steps_.add_exchange(operation.output, StepPhase::weight_gradient, operation.axis,
                            *transition(from[operation.axis], to[operation.axis]), from, to,
                            values_[index_of(operation.inputs[0])]);
  }

  // Returns the groups of operations that selective recomputation repeats.
  std::vector<OperationGroup> recomputed_core() const {
    std::vector<OperationGroup> core;
    if (!choices_.recompute_core_attention || choices_.recompute_all) return core;
    for (const OperationGroup& group : steps_.groups()) {
      const TensorOperation& first = steps_.operations(group).front();
      if (first.core_attention && first.kernel != Kernel::attention) core.push_back(group);
    }
    return core;
  }

  // Copies that these read, in the order in which they read them: the forward pass's, not the backward
  // pass's.
  std::vector<const TensorOperation*> copies_of_core() const {
    std::vector<const TensorOperation*> copies;
    for (const OperationGroup& group : recomputed_core())
      for (const TensorOperation& operation : steps_.operations(group))
        for (const TensorOperation& copy : graph_.operations())
          if (copy.kind == TensorOperationKind::reshard && !copy.keep &&
              std::find(operation.inputs.begin(), operation.inputs.end(), copy.output) !=
                  operation.inputs.end())
            copies.push_back(&copy);
    return copies;
  }

  // Gathers what a gradient needs; if that is recomputed from copies as well, gathers all of these.
  void gather_for_gradient(const TensorOperation& wanted) {
    const auto copies = copies_of_core();
    if (std::find(copies.begin(), copies.end(), &wanted) != copies.end())
      for (const TensorOperation* copy : copies) gather(*copy);
    gather(wanted);
  }

  void recompute_core() {
    const std::vector<OperationGroup> core = recomputed_core();
    if (std::exchange(core_done_, true) || core.empty()) return;
    for (const TensorOperation* copy : copies_of_core()) gather(*copy);
    emit_delayed();
    for (const OperationGroup& group : core) steps_.run(group, StepPhase::recompute, values_);
  }

  void emit_delayed() {
    for (WeightGradient& gradient : std::exchange(delayed_, {})) {
      const int step = steps_.add(std::move(gradient.step));
      for (const TensorId id : gradient.weights) weights_[index_of(id)].step = step;
    }
  }

  // Computes all gradients of a group's inputs.
  void differentiate(const OperationGroup& group) {
    const auto members = steps_.operations(group);
    if (members.front().core_attention) recompute_core();
    Waits passed;  // what the gradients of the results wait for
    for (const TensorOperation& operation : members) merge(passed, complete_[index_of(operation.output)]);
    const std::vector<GradientAction> actions = std::exchange(pending_, {});
    const auto is_weight = [&](const GradientAction& a) {
      return graph_[a.tensor].role == TensorRole::weight;
    };
    std::vector<TensorId> weights;
    for (const GradientAction& action : actions)
      if (is_weight(action)) weights.push_back(action.tensor);
    const bool activations = actions.size() > weights.size();
    std::vector<Waits> made = activations ? input_gradients(members, passed) : std::vector<Waits>{};
    if (!weights.empty()) weight_gradients(members, weights, with_values(members, 1, passed));
    for (const GradientAction& action : actions) {
      if (is_weight(action)) {
        weights_[index_of(action.tensor)].layout = action.to;
        continue;
      }
      if (inside(group, action.tensor)) continue;
      const TensorOperation& operation = graph_.operations()[action.operation];
      const bool free = made.empty() || operation.passed_through == action.input;
      const Waits& ready = free ? passed : made[std::min(action.input, made.size() - 1)];
      summands_[index_of(action.tensor)].push_back({action.to, ready, free ? next_source_-- : ready.back()});
    }
  }

  // Returns whether a group both makes and uses a tensor.
  bool inside(const OperationGroup& group, TensorId id) const {
    const auto members = steps_.operations(group);
    return std::any_of(members.begin(), members.end(),
                       [&](const TensorOperation& o) { return o.output == id; });
  }

  // Returns what the gradient of an input waits for: the gradients of the results, and values.
  Waits with_values(std::span<const TensorOperation> members, std::size_t input, Waits waits) const {
    for (const TensorOperation& operation : members)
      for (std::size_t i = 0; i < operation.inputs.size(); ++i)
        if (i != input || !is_matrix_product(operation)) merge(waits, values_[index_of(operation.inputs[i])]);
    return waits;
  }

  // Adds the steps of the inputs' gradients. Returns what each input's gradient waits for, or one entry for
  // all of them; empty when they cost nothing.
  std::vector<Waits> input_gradients(std::span<const TensorOperation> members, const Waits& passed) {
    emit_delayed();
    constexpr StepPhase phase = StepPhase::input_gradient;
    const TensorOperation& first = members.front();
    const Waits waits = with_values(members, first.inputs.size(), passed);
    if (first.kernel == Kernel::attention) {
      Attention attention = attention_of(graph_, members, choices_.causal);
      attention.backward = true;
      return {{steps_.add(members, phase, attention, waits)}};
    }
    if (is_matrix_product(first)) {
      const Gemm g = gemm_of(graph_, members);
      std::vector<Waits> made{{}, {}};
      if (graph_[first.inputs[0]].role == TensorRole::activation)
        made[0] = {steps_.add(members, phase, Gemm{g.m, g.k, g.n, g.batch}, with_values(members, 0, passed))};
      if (graph_[first.inputs[1]].role == TensorRole::activation)
        made[1] = {steps_.add(members, phase, Gemm{g.k, g.n, g.m, g.batch}, with_values(members, 1, passed))};
      return made;
    }
    if (const auto work = elementwise_of(graph_, members, ElementPass::input_gradient))
      if (work->elements_written > 0) return {{steps_.add(members, phase, *work, waits)}};
    return {};
  }

  void weight_gradients(std::span<const TensorOperation> members, const std::vector<TensorId>& ids,
                        const Waits& waits) {
    OperatorWork work;
    if (is_matrix_product(members.front())) {
      const Gemm g = gemm_of(graph_, members);
      work = Gemm{g.k, g.n, g.m, g.batch};
    } else if (const auto pass = elementwise_of(graph_, members, ElementPass::weight_gradient);
               pass && pass->elements_read > 0) {
      work = *pass;
    } else {
      for (const TensorId id : ids) weights_[index_of(id)].step = waits.empty() ? block_input : waits.back();
      return;
    }
    const Operator op = steps_.operator_of(members, StepPhase::weight_gradient, work);
    delayed_.push_back({{op.name, StepPhase::weight_gradient, op, waits}, ids});
  }

  void add_parameters(RankBlock& block) const {
    block.parameters = held_parameters(graph_, choices_.sparsity);
    auto parameter = block.parameters.begin();
    for (std::size_t t = 0; t < graph_.tensors().size(); ++t) {
      if (graph_.tensors()[t].role != TensorRole::weight) continue;
      parameter->gradient = weights_[t].step;
      for (const Axis axis : all_axes)
        if (weights_[t].layout[axis] == partial) parameter->gradient_axes.push_back(axis);
      ++parameter;
    }
  }

  struct Weight {
    int step = block_input;
    Layout layout;  // of its gradient
  };

  const ShardedGraph& graph_;
  const LoweringChoices& choices_;
  StepBuilder steps_;
  std::vector<Waits> values_;    // what the backward pass waits for to have a tensor's value
  std::vector<bool> fetched_;    // copies that were made again
  std::vector<Waits> complete_;  // what a tensor's whole gradient waits for
  std::vector<std::vector<Summand>> summands_;
  std::vector<Weight> weights_;
  std::vector<std::size_t> group_of_;
  std::vector<GradientAction> pending_;  // of the group at work
  std::vector<WeightGradient> delayed_;  // until input gradients are on their way
  int next_source_ = -2;
  bool core_done_ = false;
};

}  // namespace

RankBlock lower_block(const ShardedGraph& graph, const LoweringChoices& choices) {
  StepBuilder forward(graph, choices);
  std::vector<Waits> ready(graph.tensors().size());
  for (std::size_t t = 0; t < ready.size(); ++t)
    if (graph.tensors()[t].role != TensorRole::weight) ready[t] = {block_input};
  for (const OperationGroup& group : forward.groups()) forward.run(group, StepPhase::forward, ready);
  RankBlock block;
  block.output = ready[index_of(graph.output)].back();
  block.forward = forward.take();
  if (choices.forward_only)
    block.parameters = held_parameters(graph, choices.sparsity);
  else
    BackwardLowering(graph, choices).lower(block);
  return block;
}

}  // namespace orrery::core
