#include "workload/parallelism/gradient_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "workload/parallelism/operator_shapes.hpp"

namespace orrery::core {
namespace {

class GradientProgram {
 public:
  explicit GradientProgram(const ShardedGraph& graph)
      : graph_(graph), summands_(graph.tensors().size()), copies_(graph.tensors().size()) {
    for (std::size_t i = 0; i < graph.operations().size(); ++i)
      if (const TensorOperation& operation = graph.operations()[i];
          operation.kind == TensorOperationKind::reshard && !operation.keep)
        copies_[index(operation.output)] = i + 1;
  }

  std::vector<GradientAction> run() {
    add_summand(graph_.output, layout_of_gradient(graph_[graph_.output].layout));
    for (std::size_t i = graph_.operations().size(); i-- > 0;) {
      const TensorOperation& operation = graph_.operations()[i];
      if (summands_[index(operation.output)].empty()) continue;
      if (is_copy(operation)) {
        pass(i);
      } else {
        settle(operation.output);
        differentiate(i);
      }
    }
    if (graph_.entry) settle(*graph_.entry);
    for (std::size_t t = 0; t < graph_.tensors().size(); ++t)
      if (graph_.tensors()[t].role == TensorRole::weight && !summands_[t].empty())
        actions_.push_back({.kind = GradientAction::Kind::accumulate, .tensor = static_cast<TensorId>(t)});
    return std::move(actions_);
  }

 private:
  static std::size_t index(TensorId id) { return static_cast<std::size_t>(id); }

  void add_summand(TensorId id, const Layout& layout) {
    auto& layouts = summands_[index(id)];
    if (std::find(layouts.begin(), layouts.end(), layout) == layouts.end()) layouts.push_back(layout);
  }

  void pass(std::size_t i) {
    const TensorOperation& operation = graph_.operations()[i];
    for (const Layout& from : std::vector<Layout>(summands_[index(operation.output)])) {
      Layout to = from;
      if (operation.kind == TensorOperationKind::rename)
        for (ShardState& state : to.states)
          if (state == sharded(operation.to)) state = sharded(operation.from);
      actions_.push_back({.kind = GradientAction::Kind::pass,
                          .operation = i,
                          .tensor = operation.inputs[0],
                          .from = from,
                          .to = to});
      add_summand(operation.inputs[0], to);
      // The summand is moved at once, because later there may be more of it along other axes.
      if (operation.kind == TensorOperationKind::reshard) move(operation.inputs[0], to, operation.axis);
    }
  }

  // Moves the summands that are placed as `from` along one axis to where they have to be.
  Layout move(TensorId id, const Layout& from, Axis axis) {
    const ShardState wanted = state_of_gradient(graph_[id].layout[axis]);
    if (from[axis] == wanted) return from;
    Layout to = from;
    to[axis] = wanted;
    const auto how = transition(from[axis], wanted);
    if (!how) throw std::logic_error("no way to move the gradient of " + graph_[id].name);
    actions_.push_back({.kind = GradientAction::Kind::move,
                        .tensor = id,
                        .axis = axis,
                        .from = from,
                        .to = to,
                        .transition = *how});
    std::erase(summands_[index(id)], from);
    add_summand(id, to);
    return to;
  }

  void settle(TensorId id) {
    const auto summands = summands_[index(id)];
    for (Layout from : summands)
      for (const Axis axis : all_axes) from = move(id, from, axis);
    actions_.push_back({.kind = GradientAction::Kind::accumulate,
                        .tensor = id,
                        .to = layout_of_gradient(graph_[id].layout)});
  }

  // Makes sure that the value of a tensor is there.
  void fetch(TensorId id) {
    std::size_t& copy = copies_[index(id)];
    if (copy == 0) return;
    const std::size_t i = copy - 1;
    copy = 0;
    const TensorOperation& operation = graph_.operations()[i];
    fetch(operation.inputs[0]);
    const Layout &from = graph_[operation.inputs[0]].layout, &to = graph_[id].layout;
    actions_.push_back({.kind = GradientAction::Kind::gather,
                        .operation = i,
                        .tensor = id,
                        .axis = operation.axis,
                        .from = from,
                        .to = to,
                        .transition = *transition(from[operation.axis], to[operation.axis])});
  }

  // Returns the inputs whose values the gradient of input `i` needs.
  static std::vector<TensorId> needed(const TensorOperation& operation, std::size_t i) {
    if (operation.kind == TensorOperationKind::sum || operation.passed_through == i) return {};
    std::vector<TensorId> values = operation.inputs;
    if (operation.kind == TensorOperationKind::product)
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
    return values;
  }

  Layout gradient_layout(const TensorOperation& operation, std::size_t i) const {
    const Tensor& result = graph_[operation.output];
    Layout layout;
    for (const Axis axis : all_axes) {
      std::vector<PlacedOperand> operands{{result.dims, state_of_gradient(result.layout[axis])}};
      for (const TensorId id : needed(operation, i))
        operands.push_back({graph_[id].dims, graph_[id].layout[axis]});
      const auto state = state_of_result(operands, graph_[operation.inputs[i]].dims);
      if (!state)
        throw std::logic_error("the gradient of " + graph_[operation.inputs[i]].name + " cannot be placed");
      layout[axis] = *state;
    }
    return layout;
  }

  void differentiate(std::size_t i) {
    const TensorOperation& operation = graph_.operations()[i];
    const auto role = [&](std::size_t input) { return graph_[operation.inputs[input]].role; };
    std::vector<std::size_t> order;  // activations first: what comes before waits for them
    for (const TensorRole which : {TensorRole::activation, TensorRole::weight})
      for (std::size_t input = 0; input < operation.inputs.size(); ++input)
        if (role(input) == which) order.push_back(input);
    for (const std::size_t input : order)
      for (const TensorId id : needed(operation, input)) fetch(id);
    for (const std::size_t input : order) {
      const Layout layout = gradient_layout(operation, input);
      actions_.push_back({.kind = GradientAction::Kind::gradient,
                          .operation = i,
                          .input = input,
                          .tensor = operation.inputs[input],
                          .to = layout});
      add_summand(operation.inputs[input], layout);
    }
  }

  const ShardedGraph& graph_;
  std::vector<std::vector<Layout>> summands_;  // of each tensor's gradient, how they are placed
  std::vector<std::size_t> copies_;            // the operation + 1 that has to make a copy again
  std::vector<GradientAction> actions_;
};

}  // namespace

Layout layout_of_gradient(const Layout& layout) {
  Layout gradient;
  for (const Axis axis : all_axes) gradient[axis] = state_of_gradient(layout[axis]);
  return gradient;
}

std::vector<GradientAction> gradient_program(const ShardedGraph& graph) {
  return GradientProgram(graph).run();
}

}  // namespace orrery::core
