#include "workload/training/stages/stage_of_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "workload/training/exchange_steps.hpp"
#include "workload/training/stages/block_costs.hpp"

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

bool comes_in_blocks(const Step& step) {
  return is_in_blocks(step, CollectiveKind::all_gather);
}
bool goes_in_blocks(const Step& step) {
  return is_in_blocks(step, CollectiveKind::reduce_scatter);
}

// The place where operators of a block are noted; null: they are not noted.
struct BlockNotes {
  StageNotes* notes;
  BlockKind kind;
  bool backward;
};
std::string_view kind_of(const Operator& op) {
  if (std::holds_alternative<Gemm>(op.work)) return "matrix product";
  if (std::holds_alternative<Convolution>(op.work)) return "convolution";
  return std::holds_alternative<Attention>(op.work) ? "attention" : "elementwise";
}

// Returns whether collectives within layers take what they take alone.
bool has_known_exchanges(const TrainingSetup& setup) {
  return setup.exchange_time || setup.library;
}

// Writes the steps of one block.
class BlockWriter {
 public:
  using Lanes = std::array<std::optional<Id>, axis_count>;

  BlockWriter(const TrainingSetup& setup, const TrainingCommunicators& communicators,
              const std::vector<Step>& steps, const Operation& like, GraphBuilder& graph, Lanes& lanes,
              const BlockNotes& notes, bool names_operators)
      : setup_(setup),
        communicators_(communicators),
        steps_(steps),
        like_(like),
        graph_(graph),
        lanes_(lanes),
        notes_(notes),
        names_operators_(names_operators),
        exchange_time_(has_known_exchanges(setup) ? exchange_time_of(setup) : ExchangeTime()),
        ends_(steps.size()),
        first_part_ends_(steps.size()),
        sent_from_(steps.size(), 0) {
    for (const Step& step : steps)
      if (const Exchange* exchange = exchange_of(step))
        for (const int wait : step.waits)
          if (wait != block_input)
            sent_from_[static_cast<std::size_t>(wait)] =
                std::max(sent_from_[static_cast<std::size_t>(wait)],
                         goes_in_blocks(step) ? exchange->blocks : std::uint64_t{1});
  }

  void write() {
    Operation anchor = like_;
    anchor.kind = OperationKind::transition;
    begin_ = graph_.append(anchor);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (exchange_of(steps_[i]))
        send(i);
      else
        compute(i);
    flush();
    for (const std::optional<Id>& last : touched_)
      if (last) graph_.wait_for(*last);
    wait_for_host();
  }

 private:
  // Waits of operators for each other are the order of the program.
  void compute(std::size_t i) {
    const auto& op = std::get<Operator>(steps_[i].work);
    const OperatorTime time = device_of(setup_).time(op);
    ++operators_;
    std::vector<std::pair<Id, Time>> tails;  // gathers, and the time of the last block
    for (const int wait : steps_[i].waits) {
      if (wait == block_input || !exchange_of(steps_[static_cast<std::size_t>(wait)])) continue;
      await(static_cast<std::size_t>(wait), time.alone, tails);
    }
    add(i, time);
    for (const auto& [gather, rest] : tails) {
      flush();
      Operation tail = like_;
      tail.kind = OperationKind::transition;
      tail.duration = rest;
      graph_.wait_for(graph_.after(gather, tail));
    }
  }

  void await(std::size_t wait, Time duration, std::vector<std::pair<Id, Time>>& tails) {
    flush();
    if (!comes_in_blocks(steps_[wait])) {
      graph_.wait_for(ends_[wait]);
      return;
    }
    // The rank's own block is there when the gather could begin.
    for (const int before : steps_[wait].waits)
      if (before != block_input && exchange_of(steps_[static_cast<std::size_t>(before)]))
        graph_.wait_for(ends_[static_cast<std::size_t>(before)]);
    const auto blocks = static_cast<std::int64_t>(exchange_of(steps_[wait])->blocks);
    tails.emplace_back(ends_[wait], Time::from_ps(duration.ps() / blocks));
  }

