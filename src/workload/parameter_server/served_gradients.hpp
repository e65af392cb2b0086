// Writes down how a part of a program exchanges gradients with parameter servers (Li et al., "Scaling
// distributed machine learning with the parameter server", OSDI 2014), and as one of them.
//
// A replica of the model pushes a layer's gradients to the servers as soon as they are there, and pulls its
// weights before the layer's next forward pass. Servers are some or all of the replicas. Each holds an equal
// share of every layer, or layers as a whole. A server that trains needs no messages for its own gradients;
// others do nothing but serve. Weights have as many bytes as gradients.
//
// A synchronous server adds up the gradients of all replicas, in the order of layers and replicas, updates
// the weights and sends them to all. Each addition and the update take bytes / update-bandwidth.
//
// An asynchronous server applies and answers each gradient by itself. With a staleness of s, the answer to a
// replica's i-th gradient waits until every replica's (i - s)-th is applied (stale synchronous parallel: Ho
// et al., NIPS 2013). So no replica has done more than s training steps more than another when it starts one,
// as far as its first layer has parameters. Gradients of one replica are applied one after the other, those
// of different replicas at the same time. Where a server is short of memory bandwidth and not of links, this
// is too fast.
//
// Work as a server takes no time from what the same rank computes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/dialect.hpp"
#include "workload/astra1/gradient_store.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// The part of the training that is the same for all replicas.
struct ServedTraining {
  LayerTable table;  // scaled
  int replicas = 1;
  double compute_scale = 1;
  Dialect dialect;
  std::vector<int> servers;  // replicas, ascending

  const ParameterServerOptions& options() const { return *table.parameter_server; }
  bool serves(int replica) const;
  bool trains(int replica) const { return options().servers_train || !serves(replica); }
};

// Layers that the same ranks hold: a stage of a pipeline, or the whole model.
class ServedLayers {
 public:
  // Keeps a reference. `parts` are those of the program that the replicas of these layers are.
  ServedLayers(const ServedTraining& training, std::vector<std::int32_t> layers,
               std::vector<std::uint32_t> parts);

  const ServedTraining& training() const { return training_; }
  const std::vector<std::int32_t>& layers() const { return layers_; }  // ascending
  std::uint32_t part_of(int replica) const { return parts_[static_cast<std::size_t>(replica)]; }
  // Returns the bytes of the layer that a replica serves; shares differ by a byte at most.
  Bytes share_of(std::int32_t layer, int replica) const;

 private:
  const ServedTraining& training_;
  const std::vector<std::int32_t> layers_;
  const std::vector<std::uint32_t> parts_;
  std::vector<int> of_layers_;  // the server of each layer of the table; empty: each holds a share of all
};

class ServedGradients final : public GradientStore {
 public:
  // Keeps a reference.
  ServedGradients(const ServedLayers& layers, int replica);

  void push(GraphBuilder& graph, std::int32_t layer, std::int32_t iteration) override;
  void pull(GraphBuilder& graph, std::int32_t layer) override;
  void end_step(GraphBuilder& graph, std::int32_t iteration) override;
  // Makes the next operation wait until everything is served.
  void wait_until_served(GraphBuilder& graph) { graph.wait_for(served_); }

 private:
  using Id = ExecutionGraph::Id;
  enum class Message : std::uint32_t { push, pull };
  static constexpr std::int32_t nothing = -1;

  const ServedTraining& training() const { return layers_.training(); }
  const ParameterServerOptions& options() const { return training().options(); }
  // Returns the replica that is this far above this one; the last in that order is the replica itself. When
  // all send to others in this order, no two send to the same one at a time.
  int above(int distance) const { return (replica_ + distance) % training().replicas; }

  Operation message(OperationKind kind, Message what, std::int32_t layer, int peer, Bytes size) const;
  Operation update(std::int32_t layer) const;
  Id serve(GraphBuilder& graph, Id& line, Operation operation, std::vector<Id> waits = {}) const;
  Id take(GraphBuilder& graph, Id& line, std::int32_t layer, int worker) const;
  void answer(GraphBuilder& graph, std::int32_t layer, int worker, std::vector<Id> when);
  void add_up(GraphBuilder& graph, std::int32_t layer);
  void apply(GraphBuilder& graph, std::int32_t layer);

  const ServedLayers& layers_;
  const int replica_;
  std::int32_t iteration_ = 0;
  std::vector<std::int32_t> awaited_;         // by layer, the training step whose weights are not there yet
  std::vector<Id> gradients_;                 // of this step, by layer
  std::vector<std::vector<Id>> own_weights_;  // by layer, what has to be done before they are new
  std::vector<Id> served_;                    // last of the server's, asynchronous ones by worker
  std::vector<std::vector<Id>> applied_;      // asynchronous: by layer and iteration, the gradients of all
};

}  // namespace orrery::core
