#include "simulate/run/dataflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "collective/phase/ambiguous_event_order.hpp"
#include "collective/phase/phase_traffic.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/network_models.hpp"
#include "program/operation_text.hpp"
#include "program/program.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/dataflow_issuer.hpp"
#include "simulate/dataflow_stall.hpp"
#include "simulate/folding/folding.hpp"
#include "simulate/machine.hpp"
#include "simulate/messages/part_messages.hpp"
#include "simulate/run/run_size.hpp"
#include "simulate/run/zero_communication.hpp"
#include "simulate/waiting_operations.hpp"

namespace orrery::core {

namespace {

// Throws InputError at the program's place when it has parts that exchange messages and the machine does not
// model these, or when its ranks are not those of the machine.
void check_machine(const Program& program, const Machine& machine) {
  if (program.is_uniform()) return;
  const auto require = [&](bool holds, const std::string& why) {
    if (!holds) throw InputError(program.where, "a program of several parts " + why);
  };
  require(machine.dialect.phase_barrier == PhaseBarrier::next_group,
          "runs by Orrery's own rules, leave `dialect` out");
  require(!machine.system.shared_bus, "cannot run with a shared memory bus, leave it out");
  require(machine.network.slow_links.empty() || machine.network.model->carries_collectives,
          "can have slow links where messages meet on links only, give `network-model: link` or `fluid`, or "
          "leave `slow-links` "
          "out");
  for (const Dimension& dimension : machine.topology.dimensions)
    require(dimension.hbm_scale == 0, "cannot run where memory limits messages, leave the scale of it out");
  std::size_t ranks = 0;
  for (const ProgramPart& part : program.parts) ranks += part.size();
  require(ranks == static_cast<std::size_t>(machine.topology.npus()),
          fmt::format("runs on {} NPUs, use a network of as many", ranks));
}

// More messages would take many minutes.
constexpr double max_messages_to_start_over = 5e9;

bool any_rooted_collective(const ExecutionGraph& graph) {
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph.kind(id) == OperationKind::collective && !is_symmetric(graph.collective(id).kind)) return true;
  return false;
}

// Phases have to be run by groups, whatever the order within an instant, and each rank has to begin with the
// first phase. Also, Themis plans by when ranks issue. With one communicator, a graph issues its collectives
// in an order that no time changes.
bool may_look_ahead(const Program& program, const Machine& machine, const Folding& folding) {
  const DimensionOrder order = machine.system.dimension_order;
  const bool plans_by_time = order == DimensionOrder::themis || order == DimensionOrder::themis_flex;
  return !collective_policy_of(program, machine).as_a_whole && !program.contends() &&
         program.parts.size() == 1 && program.communicators.size() == 1 && runs_by_groups(machine, folding) &&
         !plans_by_time && !any_rooted_collective(program.parts[0].graph);
}

// Events of one instant come in an order without meaning, so this function sorts them: chunks by number,
// operations by id.
void put_in_order(PhaseRecords& records, const std::vector<Interval>& operations) {
  ChunkRecords& chunks = records.chunks;
  std::vector<Time> finished_at;  // by chunk; the last phase is entered last
  for (const PhaseRecord& phase : chunks.phases) {
    if (phase.chunk >= finished_at.size()) finished_at.resize(phase.chunk + 1);
    finished_at[phase.chunk] = phase.left;
  }
  std::sort(chunks.finished.begin(), chunks.finished.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(finished_at[a], a) < std::pair(finished_at[b], b);
  });
  std::stable_sort(chunks.phases.begin(), chunks.phases.end(),
                   [](const PhaseRecord& a, const PhaseRecord& b) {
                     return std::tie(a.entered, a.chunk, a.phase) < std::tie(b.entered, b.chunk, b.phase);
                   });
  std::sort(records.completed.begin(), records.completed.end(),
            [&](ExecutionGraph::Id a, ExecutionGraph::Id b) {
              return std::pair(operations[a].end, a) < std::pair(operations[b].end, b);
            });
}

