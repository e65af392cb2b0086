// The waist of the simulator: what one rank does, as a graph of operations. Every workload format becomes
// one; issuers run nothing else. All ranks of a class run the same graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units/time.hpp"
#include "program/collective_request.hpp"
#include "program/endpoint.hpp"
#include "program/graph_edges.hpp"

namespace orrery::core {

// The one of a layer's three passes that an operation belongs to.
enum class Pass : std::uint8_t { forward, input_gradient, weight_gradient };
inline constexpr int passes_of_a_layer = 3;

enum class OperationKind : std::uint8_t {
  compute,
  collective,
  send,        // sends a message to another graph's rank; complete when it has arrived
  receive,     // complete when the message has arrived
  load,        // from memory beyond the rank's own; complete when it has been served
  store,       // to such memory; complete when it has been served
  transition,  // time a program spends on going to its next state; nobody computes
  note,        // takes no time: it says something about the program
  unknown,     // takes no time: its frontend knows nothing else about it
  begin,       // takes no time: the program starts
  pass_end,    // takes no time: one training iteration has reached its end
  end,         // takes no time: the program has nothing left to wait for
};

inline bool is_message(OperationKind kind) {
  return kind == OperationKind::send || kind == OperationKind::receive;
}

// The thing that an operation occupies where ranks issue in slots (OperationIssue::slots). Each slot holds
// one operation at a time.
enum class Slot : std::uint8_t { host, compute, communication, none };
inline constexpr std::size_t operation_slots = 3;  // without `none`

// The end of a message. The n-th receive with some tag gets the n-th send of that tag from one graph to
// another.
struct MessageEnd {
  std::uint32_t peer = 0;  // the other graph, or the other rank (program/program.hpp)
  std::uint32_t tag = 0;
  Bytes size;  // of sends, loads and stores; where ranks issue in slots, of receives, too
  // For sends: messages of one connection between two ranks go one behind the other, and those of different
  // connections share links.
  std::uint32_t connection = 0;
};

// A communicator of which WaitWithin speaks where what is waited for is none of its collectives, but
// messages.
inline constexpr std::uint32_t no_communicator = 0xffffffff;

// The part of a computation's time in which it waits for collectives among a communicator that are no
// operations of their own.
struct WaitWithin {
  std::uint32_t communicator = no_communicator;
  Time time;

  bool operator==(const WaitWithin&) const = default;
};

// Says what the process that drives a rank's device does while the device waits for it.
enum class HostWork : std::uint8_t {
  none,
  launches,    // it hands out samples and launches kernels
  exchanges,   // it starts exchanges of gradients
  evaluation,  // it evaluates the outputs of a forward pass
};

struct Operation {
  OperationKind kind = OperationKind::compute;
  Pass pass = Pass::forward;
  std::int32_t layer = -1;  // in layer_names; -1: none
  std::int32_t iteration = 0;
  Time duration = {};  // compute, transition, and whatever is timed
  CollectiveRequest collective = {};
  Time delay = {};                // after the collective, before it counts as complete
  MessageEnd message = {};        // sends and receives; the size of loads and stores
  std::int32_t micro_batch = -1;  // -1: not of one
  // The operation runs beside the rank's program, such as the work of a parameter server. It is no part of
  // what the rank computes or awaits.
  bool background = false;
  // The part of `duration` by which a computation or transition would be shorter if communication took no
  // time: it holds exchanges that are no operations of their own.
  Time communication = {};
  Contention contention = {};
  std::uint16_t waits_within = 0;       // what a computation waits for within, in waits_within; 0: nothing
  bool updates = false;                 // a computation that updates weights
  HostWork host_work = HostWork::none;  // of a computation in the slot of the host
  // The following three members count only where ranks issue in slots.
  Slot slot = Slot::compute;
  bool timed = false;      // takes `duration`, whatever its kind, and nothing is sent
  bool skipped = false;    // ends when it is issued; what it frees waits for the rank's next pass
  std::int16_t work = -1;  // what it computes, in work_names; -1: nobody says
};

// Names what operations compute, where operators are told apart.
struct WorkName {
  std::string name;       // "qkv"
  std::string_view kind;  // "matrix product", "attention", "convolution", "elementwise", "optimizer", "other"

  bool operator==(const WorkName&) const = default;
};

// Traces of millions of operations exist, so an operation takes 16 bytes, its edges and its name. What only
// some operations have is kept apart.
class ExecutionGraph {
 public:
  using Id = std::uint32_t;

  std::vector<std::string> layer_names;
  std::vector<WorkName> work_names;
  std::vector<std::vector<WaitWithin>> waits_within = {{}};  // lists that computations name by number

  ExecutionGraph() = default;
  // Makes a graph of operations whose predecessors are known, and may be those of other graphs, too. append()
  // gives it the operations.
  explicit ExecutionGraph(std::shared_ptr<const GraphEdges> predecessors);

  // Appends an operation that starts when all `predecessors` are complete. By convention the first
  // predecessor is the one before it in program order (only a `begin` has none), and the others are what the
  // program has to wait for there. This is not for graphs that were made with their edges.
  Id add(const Operation& operation, std::span<const Id> predecessors);
  // Appends the next operation of a graph that was made with its edges. `number` is what users call it;
  // numbers ascend.
  void append(const Operation& operation, std::string_view name, std::uint64_t number);
  // Makes room for so many operations, with so many letters in their names.
  void reserve(std::size_t operations, std::size_t letters);