  // Adds an operator to those that are not written yet.
  void add(std::size_t i, const OperatorTime& time) {
    // Collectives slow each operator down by as much as it takes itself.
    if (names_operators_ || setup_.contended) flush();
    if (names_operators_) {
      work_ =
          graph_.work({std::get<Operator>(steps_[i].work).name, kind_of(std::get<Operator>(steps_[i].work))});
    }
    if (sent_from_[i] > 1) {
      flush();
      const Time first = Time::from_ps(time.alone.ps() / static_cast<std::int64_t>(sent_from_[i]));
      put_off(i, first, time);
      flush();
      first_part_ends_[i] = graph_.last();
      put_off(i, time.alone - first, time);
    } else {
      put_off(i, time.alone, time);
    }
    if (sent_from_[i] == 0) return;
    flush();
    ends_[i] = graph_.last();
  }

  void put_off(std::size_t i, Time duration, const OperatorTime& whole) {
    pending_ += duration;
    contention_ = whole.contention.of_part(duration, whole.alone);
    if (notes_.notes)
      noted_.push_back({notes_.kind, notes_.backward, static_cast<std::uint16_t>(i), duration});
  }

  void flush() {
    if (pending_ == Time()) return;
    Operation operation = like_;
    operation.duration = std::exchange(pending_, Time());
    operation.work = work_;
    operation.contention = contention_;
    const Id id = graph_.append(operation);
    if (notes_.notes) notes_.notes->note_operators(id, noted_);
    noted_.clear();
  }

  void send(std::size_t i) {
    const Exchange& exchange = *exchange_of(steps_[i]);
    ++exchanges_;
    std::vector<Id> begins{begin_}, ends{begin_};
    for (const int wait : steps_[i].waits) {
      if (wait == block_input) continue;
      const auto before = static_cast<std::size_t>(wait);
      const bool streams = goes_in_blocks(steps_[i]) && !exchange_of(steps_[before]);
      begins.push_back(streams ? first_part_ends_[before] : ends_[before]);
      ends.push_back(ends_[before]);
    }
    if (!goes_in_blocks(steps_[i]) || begins == ends)
      ends_[i] = issue(exchange, exchange.bytes, ends);
    else if (exchange_time_)
      ends_[i] = issue_as_made(exchange, begins, ends);
    else
      ends_[i] = issue_in_two(exchange, begins, ends);
  }

  // When the last block has been made it is still to be sent, which takes its share of the whole.
  Id issue_as_made(const Exchange& exchange, const std::vector<Id>& begins, const std::vector<Id>& ends) {
    const Id whole = issue(exchange, exchange.bytes, begins);
    Operation last = like_;
    last.kind = OperationKind::transition;
    last.duration = last.communication =
        (exchange_time_(exchange) / static_cast<double>(exchange.blocks)).rounded();
    const std::array<Id, 2> both{whole, graph_.after(ends, last)};
    last.duration = last.communication = Time();
    const auto axis = static_cast<std::size_t>(exchange.axis);
    lanes_[axis] = touched_[axis] = graph_.after(both, last);
    return *lanes_[axis];
  }

  // Messages know their time when they meet others on the network, so the last block is sent by itself.
  Id issue_in_two(const Exchange& exchange, const std::vector<Id>& begins, const std::vector<Id>& ends) {
    const double last = exchange.bytes / static_cast<double>(exchange.blocks);
    issue(exchange, exchange.bytes - last, begins);
    return issue(exchange, last, ends);
  }

  Id issue(const Exchange& exchange, double bytes, std::vector<Id> predecessors) {
    const auto axis = static_cast<std::size_t>(exchange.axis);
    if (lanes_[axis]) predecessors.push_back(*lanes_[axis]);
    std::ranges::sort(predecessors);
    predecessors.erase(std::unique(predecessors.begin(), predecessors.end()), predecessors.end());
    Exchange part = exchange;
    part.bytes = bytes;
    Operation operation = like_;
    operation.kind = OperationKind::collective;
    operation.collective = request_of(part, communicators_);
    operation.collective.efficiency = setup_.stack.exchange_efficiency;
    if (setup_.exchange_time) operation.collective.takes = setup_.exchange_time(part).rounded();
    lanes_[axis] = touched_[axis] = graph_.after(predecessors, operation);
    return *lanes_[axis];
  }

  // The block takes at least the time that the host needs to launch it.
  void wait_for_host() {
    const Time host =
        setup_.stack.host_time_per_operator * operators_ + setup_.stack.host_time_per_exchange * exchanges_;
    if (host == Time()) return;
    Operation launches = like_;
    launches.kind = OperationKind::transition;
    launches.duration = host;
    graph_.wait_for(graph_.after(begin_, launches));
    // The block ends here, so that its waits and those between blocks are charged one after the other.
    launches.duration = Time();
    graph_.append(launches);
  }

