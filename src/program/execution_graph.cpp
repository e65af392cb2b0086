#include "program/execution_graph.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::core {

ExecutionGraph::ExecutionGraph(std::shared_ptr<const GraphEdges> predecessors)
    : is_named_(true), own_edges_(nullptr), edges_(std::move(predecessors)) {}

ExecutionGraph::Id ExecutionGraph::add(const Operation& operation, std::span<const Id> predecessors) {
  assert(own_edges_ && "the graph was made with its edges");
  if (own_edges_.use_count() > 2) edges_ = own_edges_ = std::make_shared<GraphEdges>(*own_edges_);  // a copy
  pack(operation);
  own_edges_->ids.insert(own_edges_->ids.end(), predecessors.begin(), predecessors.end());
  own_edges_->end_list();
  return static_cast<Id>(packed_.size() - 1);
}

void ExecutionGraph::append(const Operation& operation, std::string_view name, std::uint64_t number) {
  const std::size_t id = packed_.size();
  if (id == 0) first_number_ = number;
  if (numbers_.empty() && number != first_number_ + id)
    for (std::size_t before = 0; before < id; ++before) numbers_.push_back(first_number_ + before);
  if (!numbers_.empty()) numbers_.push_back(number);
  pack(operation);
  packed_.back().name = static_cast<std::uint32_t>(names_.size());
  names_ += name;
}

void ExecutionGraph::reserve(std::size_t operations, std::size_t letters) {
  packed_.reserve(operations);
  names_.reserve(letters);
}

void ExecutionGraph::pack(const Operation& operation) {
  Packed& packed = packed_.emplace_back();
  packed.kind = operation.kind;
  packed.pass = operation.pass;
  packed.slot = operation.slot;
  packed.background = operation.background;
  packed.timed = operation.timed;
  packed.skipped = operation.skipped;
  packed.updates = operation.updates;
  packed.host_work = operation.host_work;
  if (operation.kind == OperationKind::collective) {
    packed.value = number_of(operation.collective, operation.timed ? operation.duration : operation.delay);
  } else if (has_message(packed)) {
    packed.value = messages_.size();
    messages_.push_back(operation.message);
  } else {
    packed.value = static_cast<std::uint64_t>(operation.duration.ps());
  }
  if (operation.communication > Time()) {
    communication_.resize(packed_.size());
    communication_.back() = operation.communication;
  }
  if (operation.contention != Contention()) {
    contention_.resize(packed_.size());
    contention_.back() = operation.contention;
  }
  const Place place{operation.layer, operation.iteration, operation.micro_batch, operation.work,
                    operation.waits_within};
  if (place == Place()) return;
  places_.resize(packed_.size());
  places_.back() = place;
}

// Programs ask for few different requests, mostly in turn, so the search begins with the last ones.
std::uint64_t ExecutionGraph::number_of(const CollectiveRequest& request, Time delay) {
  constexpr std::size_t most = 16;
  for (std::size_t back = 1; back <= std::min(most, collectives_.size()); ++back) {
    const std::size_t number = collectives_.size() - back;
    if (delays_[number] == delay && collectives_[number] == request) return number;
  }
  collectives_.push_back(request);
  delays_.push_back(delay);
  return collectives_.size() - 1;
}

std::string_view ExecutionGraph::name(Id id) const {
  if (names_.empty()) return {};
  const std::size_t end = id + 1 < packed_.size() ? packed_[id + 1].name : names_.size();
  return std::string_view(names_).substr(packed_[id].name, end - packed_[id].name);
}

}  // namespace orrery::core
