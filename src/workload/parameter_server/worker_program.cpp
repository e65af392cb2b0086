#include "workload/parameter_server/worker_program.hpp"

#include <utility>

#include "program/graph_builder.hpp"

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;
enum class Message : std::uint32_t { push, pull };

// Writes down the program of one rank: step by step first what it computes, then what it does as a server.
class WorkerWriter {
 public:
  WorkerWriter(const ServedTraining& training, int rank)
      : training_(training),
        rank_(rank),
        gradients_(training.layers.size()),
        own_weights_(training.layers.size()),
        applied_(training.layers.size()),
        graph_(training.names) {}

  ExecutionGraph write() {
    const auto layers = static_cast<std::int32_t>(training_.layers.size());
    served_.assign(static_cast<std::size_t>(training_.workers), graph_.last());
    for (iteration_ = 0; iteration_ < training_.passes; ++iteration_) {
      for (std::int32_t layer = 0; layer < layers; ++layer) {
        if (iteration_ > 0) pull(layer, iteration_ - 1);
        compute(Pass::forward, layer, training_.layers[layer].forward);
      }
      for (std::int32_t layer = layers; layer-- > 0;) {
        gradients_[layer] = compute(Pass::weight_gradient, layer, training_.layers[layer].weight_gradient);
        push(layer);
        if (layer > 0) compute(Pass::input_gradient, layer, training_.layers[layer].input_gradient);
      }
      graph_.end_iteration(iteration_);
      for (std::int32_t layer = layers; layer-- > 0;)
        if (share_of(layer, rank_) > Bytes()) training_.options.synchronous ? add_up(layer) : apply(layer);
    }
    --iteration_;
    for (std::int32_t layer = 0; layer < layers; ++layer) pull(layer, iteration_);
    return graph_.end(iteration_);
  }

 private:
  Bytes share_of(std::int32_t layer, int server) const { return training_.layers[layer].shares[server]; }

  Id compute(Pass pass, std::int32_t layer, Time duration) {
    return graph_.append({OperationKind::compute, pass, layer, iteration_, duration});
  }

  Operation message(OperationKind kind, Message what, std::int32_t layer, int peer, Bytes size) const {
    const auto tag = 2 * static_cast<std::uint32_t>(layer) + static_cast<std::uint32_t>(what);
    return {.kind = kind,
            .pass = Pass::weight_gradient,
            .layer = layer,
            .iteration = iteration_,
            .message = {static_cast<std::uint32_t>(peer), tag, size}};
  }

  // The ranks by how far they are above this one, itself the last: when everyone sends to others in this
  // order, no two send to the same one at a time.
  int above(int distance) const { return (rank_ + distance) % training_.workers; }

  void push(std::int32_t layer) {
    for (int distance = 1; distance < training_.workers; ++distance) {
      const int server = above(distance);
      const Bytes share = share_of(layer, server);
      if (share > Bytes())
        graph_.after(graph_.last(), message(OperationKind::send, Message::push, layer, server, share));
    }
  }

  // The weights that follow from the gradients of `iteration`.
  void pull(std::int32_t layer, std::int32_t iteration) {
    for (int server = 0; server < training_.workers; ++server) {
      if (share_of(layer, server) == Bytes()) continue;
      if (server == rank_) {
        graph_.wait_for(own_weights_[layer]);
        continue;
      }
      Operation receive = message(OperationKind::receive, Message::pull, layer, server, {});
      receive.iteration = iteration;
      graph_.append(receive);
    }
  }

  // Behind what the server has done for `line` until now.
  Id serve(Id& line, Operation operation, std::vector<Id> waits = {}) {
    operation.background = true;
    waits.insert(waits.begin(), line);
    return line = graph_.after(waits, operation);
  }

  // Takes in the gradients of a worker and spends on them what their bytes cost.
  Id take(Id& line, std::int32_t layer, int worker) {
    const Operation work = update(layer);
    if (worker == rank_) return serve(line, work, {gradients_[layer]});
    serve(line, message(OperationKind::receive, Message::push, layer, worker, {}));
    return serve(line, work);
  }

  void answer(std::int32_t layer, int worker, std::vector<Id> when) {
    if (worker == rank_) {
      own_weights_[layer] = std::move(when);
      return;
    }
    Operation send = message(OperationKind::send, Message::pull, layer, worker, share_of(layer, rank_));
    send.background = true;
    graph_.after(when, send);
  }

  void add_up(std::int32_t layer) {
    Id& line = served_[0];
    for (int i = 0; i < training_.workers; ++i) {
      // In the order in which they come: from below this rank, the nearest first, where all send to all.
      take(line, layer, training_.options.sharded ? above(training_.workers - i) : i);
    }
    serve(line, update(layer));
    for (int distance = 1; distance <= training_.workers; ++distance) answer(layer, above(distance), {line});
  }

  void apply(std::int32_t layer) {
    std::vector<Id> now;
    for (int worker = 0; worker < training_.workers; ++worker)
      now.push_back(take(served_[worker], layer, worker));
    Operation all{OperationKind::transition, Pass::weight_gradient, layer, iteration_};
    all.background = true;
    applied_[layer].push_back(graph_.after(now, all));
    const int slowest = iteration_ - training_.options.staleness;
    for (int distance = 1; distance <= training_.workers; ++distance) {
      const int worker = above(distance);
      std::vector<Id> when{now[worker]};
      if (slowest >= 0) when.push_back(applied_[layer][slowest]);
      answer(layer, worker, std::move(when));
    }
  }

  Operation update(std::int32_t layer) const {
    const Time duration = training_.layers[layer].updates[rank_];
    return {OperationKind::compute, Pass::weight_gradient, layer, iteration_, duration};
  }

  const ServedTraining& training_;
  const int rank_;
  std::vector<Id> gradients_;                 // of this step, by layer
  std::vector<std::vector<Id>> own_weights_;  // by layer, what has to be done before they are new
  std::vector<Id> served_;                    // last of the server's, asynchronous ones by worker
  std::vector<std::vector<Id>> applied_;      // asynchronous: by layer and iteration, the gradients of all
  std::int32_t iteration_ = 0;
  GraphBuilder graph_;
};

}  // namespace

ExecutionGraph worker_program(const ServedTraining& training, int rank) {
  return WorkerWriter(training, rank).write();
}

}  // namespace orrery