// A run in one way of folding.
class DataflowRun final : public RunAssembly {
 public:
  // Keeps references to the arguments. With `watches_ties`, throws AmbiguousEventOrder where a folded run is
  // not exact.
  DataflowRun(const Program& program, const Machine& machine, const Folding& folding, bool watches_ties)
      : program_(program),
        machine_(machine),
        folding_(folding),
        policy_(collective_policy_of(program, machine)),
        parts_(parts_of_classes(program, folding.classes)),
        network_(machine.topology, machine.dialect, machine.network.slow_links),
        loop_(network_.clock()),
        timers_(loop_, static_cast<int>(folding.classes.count())),
        issuer_(loop_, timers_, program, machine, folding.classes, parts_,
                may_look_ahead(program, machine, folding),
                records_classes(program, machine, folding.classes)) {
    const bool sends = !program.is_uniform();
    const bool by_links = machine.network.model->carries_collectives && !folding.isolated;
    if (folding.isolated)
      trials_.emplace(
          IsolatedPhaseSimulator::Machine{machine.topology, machine.system, machine.dialect, machine.network},
          *folding.isolated);
    if (sends || by_links) transport_ = carrier(sends);
    if (sends) {
      messages_.emplace(program, folding.classes, parts_);
      messenger_.emplace(loop_, *transport_, false);
    }
    collectives_ = collectives(by_links, watches_ties);
  }

 private:
  EventLoop& loop() override { return loop_; }
  Issuer& issuer() override { return issuer_; }
  Transport* transport() override { return transport_.get(); }
  void start() override {
    issuer_.start(*collectives_, messages_ ? &*messages_ : nullptr, messenger_ ? &*messenger_ : nullptr);
  }

  void record(Recording& recording) override {
    collectives_->end();
    recording.set_ranks(folding_.classes, parts_, issuer_.take_finish(), issuer_.take_operations());
    const std::vector<Time> contended = issuer_.longer();
    for (ClassRecord& of : recording.ranks) of.contended = contended[of.of_class.index()];
    for (std::uint32_t part = 0; part < parts_.count(); ++part)
      recording.parts[part].collectives = phases_of(part, recording.lowest_of(part).operations);
    recording.links = links();
    recording.messages = collectives_->messages() + (messages_ ? messages_->count() : 0);
    recording.folded = folding_.folded;
    recording.not_folded_because = folding_.reason;
    recording.phases_isolated = folding_.isolated != nullptr;
    if (messages_)
      recording.without_communication =
          run_without_communication(program_, machine_, folding_.classes, parts_, network_.clock());
  }

  std::unique_ptr<Transport> carrier(bool sends) {
    TransportMachine machine = machine_.transport_machine();
    if (sends) machine.in_step = ranks_in_step();
    if (folding_.routes)
      return make_folded_transport(machine_.network.model, folding_.routes, machine, loop_);
    return make_transport(model_of_messages(machine_.network.model, machine_.dialect), machine, loop_);
  }

  CollectiveRanks collective_ranks() const {
    return {program_.communicators, folding_.classes, parts_, machine_.topology.dimensions.size()};
  }

  std::unique_ptr<RecordedCollectives> collectives(bool by_links, bool watches_ties) {
    const CollectiveRun::Phases phases{network_, by_links ? transport_.get() : nullptr,
                                       trials_ ? &*trials_ : nullptr, folding_.by_messages(), watches_ties};
    return make_collectives(policy_, {program_, machine_, loop_, timers_, collective_ranks(), issuer_,
                                      transport_.get(), &phases});
  }

  // Returns the ranks of each class.
  std::vector<std::vector<RankId>> ranks_in_step() const {
    std::vector<std::vector<RankId>> ranks(folding_.classes.count());
    for (const RankId rank : first_ids<RankId>(folding_.classes.ranks()))
      ranks[folding_.classes.class_of(rank).index()].push_back(rank);
    return ranks;
  }

  std::vector<LinkUse> links() const {
    // The transport knows what it carries. Collectives that are not among that can be added up where all
    // ranks do the same, but those of a library tell nothing of links.
    const bool adds_up = !policy_.as_a_whole && program_.parts.size() == 1;
    if (transport_ && (!adds_up || machine_.network.model->carries_collectives))
      return transport_->links(loop_.time());
    if (!adds_up) return {};
    return links_used(collectives_->phases(),
                      {machine_.topology, machine_.dialect, machine_.network, machine_.system.rendezvous});
  }

