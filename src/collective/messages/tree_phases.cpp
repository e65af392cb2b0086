#include <fmt/format.h>

#include "collective/messages/phase_messages.hpp"

namespace orrery::core {

namespace {

const TreeSchedule& tree_of(const PhaseRun& run) {
  return std::get<TreeSchedule>(run.shape->schedule);
}

class TreePhases final : public PhaseKind {
 public:
  explicit TreePhases(const PhaseMachine& machine) : PhaseKind(machine, false) {}

  void open(PhaseRun& run) override {
    run.in_tree.clear();
    for (const RankId rank : first_ids<RankId>(machine_.runs.ranks()))
      run.in_tree.emplace_back(tree_of(run).node(run.position(rank)));
    run.expect(3);  // by relation
  }

  void start(RunId id, RankId rank) override {
    machine_.runs[id].in_tree[rank.index()].start(Port{*this, id, rank});
  }

  void handle(const Event& event_now) override {
    const RunId id = event_now.object;
    const RankId rank(event_now.rank);
    PhaseRun& run = machine_.runs[id];
    TreeMember& member = run.in_tree[rank.index()];
    const Port port{*this, id, rank};
    switch (event_now.what) {
      case endpoint_passed:
        // This is a step of its own even when it costs nothing: that decides the order within the instant.
        if (member.reduces()) {
          machine_.timers.after(class_of_simulated(rank), run.shape->reduction(0),
                                event(prepared, id, rank, event_now.extra));
          break;
        }
        [[fallthrough]];
      case prepared:
        member.prepared(static_cast<TreeSchedule::Step>(event_now.extra), port);
        break;
      case data_arrived:
        run.receives(rank, event_now.extra, machine_.loop);
        member.received(static_cast<TreeSchedule::Relation>(event_now.extra), port);
        break;
      default:
        break;
    }
  }

  PhaseMessage message(RunId id, RankId rank, std::uint32_t relation) const override {
    const PhaseRun& run = machine_.runs[id];
    const RankId peer =
        run.rank_at(rank, run.in_tree[rank.index()].peer(static_cast<TreeSchedule::Relation>(relation)));
    return {peer, peer, tree_of(run).bytes};
  }

  std::string waiting(RunId id, RankId rank) const override {
    const TreeMember& member = machine_.runs[id].in_tree[rank.index()];
    const bool gathered = member.has_gathered();
    const PhaseMessage next = message(id, rank, gathered ? TreeSchedule::parent : TreeSchedule::left);
    return fmt::format("waits for {} bytes from rank {}{}", next.bytes.count(), next.from.value(),
                       gathered || !member.has(TreeSchedule::right) ? "" : " or its other child");
  }

 private:
  struct Port {  // of a member
    TreePhases& phases;
    RunId run;
    RankId rank;

    void prepare(TreeSchedule::Step step) const {
      phases.machine_.endpoints.pass(rank, phases.event(endpoint_passed, run, rank, step), [&] {
        const PhaseRun& of = phases.machine_.runs[run];
        return std::pair(tree_of(of).bytes,
                         bus_pass(of.shape->schedule, step, of.in_tree[rank.index()].reduces()));
      });
    }
    void send(TreeSchedule::Relation to) const {
      phases.machine_.messages.send(run, rank, to, phases.message(run, rank, to));
    }
    void receive(TreeSchedule::Relation from) const {
      phases.machine_.messages.receive(run, rank, from, phases.message(run, rank, from));
    }
    void ended() const { phases.machine_.runs.ended(run, rank); }
  };
};

}  // namespace

std::unique_ptr<PhaseKind> make_tree_phases(const PhaseMachine& machine) {
  return std::make_unique<TreePhases>(machine);
}

}  // namespace orrery::core
