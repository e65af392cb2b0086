// A part of a network as tensors with named dimensions, placed on ranks, and the operations between them.
//
// Building a graph places every tensor: inputs and weights as the caller says, and results by
// state_of_result(). An operation whose operands are not placed as it needs them is refused
// (std::logic_error); reshard() moves them. Along axes of one rank nothing is ever sharded, so one
// description serves every degree of parallelism.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/operator.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery::core {

enum class TensorId : std::uint32_t {};

enum class TensorRole : std::uint8_t {
  activation,
  weight,
  constant,  // it has no gradient
};

struct Tensor {
  std::string name;
  std::vector<Dim> dims;
  Layout layout;
  TensorRole role = TensorRole::activation;
  // Fraction of elements actually stored. Each token takes k of E experts, with a capacity factor c, so a
  // tensor of all tokens for all experts holds k c / E of its elements.
  double density = 1;
  std::optional<Datatype> type = {};  // set if it differs from the block's type
};

// The cost of an elementwise operation per element of its result: operations, and elements read and written.
struct ElementCost {
  double flops = 0, read = 0, written = 0;                             // forward
  double gradient_flops = 0, gradient_read = 0, gradient_written = 0;  // for the gradients of activations
  double weight_flops = 0, weight_read = 0, weight_written = 0;        // for those of weights

  bool operator==(const ElementCost&) const = default;
};

enum class TensorOperationKind : std::uint8_t {
  product,    // sum, over dimensions that the result lacks, of the product of all inputs
  pointwise,  // any function of elements at the same place; the first input has all dimensions
  sum,        // of elements at the same place: linear; the first input has all dimensions
  row_wise,   // any function of rows of the first input along one dimension, which must not be cut
  rename,     // the same tensor, in which one dimension has another name
  reshard,    // the same tensor, placed in another way along one axis
};

// The kind of device operator that an operation becomes.
enum class Kernel : std::uint8_t {
  by_kind,      // products of matrices, and passes over elements; without a cost it is a part of a neighbour
  elementwise,  // a product that only copies or weighs rows, with the cost that is given
  attention,    // together with its neighbours of this kind one fused attention
};

struct TensorOperation {
  TensorOperationKind kind = TensorOperationKind::product;
  std::string name;
  std::vector<TensorId> inputs;  // two for matrix products
  TensorId output{};
  Dim from{}, to{};          // rename; `from` is the row of row-wise ones
  Axis axis = Axis::tensor;  // reshard
  // Reshard: the copy is kept for the backward pass, otherwise it is made again there.
  bool keep = true;

  // The members below do not change what is computed.
  Kernel kernel = Kernel::by_kind;
  // Neighbouring operations of the same group become one operator; products among them must have the same
  // first input.
  std::string group = {};
  ElementCost cost = {};
  PointwiseKind pointwise = PointwiseKind::other;  // of an elementwise operation
  // The input whose gradient is the gradient of the result as it is: the other branch of a residual
  // connection.
  std::optional<std::size_t> passed_through = {};
  bool core_attention = false;  // selective recomputation repeats this operation
  bool precise = false;         // a product with weights that is not in the narrower format of the others
};

// Says whether a resharded copy is kept for the backward pass.
enum class Keep : std::uint8_t { yes, no };

class ShardedGraph {
 public:
  // Takes the number of ranks along each axis.
  explicit ShardedGraph(std::array<std::uint64_t, axis_count> degrees) : degrees_(degrees) {}

  Dim dimension(std::string name, std::uint64_t size);
  TensorId tensor(std::string name, std::vector<Dim> dims, const Layout& layout, TensorRole role);

  // The name of an operation is that of its result.
  TensorId product(std::string name, std::vector<TensorId> inputs, std::vector<Dim> result);
  TensorId pointwise(std::string name, std::vector<TensorId> inputs, const ElementCost& cost);
  TensorId sum(std::string name, std::vector<TensorId> inputs, const ElementCost& cost);
  TensorId row_wise(std::string name, std::vector<TensorId> inputs, Dim row, const ElementCost& cost);
  TensorId rename(TensorId tensor, Dim from, Dim to);
  // Returns the tensor itself if it is already placed as asked, or the earlier copy if there is one.
  TensorId reshard(TensorId tensor, Axis axis, ShardState to, Keep keep = Keep::yes);

  TensorOperation& last() { return operations_.back(); }  // the operation added last
  Tensor& operator[](TensorId id) { return tensors_[static_cast<std::size_t>(id)]; }
  const Tensor& operator[](TensorId id) const { return tensors_[static_cast<std::size_t>(id)]; }

  const std::vector<Tensor>& tensors() const { return tensors_; }
  const std::vector<TensorOperation>& operations() const { return operations_; }  // in an order of execution
  std::uint64_t degree(Axis axis) const { return degrees_[static_cast<std::size_t>(axis)]; }
  std::uint64_t size(Dim dim) const { return dimensions_[static_cast<std::size_t>(dim)].size; }
  // Returns how much of a dimension one rank holds under a layout, rounded up.
  std::uint64_t local_size(Dim dim, const Layout& layout) const;
  // Returns how many elements of a tensor one rank holds under a layout, times the tensor's density.
  double local_elements(const Tensor& tensor, const Layout& layout) const;
  double local_elements(TensorId id) const { return local_elements((*this)[id], (*this)[id].layout); }

  // The builder of the graph sets where activations come in (none: the block begins with constants) and where
  // they go out.
  std::optional<TensorId> entry;
  TensorId output{};

 private:
  struct Dimension {
    std::string name;
    std::uint64_t size;
  };

  TensorId add(TensorOperation operation, std::vector<Dim> dims, const Layout& layout);
  // Does the same, with the layout that follows from those of the inputs, and the dimensions of the first
  // input.
  TensorId add(TensorOperation operation, std::vector<Dim> dims);
  TensorId add(TensorOperation operation);
  ShardState result_state(const TensorOperation& operation, const std::vector<Dim>& dims, Axis axis) const;
  Layout result_layout(const TensorOperation& operation, const std::vector<Dim>& dims) const;

  std::array<std::uint64_t, axis_count> degrees_;
  std::vector<Dimension> dimensions_;
  std::vector<Tensor> tensors_;
  std::vector<TensorOperation> operations_;
};

}  // namespace orrery::core
