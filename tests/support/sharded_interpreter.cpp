#include "support/sharded_interpreter.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "support/local_tensor.hpp"
#include "workload/parallelism/gradient_program.hpp"

namespace orrery::core::test {
namespace {

// Outer to inner: where a dimension is cut along two axes, the second cuts the first one's parts.
constexpr std::array<Axis, axis_count> nesting{Axis::data, Axis::expert, Axis::context, Axis::tensor};

class Interpreter {
 public:
  explicit Interpreter(const ShardedGraph& graph) : graph_(graph) {
    for (const Axis axis : all_axes) ranks_ *= graph.degree(axis);
    values_.assign(ranks_, std::vector<Local>(graph.tensors().size()));
    gradients_ = values_;
    summands_.assign(ranks_, std::vector<std::vector<Summand>>(graph.tensors().size()));
  }

  Results run() {
    forward();
    Results results;
    collect(values_, graph_.output, graph_[graph_.output].layout, results.output);
    backward();
    if (graph_.entry)
      collect(gradients_, *graph_.entry, layout_of_gradient(graph_[*graph_.entry].layout),
              results.input_gradient);
    for (std::size_t t = 0; t < graph_.tensors().size(); ++t)
      if (graph_.tensors()[t].role == TensorRole::weight) collect_weight(t, results);
    return results;
  }

 private:
  struct Summand {
    Layout layout;
    Local value;
  };

  static std::size_t index(TensorId id) { return static_cast<std::size_t>(id); }

  std::size_t coordinate(std::size_t rank, Axis axis) const {
    for (const Axis other : nesting) {
      const std::size_t degree = graph_.degree(other);
      if (other == axis) return rank % degree;
      rank /= degree;
    }
    return 0;
  }
  // The ranks that differ from this one along the axis alone.
  std::vector<std::size_t> group_of(std::size_t rank, Axis axis) const {
    std::size_t stride = 1;
    for (const Axis other : nesting) {
      if (other == axis) break;
      stride *= graph_.degree(other);
    }
    std::vector<std::size_t> group;
    const std::size_t first = rank - coordinate(rank, axis) * stride;
    for (std::size_t i = 0; i < graph_.degree(axis); ++i) group.push_back(first + i * stride);
    return group;
  }

  Indices all_of(Dim dim) const {
    Indices indices(graph_.size(dim));
    std::iota(indices.begin(), indices.end(), 0u);
    return indices;
  }
  std::vector<Indices> held_by(std::size_t rank, const std::vector<Dim>& dims, const Layout& layout) const {
    std::vector<Indices> held;
    for (const Dim dim : dims) {
      Indices indices = all_of(dim);
      for (const Axis axis : nesting)
        if (layout[axis] == sharded(dim))
          indices = part_of(indices, graph_.degree(axis), coordinate(rank, axis));
      held.push_back(std::move(indices));
    }
    return held;
  }

  Local full(const std::vector<Dim>& dims, const std::vector<const Local*>& operands) const {
    return contracted(dims, operands, [this](Dim dim) { return all_of(dim); });
  }
  // An operand of a pointwise operation in all dimensions of its result.
  Local spread(const Local& like, const Local& operand) const {
    Local ones = like;
    std::fill(ones.values.begin(), ones.values.end(), 1);
    return full(like.dims, {&ones, &operand});
  }

  std::vector<const Local*> inputs_of(std::size_t rank, const TensorOperation& operation) const {
    std::vector<const Local*> inputs;
    for (const TensorId id : operation.inputs) {
      const Local& value = values_[rank][index(id)];
      require(!value.values.empty(), "the value of " + graph_[id].name + " is not there");
      inputs.push_back(&value);
    }
    return inputs;
  }

  // Sums of rows, in the place of each element.
  Local row_sums(const Local& x, Dim row) const {
    std::vector<Dim> rest;
    for (const Dim dim : x.dims)
      if (dim != row) rest.push_back(dim);
    return spread(x, full(rest, {&x}));
  }

  Local computed(std::size_t rank, const TensorOperation& operation) const {
    const auto inputs = inputs_of(rank, operation);
    if (operation.kind == TensorOperationKind::product) return full(graph_[operation.output].dims, inputs);
    const Local& first = *inputs[0];
    if (operation.kind == TensorOperationKind::row_wise) {
      Local result = multiplied(first, row_sums(first, operation.from));
      for (std::size_t i = 1; i < inputs.size(); ++i) result = multiplied(result, spread(first, *inputs[i]));
      return result;
    }
    Local sum = first, product = first;
    std::fill(sum.values.begin(), sum.values.end(), 0);
    std::fill(product.values.begin(), product.values.end(), 1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Local operand = spread(first, *inputs[i]);
      const bool linear = operation.kind == TensorOperationKind::sum || operation.passed_through == i;
      sum = added(sum, linear ? operand : multiplied(operand, operand));
      if (!linear) product = multiplied(product, operand);
    }
    return operation.kind == TensorOperationKind::sum ? sum : added(sum, product);
  }

