// Parts of the roofline model that only its own sources use.
#pragma once

#include "compute/roofline/roofline_model.hpp"

namespace orrery::core {

struct RooflineModel::Work {
  double m = 1, n = 1, k = 1, batch = 1;
  double activations = 0, weights = 0, results = 0;  // elements in main memory
  bool without_matrix_units = false;                 // may run on vector units if that is faster
  bool is_convolution = false;
  Datatype type = Datatype::fp16;
  ProductSparsity sparsity = {};
  std::optional<Datatype> stored = {};  // format of weights in memory, if it is another
};

struct RooflineModel::ProductTime {
  OperatorCost cost;
  GemmShape shape;
  GemmPlan plan;        // without the slowdown
  double slowdown = 1;  // because of alignment
  bool on_vectors = false;
  double vector_seconds = 0;
};

}  // namespace orrery::core
