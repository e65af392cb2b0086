// Tells a listener, in order, what a stage of the pipeline does in a training step.
//
// A pass of a micro-batch through a chunk takes the same time each time (stage_cost.hpp). In the last
// micro-batch the backward pass is cut where buckets of gradients are full, whose exchange, if there is one,
// then runs beside it. The stage that needs a message between stages waits for it. At the end there are
// exchanges, the update of the weights, and what is gathered after it.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/units/time.hpp"
#include "program/execution_graph.hpp"
#include "workload/training/stages/stage_cost.hpp"

namespace orrery::core {

// A message about one micro-batch between the stages of two consecutive chunks.
struct StageMessage {
  int peer = 0;     // the other stage
  int tag = 0;      // 2 * the chunk that receives it; one more for a backward pass
  PipelineSlot of;  // the pass that sends or receives it
};

// What a stage computes in one go: a pass of a micro-batch through a chunk, or the pieces first ... end - 1
// of a backward pass.
struct PassPart {
  PipelineSlot slot;
  std::size_t first = 0, end = 0;  // range in ChunkCost::backward
  Time duration;
  Time communication;                      // the part that it would not take if collectives took no time
  std::array<Time, axis_count> exposed{};  // the part in which it waits for collectives along an axis
  Contention contention;                   // with collectives of gradients beside it
};

// `Listener` has these functions. Each of them is about what comes after everything before it, unless it says
// otherwise.
//
//   // A pass of a micro-batch through a chunk, or through some pieces of its backward pass.
//   void pass(const PassPart& part);
//   // The update of weights. Before it, the first and the last stage add up the gradients of an embedding,
//   // if they share one.
//   void update(int layer, Time optimizer, Time shared_embedding);
//   void receive(const StageMessage& message);
//   // Begins. What follows waits for its end, or with `beside` the update does.
//   void send(const StageMessage& message, bool beside);
//   // Begins, behind earlier exchanges. The update waits for its end.
//   void exchange(int layer, const ParameterExchange& exchange);
//   // The update follows. It begins when all has ended that it waits for; nobody waits for the last send.
//   void wait_for_all();
//   // Begins. The end of the step waits for it, but for what the next step's first forward pass hides. That
//   // pass takes `hidden`, which is zero where nothing is hidden.
//   void gather(int layer, const ParameterExchange& exchange, Time hidden);
//   void end();
template <class Listener>
class StageWalk {
 public:
  StageWalk(const TrainingSetup& setup, const StageCosts& costs, int stage, Listener& listener)
      : setup_(setup),
        shape_(setup.pipeline()),
        cost_(costs.of(static_cast<std::size_t>(stage))),
        costs_(costs),
        stage_(stage),
        listener_(listener),
        reduces_beside_(setup.overlap_gradients && !costs.reduction(cost_.parameters).requests.empty()) {
    for (const ChunkCost& chunk : cost_.chunks)
      chunks_.push_back({time_of(chunk.forward), time_of(chunk.all_of_backward())});
  }

  // Returns the message that must arrive before a pass can begin, if there is one.
  std::optional<StageMessage> awaited(const PipelineSlot& slot) const {
    const int chunk = chunk_of(slot.virtual_stage);
    const int other = slot.backward ? chunk + 1 : chunk - 1;
    return message(slot, other, chunk);
  }

  void pass(const PipelineSlot& slot) {
    if (const auto message = awaited(slot)) listener_.receive(*message);
    const auto index = static_cast<std::size_t>(slot.virtual_stage);
    if (reduces_beside_ && slot.backward && slot.micro_batch == shape_.last_backward_micro_batch())
      last_backward(slot, cost_.chunks[index]);
    else
      pass(slot, 0, cost_.chunks[index].backward.size(),
           slot.backward ? chunks_[index].backward : chunks_[index].forward);
    const int chunk = chunk_of(slot.virtual_stage);
    const int other = slot.backward ? chunk - 1 : chunk + 1;
    if (const auto sent = message(slot, other, other)) listener_.send(*sent, setup_.overlap_messages);
  }

  // Walks through what comes after all passes.
  void update() {
    if (setup_.plan.forward_only) return listener_.end();
    const int layer = static_cast<int>(cost_.chunks.size());
    if (!setup_.overlap_gradients && setup_.plan.zero < 2) reduce(layer, cost_.parameters);
    listener_.wait_for_all();
    listener_.update(layer, cost_.optimizer.rounded(), cost_.shared_embedding.rounded());
    if (!cost_.gather.requests.empty())
      listener_.gather(layer, cost_.gather,
                       setup_.overlap_parameters ? chunks_.front().forward.total : Time());
    listener_.end();
  }

 private:
  struct PassTime {
    Time total, communication;
    std::array<Time, axis_count> exposed;
    Contention contention;
  };
  struct ChunkTimes {
    PassTime forward, backward;
  };

  static PassTime time_of(const BlockTime& time) {
    const Time total = time.total.rounded();
    PassTime of{
        total, std::max(Time(), total - time.without_communication.rounded()), {}, contention_of(time)};
    for (std::size_t axis = 0; axis < axis_count; ++axis) of.exposed[axis] = time.exposed[axis].rounded();
    return of;
  }
  void pass(const PipelineSlot& slot, std::size_t first, std::size_t end, const PassTime& time) {
    listener_.pass({slot, first, end, time.total, time.communication, time.exposed, time.contention});
  }

  int chunk_of(int virtual_stage) const { return virtual_stage * shape_.stages + stage_; }

  // Returns the message between this stage and that of chunk `other`, which goes to chunk `receiver`. Returns
  // none where that is this stage, too, or where there is no such chunk.
  std::optional<StageMessage> message(const PipelineSlot& slot, int other, int receiver) const {
    if (other < 0 || other >= shape_.chunks() || other % shape_.stages == stage_) return std::nullopt;
    return StageMessage{other % shape_.stages, 2 * receiver + (slot.backward ? 1 : 0), slot};
  }

  // Cuts the pass after each piece that fills a bucket.
  void last_backward(const PipelineSlot& slot, const ChunkCost& cost) {
    const double bytes = bytes_per_parameter(setup_.optimizer, setup_.precision).gradients;
    BlockTime time;
    BlockParameters ready;  // parameters whose gradients are there and not reduced
    std::size_t first = 0;
    for (std::size_t i = 0; i < cost.backward.size(); ++i) {
      const BackwardPiece& piece = cost.backward[i];
      time += piece.time;
      ready += piece.parameters;
      const bool is_last = i + 1 == cost.backward.size();
      if (!is_last && static_cast<double>(ready.total()) * bytes < setup_.stack.bucket.as_double()) continue;
      pass(slot, first, i + 1, time_of(time));
      reduce(slot.virtual_stage, ready);
      time = {};
      ready = {};
      first = i + 1;
    }
  }

  void reduce(int layer, const BlockParameters& parameters) {
    const ParameterExchange reduction = costs_.reduction(parameters);
    if (!reduction.requests.empty()) listener_.exchange(layer, reduction);
  }

  const TrainingSetup& setup_;
  const PipelineShape shape_;
  const StageCost& cost_;
  const StageCosts& costs_;
  const int stage_;
  Listener& listener_;
  const bool reduces_beside_;  // whether gradients are reduced while the backward pass goes on
  std::vector<ChunkTimes> chunks_;
};

}  // namespace orrery::core