  // Returns the gradient with respect to one input.
  Local gradient(std::size_t rank, const TensorOperation& operation, std::size_t which) const {
    const Local& dy = gradients_[rank][index(operation.output)];
    require(!dy.values.empty(), "the gradient of " + operation.name + " is not there");
    const std::vector<Dim>& dims = graph_[operation.inputs[which]].dims;
    const bool linear = operation.kind == TensorOperationKind::sum || operation.passed_through == which;
    if (linear) return full(dims, {&dy});
    const auto inputs = inputs_of(rank, operation);
    if (operation.kind == TensorOperationKind::product) {
      std::vector<const Local*> operands{&dy};
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (i != which) operands.push_back(inputs[i]);
      return full(dims, operands);
    }
    const Local& first = *inputs[0];
    Local slope = dy;  // times the derivative, in all dimensions
    if (operation.kind == TensorOperationKind::row_wise) {
      for (std::size_t i = 1; i < inputs.size(); ++i)
        if (i != which) slope = multiplied(slope, spread(first, *inputs[i]));
      const Local sums = row_sums(first, operation.from);
      slope = which == 0 ? added(multiplied(slope, sums), row_sums(multiplied(slope, first), operation.from))
                         : multiplied(multiplied(slope, sums), first);
      return full(dims, {&slope});
    }
    Local derivative = first;
    std::fill(derivative.values.begin(), derivative.values.end(), 1);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (i != which && operation.passed_through != i)
        derivative = multiplied(derivative, spread(first, *inputs[i]));
    const Local own = spread(first, *inputs[which]);
    slope = multiplied(slope, added(derivative, added(own, own)));
    return full(dims, {&slope});
  }

  // Returns what a rank has after a collective along an axis. It sees only what the ranks of the group hold.
  Local moved(std::size_t rank, Axis axis, ShardState from, ShardState to,
              const std::function<const Local&(std::size_t)>& local_of) const {
    const auto group = group_of(rank, axis);
    Local whole = local_of(group[0]);
    for (std::size_t i = 1; i < group.size(); ++i) {
      const Local& other = local_of(group[i]);
      if (from == partial) whole = added(whole, other);
      if (from == duplicated)
        require(other.values == whole.values, "ranks disagree on a tensor that all have");
      if (from.kind == ShardState::Kind::sharded) whole = joined(whole, other, from.dim);
    }
    std::vector<Indices> held = whole.held;
    if (to.kind == ShardState::Kind::sharded) {
      Indices& indices = held[whole.position(to.dim)];
      std::sort(indices.begin(), indices.end());
      indices = part_of(indices, group.size(), coordinate(rank, axis));
    }
    if (from.kind == ShardState::Kind::sharded && whole.has(from.dim) && from != to) {
      Indices& indices = held[whole.position(from.dim)];
      std::sort(indices.begin(), indices.end());
    }
    return selected(whole, held);
  }
  void reshard(const TensorOperation& operation) {
    const TensorId from = operation.inputs[0], to = operation.output;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      values_[rank][index(to)] =
          moved(rank, operation.axis, graph_[from].layout[operation.axis], graph_[to].layout[operation.axis],
                [&](std::size_t other) -> const Local& { return values_[other][index(from)]; });
  }

  void forward() {
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      for (std::size_t t = 0; t < graph_.tensors().size(); ++t) {
        const Tensor& tensor = graph_.tensors()[t];
        values_[rank][t] = hashed_tensor(tensor.name, tensor.dims, held_by(rank, tensor.dims, tensor.layout));
      }
    for (const TensorOperation& operation : graph_.operations()) {
      if (operation.kind == TensorOperationKind::reshard) {
        reshard(operation);
        continue;
      }
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        if (operation.kind == TensorOperationKind::rename) {
          values_[rank][index(operation.output)] = values_[rank][index(operation.inputs[0])];
          values_[rank][index(operation.output)].dims = graph_[operation.output].dims;
        } else {
          values_[rank][index(operation.output)] = computed(rank, operation);
        }
        const Tensor& result = graph_[operation.output];
        for (std::size_t d = 0; d < result.dims.size(); ++d)
          require(values_[rank][index(operation.output)].held[d].size() ==
                      graph_.local_size(result.dims[d], result.layout),
                  operation.name + " is not placed as the graph says");
      }
    }
  }

