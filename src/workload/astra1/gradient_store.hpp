// Holds the weights of layers where no collectives exchange gradients.
#pragma once

#include <cstdint>

#include "program/graph_builder.hpp"

namespace orrery::core {

// Training loops and stages of pipelines call it where they would issue collectives and wait for them.
class GradientStore {
 public:
  virtual ~GradientStore() = default;

  // Begins to exchange a layer's gradients, which the last operation of the program has computed.
  virtual void push(GraphBuilder& graph, std::int32_t layer, std::int32_t iteration) = 0;
  // Makes the next operation wait until the layer's weights are new, unless an operation before it did.
  virtual void pull(GraphBuilder& graph, std::int32_t layer) = 0;
  // Says that all exchanges of a training step have begun.
  virtual void end_step(GraphBuilder& graph, std::int32_t iteration) = 0;
};

}  // namespace orrery::core
