#include "simulate/run/zero_communication.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "program/message_pairs.hpp"
#include "simulate/slots/slot_issuer.hpp"
#include "simulate/slowdown.hpp"

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

constexpr std::uint32_t nothing = 0xffffffff;

// A part's graph, in which every receive follows the send that it gets, in the graph of another part.
struct LinkedGraph {
  const ExecutionGraph* graph;
  GraphEdges successors;
  // Each operation's place among those that follow several others. One that follows no more than one other
  // has none, because it starts when that one ends.
  std::vector<std::uint32_t> join;
  std::vector<std::uint32_t> joined;  // number of operations that these follow, by `join`
};

std::vector<LinkedGraph> linked_graphs(const Program& program) {
  std::vector<LinkedGraph> parts;
  for (const ProgramPart& part : program.parts) {
    LinkedGraph& made = parts.emplace_back(LinkedGraph{&part.graph, part.graph.successors(), {}, {}});
    for (Id id = 0; id < part.graph.size(); ++id) {
      const auto before = static_cast<std::uint32_t>(part.graph.predecessors(id).size()) +
                          (part.graph.kind(id) == OperationKind::receive ? 1 : 0);
      made.join.push_back(before > 1 ? static_cast<std::uint32_t>(made.joined.size()) : nothing);
      if (before > 1) made.joined.push_back(before);
    }
  }
  return parts;
}

// Goes through the graphs without events: an operation starts when the last one ends that it follows.
class ZeroCommunicationTime {
 public:
  // Ranks of one part differ only by their speeds, so one walker does for them all where none is slowed.
  ZeroCommunicationTime(const Program& program, const Machine& machine, const RankClasses& classes,
                        const RankParts& parts, const Clock& clock)
      : program_(program),
        machine_(machine),
        classes_(classes),
        clock_(clock),
        by_class_(!machine.compute_slowdown.empty()),
        graphs_(linked_graphs(program)),
        messages_(std::make_shared<const MessagePairs>(program)) {
    run_.by_class = by_class_;
    const auto walkers = by_class_ ? classes.count() : static_cast<std::uint32_t>(program.parts.size());
    for (std::uint32_t number = 0; number < walkers; ++number)
      add_walker(by_class_ ? parts.of(ClassId(number)) : number);
  }

  ZeroCommunicationRun run() {
    for (std::uint32_t number = 0; number < walkers_.size(); ++number) {
      const ExecutionGraph& graph = *graph_of(number).graph;
      for (Id id = 0; id < graph.size(); ++id)
        if (graph.predecessors(id).empty()) follow({number, id, 0});
    }
    run_.messages = messages_;
    return std::move(run_);
  }

 private:
  struct Walker {
    std::uint32_t part;
    std::size_t first_join;  // in missing_ and last_end_
  };
  struct Start {
    std::uint32_t walker;
    Id id;
    Stamp at;
  };

  const LinkedGraph& graph_of(std::uint32_t walker) const { return graphs_[walkers_[walker].part]; }
  // Returns the lowest rank for which a walker walks where there is one for each class.
  RankId representative_of(std::uint32_t walker) const { return classes_.representative(ClassId(walker)); }

  void add_walker(std::uint32_t part) {
    walkers_.push_back({part, missing_.size()});
    const std::vector<std::uint32_t>& joined = graphs_[part].joined;
    missing_.insert(missing_.end(), joined.begin(), joined.end());
    last_end_.resize(missing_.size(), 0);
    run_.operations.emplace_back(graphs_[part].graph->size());
    run_.finish.emplace_back();
  }

  // Goes through an operation and through all that it allows to start.
  void follow(const Start& first) {
    ready_.push_back(first);
    while (!ready_.empty()) {
      const Start start = ready_.back();
      ready_.pop_back();
      const LinkedGraph& graph = graph_of(start.walker);
      const Stamp end = clock_.add(start.at, clock_.span(duration(start)));
      record(start, end);
      for (const Id follower : graph.successors.of(start.id)) end_before({start.walker, follower, end});
      if (graph.graph->kind(start.id) != OperationKind::send) continue;
      if (const Id receive = messages_->receive_of(walkers_[start.walker].part, start.id);
          receive != MessagePairs::none)
        end_before({receiver_of(start), receive, end});
    }
  }

