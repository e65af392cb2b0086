#include "simulate/part_collectives.hpp"

#include <algorithm>
#include <map>

#include "simulate/folding.hpp"

namespace orrery {

// Ranks of a part can differ in when they end a collective, by their places in a tree. All their classes take
// part, as on a machine that runs nothing but this part.
class PartCollectives::PartEngine final : private CollectiveListener {
 public:
  PartEngine(EventLoop& loop, const ExecutionGraph& graph, const Machine& machine,
             const AnalyticalNetwork& network, std::uint32_t part, CollectiveListener& listener)
      : classes_(classes_of_equal_ranks(machine, survey_collectives(graph, machine))),
        timers_(loop, static_cast<int>(classes_.count())),
        engine_(loop, timers_,
                {machine.system, machine.dialect, machine.topology, machine.dimensions, network,
                 machine.slow_links},
                {classes_, false, true, false}, *this),
        part_(part),
        listener_(listener) {}

  bool issue(std::uint32_t token, const CollectiveRequest& request, Stamp at) {
    bool active = false;
    for (std::uint32_t number = 0; number < classes_.count(); ++number)
      active |= engine_.issue(number, token, request, at);
    if (active) left_[token] = classes_.count();
    return active;
  }

  const CollectiveEngine& engine() const { return engine_; }

 private:
  void collective_completed(std::uint32_t, std::uint32_t token) override {
    const auto left = left_.find(token);
    if (--left->second > 0) return;
    left_.erase(left);
    listener_.collective_completed(part_, token);
  }

  const RankClasses classes_;
  RankTimers timers_;
  CollectiveEngine engine_;
  std::uint32_t part_;
  CollectiveListener& listener_;
  std::map<std::uint32_t, std::uint32_t> left_;  // classes that are not through, by token
};

namespace {

bool has_collectives(const ExecutionGraph& graph) {
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph[id].kind == OperationKind::collective) return true;
  return false;
}

}  // namespace

PartCollectives::PartCollectives(EventLoop& loop, const ParallelProgram& program, const Machine& machine,
                                 const AnalyticalNetwork& network, CollectiveListener& listener) {
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    parts_.push_back(has_collectives(graph)
                         ? std::make_unique<PartEngine>(loop, graph, machine, network, part, listener)
                         : nullptr);
  }
}

PartCollectives::~PartCollectives() = default;

bool PartCollectives::issue(std::uint32_t part, std::uint32_t token, const CollectiveRequest& request,
                            Stamp at) {
  return parts_[part]->issue(token, request, at);
}

const CollectiveEngine* PartCollectives::engine_of(std::size_t part) const {
  return parts_[part] ? &parts_[part]->engine() : nullptr;
}

}  // namespace orrery