  void backward() {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      for (const TensorOperation& operation : graph_.operations())
        if (operation.kind == TensorOperationKind::reshard && !operation.keep)
          values_[rank][index(operation.output)] = {};
      const Tensor& output = graph_[graph_.output];
      const Layout layout = layout_of_gradient(output.layout);
      summands_[rank][index(graph_.output)] = {
          {layout, hashed_tensor("gradient", output.dims, held_by(rank, output.dims, layout))}};
    }
    for (const GradientAction& action : gradient_program(graph_)) take(action);
  }

  Local sum_of(std::size_t rank, TensorId id, const Layout* layout) {
    Local sum;
    auto& all = summands_[rank][index(id)];
    for (const Summand& summand : all)
      if (!layout || summand.layout == *layout)
        sum = sum.values.empty() ? summand.value : added(sum, summand.value);
    std::erase_if(all, [&](const Summand& summand) { return !layout || summand.layout == *layout; });
    return sum;
  }

  void take(const GradientAction& action) {
    using Kind = GradientAction::Kind;
    const TensorOperation& operation = graph_.operations()[action.operation];
    if (action.kind == Kind::gather) return reshard(operation);
    std::vector<Local> sums(ranks_);
    if (action.kind == Kind::move)
      for (std::size_t rank = 0; rank < ranks_; ++rank)
        sums[rank] = sum_of(rank, action.tensor, &action.from);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      auto& summands = summands_[rank][index(action.tensor)];
      if (action.kind == Kind::gradient) {
        summands.push_back({action.to, gradient(rank, operation, action.input)});
      } else if (action.kind == Kind::pass) {
        Local sum = sum_of(rank, operation.output, &action.from);
        sum.dims = graph_[action.tensor].dims;
        summands.push_back({action.to, std::move(sum)});
      } else if (action.kind == Kind::move) {
        summands.push_back(
            {action.to, moved(rank, action.axis, action.from[action.axis], action.to[action.axis],
                              [&](std::size_t other) -> const Local& { return sums[other]; })});
      } else {
        for (const Summand& summand : summands) weight_layouts_[index(action.tensor)] = summand.layout;
        gradients_[rank][index(action.tensor)] = sum_of(rank, action.tensor, nullptr);
      }
    }
  }

  // Puts the parts of all ranks together; those that several have must be the same.
  void collect(const std::vector<std::vector<Local>>& locals, TensorId id, const Layout& layout,
               Elements& elements) {
    for (const ShardState& state : layout.states) require(state != partial, "a result is left in summands");
    for (std::size_t rank = 0; rank < ranks_; ++rank) collect(locals[rank][index(id)], elements);
  }
  static void collect(const Local& local, Elements& elements) {
    std::size_t i = 0;
    for_each(local.held, [&](const std::vector<std::size_t>& at) {
      std::vector<std::uint32_t> element;
      for (std::size_t d = 0; d < at.size(); ++d) element.push_back(local.held[d][at[d]]);
      const std::uint64_t value = local.values[i++];
      require(elements.emplace(element, value).first->second == value, "ranks disagree on a result");
    });
  }

  void collect_weight(std::size_t t, Results& results) {
    if (gradients_[0][t].values.empty()) return;
    std::vector<Local> sums;
    for (std::size_t rank = 0; rank < ranks_; ++rank) sums.push_back(gradients_[rank][t]);
    for (const Axis axis : all_axes) {
      if (weight_layouts_[t][axis] != partial) continue;
      const std::vector<Local> before = sums;
      for (std::size_t rank = 0; rank < ranks_; ++rank)
        sums[rank] = moved(rank, axis, partial, duplicated,
                           [&](std::size_t other) -> const Local& { return before[other]; });
    }
    Elements& elements = results.weight_gradients[graph_.tensors()[t].name];
    for (const Local& sum : sums) collect(sum, elements);
  }

  const ShardedGraph& graph_;
  std::size_t ranks_ = 1;
  std::vector<std::vector<Local>> values_, gradients_;       // by rank and tensor
  std::vector<std::vector<std::vector<Summand>>> summands_;  // likewise
  std::map<std::size_t, Layout> weight_layouts_;             // of gradients
};

}  // namespace

Results run_sharded(const ShardedGraph& graph) {
  return Interpreter(graph).run();
}

}  // namespace orrery::core::test