  // A receive begins when its rank gets to it, and ends when the message is there.
  void record(const Start& start, Stamp end) {
    const ExecutionGraph& graph = *graph_of(start.walker).graph;
    std::vector<Interval>& operations = run_.operations[start.walker];
    Interval& interval = operations[start.id];
    interval = {clock_.time(start.at), clock_.time(end)};
    if (graph.kind(start.id) == OperationKind::end) run_.finish[start.walker] = interval.end;
    if (graph.kind(start.id) != OperationKind::receive) return;
    interval.start = Time();
    for (const Id before : graph.predecessors(start.id))
      interval.start = std::max(interval.start, operations[before].end);
  }

  // Tells an operation that one of those before it ends at the time.
  void end_before(const Start& follower) {
    const std::uint32_t join = graph_of(follower.walker).join[follower.id];
    if (join == nothing) {
      ready_.push_back(follower);
      return;
    }
    const std::size_t place = walkers_[follower.walker].first_join + join;
    last_end_[place] = std::max(last_end_[place], follower.at);
    if (--missing_[place] == 0) ready_.push_back({follower.walker, follower.id, last_end_[place]});
  }

  Time duration(const Start& of) const {
    const ExecutionGraph& graph = *graph_of(of.walker).graph;
    switch (graph.kind(of.id)) {
      case OperationKind::compute:
        return slowed(graph.duration(of.id) - graph.communication(of.id),
                      by_class_ ? machine_.slowdown_of(representative_of(of.walker)) : 1, machine_.dialect);
      case OperationKind::transition:
        return graph.duration(of.id) - graph.communication(of.id);
      case OperationKind::collective:
        return graph.delay(of.id);
      default:
        return {};
    }
  }

  // Returns the walker that receives what a send sends: it is at the same place of another part.
  std::uint32_t receiver_of(const Start& send) const {
    const std::uint32_t peer = graph_of(send.walker).graph->message(send.id).peer;
    if (!by_class_) return peer;
    return classes_
        .class_of(
            rank_at_same_place(program_, walkers_[send.walker].part, representative_of(send.walker), peer))
        .value();
  }

  const Program& program_;
  const Machine& machine_;
  const RankClasses& classes_;
  const Clock& clock_;
  const bool by_class_;
  const std::vector<LinkedGraph> graphs_;  // by part
  const std::shared_ptr<const MessagePairs> messages_;
  std::vector<Walker> walkers_;  // by class, or by part
  std::vector<std::uint32_t>
      missing_;                  // by walker and LinkedGraph::join: those before it that have not ended
  std::vector<Stamp> last_end_;  // the last end of those that have
  std::vector<Start> ready_;     // a stack
  ZeroCommunicationRun run_;     // what the walkers do
};

// Collectives end in the instant in which a rank begins them.
class FreeCollectives final : public CollectiveBackend, private EventHandler {
 public:
  FreeCollectives(EventLoop& loop, CollectiveListener& listener)
      : loop_(loop), handler_(loop.add_handler(*this)), listener_(listener) {}

  [[nodiscard]] Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest&,
                             Stamp) override {
    loop_.after(0, Event{handler_, 0, of_class.value(), token, 0});
    return Issued::later;
  }
  std::vector<Waiting> waiting() const override { return {}; }

 private:
  void handle(const Event& event) override {
    listener_.collective_completed(ClassId(event.rank), event.object);
  }

  EventLoop& loop_;
  std::uint16_t handler_;
  CollectiveListener& listener_;
};

class FreeTransport final : public Transport {
 public:
  explicit FreeTransport(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override { loop_.after(0, delivered); }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};

}  // namespace

ZeroCommunicationRun run_without_communication(const Program& program, const Machine& machine,
                                               const RankClasses& classes, const RankParts& parts,
                                               const Clock& clock) {
  return ZeroCommunicationTime(program, machine, classes, parts, clock).run();
}

ZeroCommunicationRun run_without_communication(const Program& program, const Machine& machine) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  RankTimers timers(loop, machine.topology.npus());
  FreeTransport transport(loop);
  Messenger messenger(loop, transport, false);
  SlotIssuer issuer(loop, timers, program, machine, ranks, false);
  FreeCollectives collectives(loop, issuer);
  MemoryServers memory(loop, timers, machine.memory, machine.topology.npus());
  issuer.start(collectives, messenger, memory);
  loop.run({});
  return {true, issuer.take_intervals(), issuer.take_finish()};
}

}  // namespace orrery::core
