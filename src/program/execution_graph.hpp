// The waist of the simulator: what one rank does, as a graph of operations. Every workload format becomes
// one; the executor runs nothing else. All ranks of a class run the same graph.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "program/collective_request.hpp"

namespace orrery {

// Which of a layer's three passes an operation belongs to.
enum class Pass : std::uint8_t { forward, input_gradient, weight_gradient };
inline constexpr int passes_of_a_layer = 3;

enum class OperationKind : std::uint8_t {
  compute,
  collective,
  send,        // of a message to another graph's rank; complete when it has arrived
  receive,     // complete when the message has arrived
  transition,  // time a program spends on going to its next state; nobody computes
  begin,       // takes no time: the program starts
  pass_end,    // takes no time: one training iteration has reached its end
  end,         // takes no time: the program has nothing left to wait for
};

// The n-th send of one graph to another with some tag is what the n-th receive of that tag gets.
struct MessageEnd {
  std::uint32_t peer = 0;  // the other graph (program/program.hpp)
  std::uint32_t tag = 0;
  Bytes size;  // of sends
  // Of sends: messages of one connection between two ranks go one behind the other; those of different ones
  // share links.
  std::uint32_t connection = 0;
};

struct Operation {
  OperationKind kind = OperationKind::compute;
  Pass pass = Pass::forward;
  std::int32_t layer = -1;  // in layer_names; -1: none
  std::int32_t iteration = 0;
  Time duration = {};  // compute, transition
  CollectiveRequest collective = {};
  Time delay = {};                // after the collective, before it counts as complete
  MessageEnd message = {};        // sends and receives
  std::int32_t micro_batch = -1;  // -1: not of one
  // Beside the rank's program, such as the work of a parameter server: no part of what it computes or awaits.
  bool background = false;
  std::int16_t work = -1;  // what it computes, in work_names; -1: nobody says
};

// What operations compute, where operators are told apart.
struct WorkName {
  std::string name;       // "qkv"
  std::string_view kind;  // "matrix product", "attention", "convolution", "elementwise", "optimizer", "other"

  bool operator==(const WorkName&) const = default;
};

class ExecutionGraph {
 public:
  using Id = std::uint32_t;

  std::vector<std::string> layer_names;
  std::vector<WorkName> work_names;

  // Appends an operation that starts when all `predecessors` are complete. By convention the first
  // predecessor is the one before it in program order (only a `begin` has none), the others are what the
  // program has to wait for there.
  Id add(const Operation& operation, std::span<const Id> predecessors);

  std::size_t size() const { return operations_.size(); }
  const Operation& operator[](Id id) const { return operations_[id]; }
  std::span<const Id> predecessors(Id id) const;

  // Successors of all operations, in order of their ids. Computed by each call.
  struct Successors {
    std::vector<std::uint32_t> first;  // size() + 1 entries
    std::vector<Id> ids;
    std::span<const Id> of(Id id) const {
      return std::span(ids).subspan(first[id], first[id + 1] - first[id]);
    }
  };
  Successors successors() const;

 private:
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> first_predecessor_{0};
  std::vector<Id> predecessors_;
};

}  // namespace orrery