  PhaseRecords phases_of(std::uint32_t part, const std::vector<Interval>& operations) {
    PhaseRecords records{issuer_.take_completed(part),
                         collectives_->records(part),
                         collectives_->payload(part),
                         {},
                         all_dimensions(program_).size()};
    put_in_order(records, operations);
    return records;
  }

  std::vector<std::string> stall() override {
    std::vector<std::string> lines{issuer_.unfinished()};
    if (transport_) std::ranges::move(transport_->stall(), std::back_inserter(lines));
    for (std::uint32_t part = 0; part < parts_.count(); ++part)
      std::ranges::move(circles(program_.parts[part].graph, issuer_.intervals_of(part),
                                folding_.classes.representative(parts_[part].recorded)),
                        std::back_inserter(lines));
    std::vector<CollectiveBackend::Waiting> collectives = collectives_->waiting();
    for (CollectiveBackend::Waiting& one : collectives)
      one.of_class = parts_[parts_.of(one.of_class)].recorded;
    std::ranges::move(waiting_lines(waiting_operations(), collectives,
                                    [this](ClassId of_class, std::uint32_t token) {
                                      return described(program_.parts[parts_.of(of_class)].graph, token);
                                    }),
                      std::back_inserter(lines));
    return lines;
  }

  // Returns the waiting operations of the recorded rank of each part.
  std::vector<WaitingOperation> waiting_operations() const {
    std::vector<WaitingOperation> operations;
    for (std::uint32_t part = 0; part < parts_.count(); ++part) {
      const ClassId recorded = parts_[part].recorded;
      const std::string& name = program_.parts[part].name;
      const std::string who =
          name.empty() ? fmt::format("rank {}", folding_.classes.representative(recorded).value()) : name;
      const std::span<const Interval> intervals = issuer_.intervals_of(part);
      for (const ExecutionGraph::Id id : under_way(intervals))
        operations.push_back(
            {recorded, id, who, described(program_.parts[part].graph, id), intervals[id].start});
    }
    return operations;
  }

  const Program& program_;
  const Machine& machine_;
  const Folding& folding_;
  const CollectivePolicy& policy_;
  const RankParts parts_;
  const AnalyticalNetwork network_;
  EventLoop loop_;
  RankTimers timers_;
  DataflowIssuer issuer_;
  std::optional<IsolatedPhaseSimulator> trials_;
  std::unique_ptr<Transport> transport_;
  // The following two are there where ranks send each other messages.
  std::optional<PartMessages> messages_;
  std::optional<Messenger> messenger_;
  std::unique_ptr<RecordedCollectives> collectives_;
};

class DataflowPlan final : public RunPlan {
 public:
  DataflowPlan(CollectiveSurvey survey, Folding folding)
      : survey_(std::move(survey)), folding_(std::move(folding)) {}

  Recording run(const Program& program, const Machine& machine,
                const ProgressListener& progress) const override {
    const bool may_start_over = survey_.messages <= max_messages_to_start_over &&
                                fits_into_memory(program, machine, survey_, machine.topology.npus(), false);
    const bool may_tie = folding_.folded && machine.dialect.phase_barrier == PhaseBarrier::machine;
    Recording recording = DataflowRun(program, machine, folding_, may_tie && may_start_over).run(progress);
    recording.ties_by_start = may_tie && !may_start_over;
    return recording;
  }
  SimulationPlan less_folded(const Machine& machine, const std::string& reason) const override {
    return std::make_shared<DataflowPlan>(survey_, unfolded(machine, reason));
  }
  const CollectiveSurvey& survey() const override { return survey_; }

 private:
  CollectiveSurvey survey_;
  Folding folding_;
};

}  // namespace

SimulationPlan plan_dataflow_run(const Program& program, const Machine& machine, bool fold_wanted) {
  const CollectivePolicy& policy = collective_policy_of(program, machine);
  if (policy.check) policy.check(program, machine);
  check_machine(program, machine);
  CollectiveSurvey survey = policy.survey(program, machine);
  Folding folding = fold(program, machine, survey, fold_wanted);
  check_size(program, machine, survey, folding);
  return std::make_shared<DataflowPlan>(std::move(survey), std::move(folding));
}

}  // namespace orrery::core