  std::size_t size() const { return packed_.size(); }
  Operation operator[](Id id) const;
  // The following functions are quicker than reading the whole operation.
  OperationKind kind(Id id) const { return packed_[id].kind; }
  Slot slot(Id id) const { return packed_[id].slot; }
  bool is_timed(Id id) const { return packed_[id].timed; }
  bool is_skipped(Id id) const { return packed_[id].skipped; }
  bool is_background(Id id) const { return packed_[id].background; }
  bool updates(Id id) const { return packed_[id].updates; }
  Pass pass(Id id) const { return packed_[id].pass; }
  HostWork host_work(Id id) const { return packed_[id].host_work; }
  std::int32_t layer(Id id) const { return id < places_.size() ? places_[id].layer : -1; }
  const std::vector<WaitWithin>& waits_within_of(Id id) const {
    return waits_within[id < places_.size() ? places_[id].waits_within : 0];
  }
  Time duration(Id id) const;
  Time communication(Id id) const { return id < communication_.size() ? communication_[id] : Time(); }
  Contention contention(Id id) const { return id < contention_.size() ? contention_[id] : Contention(); }
  // Returns whether any computation and collectives cost each other something.
  bool contends() const { return !contention_.empty(); }
  Time delay(Id id) const { return delays_[packed_[id].value]; }  // of a collective
  // These return what a collective asks for, and the end of a message that a send or receive is.
  const CollectiveRequest& collective(Id id) const { return collectives_[packed_[id].value]; }
  const MessageEnd& message(Id id) const { return messages_[packed_[id].value]; }
  // The first function returns the requests of collectives, where alike requests mostly occur once. The
  // second returns the number of a collective's request.
  std::span<const CollectiveRequest> collectives() const { return collectives_; }
  std::uint32_t collective_number(Id id) const { return static_cast<std::uint32_t>(packed_[id].value); }

  // Returns whether users have numbers and names for operations.
  bool is_named() const { return is_named_; }
  // The name is valid as long as the graph is there and the same.
  std::string_view name(Id id) const;
  std::uint64_t number(Id id) const { return numbers_.empty() ? first_number_ + id : numbers_[id]; }

  std::span<const Id> predecessors(Id id) const { return edges_->of(id); }
  const std::shared_ptr<const GraphEdges>& edges() const { return edges_; }
  // Returns the successors of all operations, in order of their ids. Each call computes them.
  GraphEdges successors() const { return reversed(*edges_); }

 private:
  struct Packed {
    std::uint64_t value = 0;  // duration in ps; or index in what stands apart
    std::uint32_t name = 0;   // where its name begins in names_
    OperationKind kind = OperationKind::compute;
    Pass pass : 2 = Pass::forward;
    Slot slot : 2 = Slot::compute;
    bool background : 1 = false, timed : 1 = false, skipped : 1 = false, updates : 1 = false;
    HostWork host_work = HostWork::none;
  };
  struct Place {  // in a training program
    std::int32_t layer = -1, iteration = 0, micro_batch = -1;
    std::int16_t work = -1;
    std::uint16_t waits_within = 0;
    bool operator==(const Place&) const = default;
  };

  void pack(const Operation& operation);
  std::uint64_t number_of(const CollectiveRequest& request, Time delay);
  static bool has_message(const Packed& packed) {
    return !packed.timed && packed.kind >= OperationKind::send && packed.kind <= OperationKind::store;
  }

  std::vector<Packed> packed_;
  std::vector<Place> places_;           // up to the last that has one
  std::vector<Time> communication_;     // likewise
  std::vector<Contention> contention_;  // likewise
  std::vector<CollectiveRequest> collectives_;
  std::vector<Time> delays_;  // of collectives, the durations of timed ones
  std::vector<MessageEnd> messages_;
  std::string names_;
  std::uint64_t first_number_ = 0;
  std::vector<std::uint64_t> numbers_;  // empty: they count from the first
  bool is_named_ = false;
  // Null: the graph was made with its edges.
  std::shared_ptr<GraphEdges> own_edges_ = std::make_shared<GraphEdges>();
  std::shared_ptr<const GraphEdges> edges_ = own_edges_;
};

inline Time ExecutionGraph::duration(Id id) const {
  const Packed& packed = packed_[id];
  if (packed.kind == OperationKind::collective) return packed.timed ? delays_[packed.value] : Time();
  return has_message(packed) ? Time() : Time::from_ps(static_cast<std::int64_t>(packed.value));
}

inline Operation ExecutionGraph::operator[](Id id) const {
  const Packed& packed = packed_[id];
  Operation operation;
  operation.kind = packed.kind;
  operation.pass = packed.pass;
  operation.background = packed.background;
  operation.slot = packed.slot;
  operation.timed = packed.timed;
  operation.skipped = packed.skipped;
  operation.updates = packed.updates;
  operation.host_work = packed.host_work;
  operation.duration = duration(id);
  operation.communication = communication(id);
  operation.contention = contention(id);
  if (packed.kind == OperationKind::collective) {
    operation.collective = collectives_[packed.value];
    if (!packed.timed) operation.delay = delays_[packed.value];
  }
  if (has_message(packed)) operation.message = messages_[packed.value];
  if (id < places_.size()) {
    operation.layer = places_[id].layer;
    operation.iteration = places_[id].iteration;
    operation.micro_batch = places_[id].micro_batch;
    operation.work = places_[id].work;
    operation.waits_within = places_[id].waits_within;
  }
  return operation;
}

}  // namespace orrery::core