  const TrainingSetup& setup_;
  const TrainingCommunicators& communicators_;
  const std::vector<Step>& steps_;
  const Operation like_;
  GraphBuilder& graph_;
  Lanes& lanes_;
  const BlockNotes notes_;
  const bool names_operators_;
  std::int16_t work_ = -1;  // that is pending, if operators are named
  Lanes touched_;           // the last collectives of this block
  Id begin_ = 0;
  const ExchangeTime exchange_time_;  // of collectives that meet no others; empty: only the network knows
  std::vector<Id> ends_;             // by step: what ends it, of collectives and operators whose data is sent
  std::vector<Id> first_part_ends_;  // of operators whose data is sent in blocks: the first block
  std::vector<std::uint64_t> sent_from_;  // by operator: blocks in which its data is sent; 0: it is not
  Time pending_;                          // of operators that are not written yet
  Contention contention_;             // of the one that is not written yet, where collectives slow it down
  std::vector<NotedOperator> noted_;  // these
  std::int64_t operators_ = 0, exchanges_ = 0;
};

}  // namespace

const StageOfBlocks::Block& StageOfBlocks::block_of_kind(BlockKind kind) {
  const auto [found, is_new] = known_.try_emplace(kind);
  if (!is_new) return found->second;
  Block& block = found->second;
  block.steps = orrery::core::block_of(kind, setup());
  const BlockParameters& parameters = costs().parts()[static_cast<std::size_t>(kind)];
  block.weights = costs().weights(parameters);
  if (setup().plan.zero >= 2) block.reduction = costs().reduction(parameters);
  return block;
}

void StageOfBlocks::write_block(BlockKind kind, const std::vector<Step>& steps, const PipelineSlot& slot) {
  BlockWriter(setup(), costs().communicators(), steps, like(slot, OperationKind::compute), graph(), lanes_,
              {notes(), kind, slot.backward}, names_operators_)
      .write();
}

// While a block computes, the weights of the next one are gathered and the gradients of the last one reduced.
void StageOfBlocks::pass(const PassPart& part) {
  begin_pass();
  const PipelineSlot& slot = part.slot;
  std::vector<BlockKind> kinds = blocks_[static_cast<std::size_t>(slot.virtual_stage)];
  if (slot.backward) {
    std::ranges::reverse(kinds);
    if (setup().plan.zero < 2)
      kinds = {kinds.begin() + static_cast<std::ptrdiff_t>(std::min(part.first, kinds.size())),
               kinds.begin() + static_cast<std::ptrdiff_t>(std::min(part.end, kinds.size()))};
  }
  const Pass pass = slot.backward ? Pass::input_gradient : Pass::forward;
  if (part.first == 0) {
    Operation overhead = like(slot, OperationKind::compute, setup().stack.time_per_pass);
    if (names_operators_) overhead.work = graph().work({"overhead of a pass", "other"});
    graph().append(overhead);
  }
  constexpr Id none = 0;  // the beginning of the program, which is no collective
  Id gathered = none, reduced = none;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Block& block = block_of_kind(kinds[i]);
    if (i == 0 && !block.weights.requests.empty()) gathered = write(block.weights, pass, slot.virtual_stage);
    if (gathered != none) graph().wait_for(std::exchange(gathered, none));
    if (i + 1 < kinds.size()) {
      const ParameterExchange& next = block_of_kind(kinds[i + 1]).weights;
      if (!next.requests.empty()) {
        Operation anchor = like(slot, OperationKind::transition);
        graph().append(anchor);
        gathered = write(next, pass, slot.virtual_stage);
      }
    }
    write_block(kinds[i], slot.backward ? block.steps.backward : block.steps.forward, slot);
    if (!slot.backward || block.reduction.requests.empty()) continue;
    graph().append(like(slot, OperationKind::transition));
    reduced = write(block.reduction, Pass::weight_gradient, slot.virtual_stage);
  }
  if (reduced != none) graph().wait_for(reduced);
  graph().append(like(slot, OperationKind::transition));
  end_pass();
}

}  // namespace orrery::core
