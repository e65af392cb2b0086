#include "simulate/run/slot_run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/units/rank_id.hpp"
#include "collective/phase/ambiguous_event_order.hpp"
#include "collective/streams/stream_engine.hpp"
#include "events/rank_timers.hpp"
#include "network/analytical/contention_free_transport.hpp"
#include "network/network_models.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/run/zero_communication.hpp"
#include "simulate/slots/slot_folding.hpp"
#include "simulate/slots/slot_issuer.hpp"
#include "simulate/slots/stall_report.hpp"

namespace orrery::core {

namespace {

// Fetches what ranks need before their turn comes. Thousands of ranks act in turn, so that nothing of a rank
// is in the caches when something happens to it. Fetching saves a fifth of the time of 4,096 graphs.
class SlotForesight final : public EventForesight {
 public:
  // Keeps references.
  SlotForesight(const RankTimers& timers, const StreamEngine& collectives, const SlotIssuer& issuer)
      : timers_(timers), collectives_(collectives), issuer_(issuer) {}

  void comes_soon(const Event& event) const override {
    if (timers_.handles(event))
      timers_.prefetch(event);
    else if (collectives_.handles(event))
      collectives_.prefetch(event);
    else
      return;
    issuer_.prefetch(RankId(event.rank));
  }

  // Fetches what comes_soon() could not fetch, because its address lies in what that has fetched by now.
  void comes_next(const Event& event) const override {
    if (collectives_.handles(event))
      collectives_.prefetch_phases(event);
    else if (!timers_.handles(event))
      return;
    issuer_.prefetch_operations(RankId(event.rank));
  }

 private:
  const RankTimers& timers_;
  const StreamEngine& collectives_;
  const SlotIssuer& issuer_;
};

class SlotRun final : public RunAssembly {
  using Level = SlotFolding::Level;

 public:
  // Keeps references to the arguments.
  SlotRun(const Program& program, const Machine& machine, const SlotFolding& folding)
      : program_(program),
        machine_(machine),
        level_(folding.level),
        npus_(static_cast<std::uint32_t>(machine.topology.npus())),
        classes_(RankClasses::all_distinct(npus_)),
        parts_(parts_of_classes(program, classes_)),
        timings_([this](RankId source, RankId destination, Bytes bytes) {
          return closed_form_->duration(npu_of(source), npu_of(destination), bytes);
        }) {
    if (level_ == Level::in_step || level_ == Level::on_behalf)
      for_all_.emplace(timings_, level_ == Level::on_behalf);
    if (level_ == Level::phases || level_ == Level::one_rank)
      barriers_ = std::make_unique<PhaseBarriers>(timings_, level_ == Level::one_rank);
    const Clock clock(Clock::Mode::picoseconds);
    if (level_ == Level::in_step)
      loop_.emplace(clock, for_all_->order);
    else
      loop_.emplace(clock);
    const auto contention_free = [&] {
      return std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, *loop_,
                                                       machine.network.slow_links);
    };
    const NetworkModel model = model_of_messages(machine.network.model, machine.dialect);
    if (level_ == Level::messages) {
      links_ = make_transport(model, machine.transport_machine(), *loop_);
    } else if (level_ == Level::on_behalf) {
      links_ = make_folded_transport(model, folding.routes, machine.transport_machine(), *loop_);
    } else {
      auto made = contention_free();
      closed_form_ = made.get();
      links_ = std::move(made);
    }
    if (level_ == Level::in_step) uncounted_ = contention_free();
    parts_of_run_.emplace(*this, program, machine);
  }

 private:
  // Whatever needs the loop and its transports.
  struct Parts {
    Parts(SlotRun& run, const Program& program, const Machine& machine)
        : timers(*run.loop_, machine.topology.npus()),
          messenger(*run.loop_, run.uncounted_ ? *run.uncounted_ : *run.links_, machine.system.rendezvous,
                    run.holds_back()),
          issuer(*run.loop_, timers, program, machine, run.stands_for_all() ? 1 : run.npus_,
                 run.barriers_ || run.level_ == Level::on_behalf),
          uses(machine.topology, machine.dialect, machine.system.rendezvous, run.recorded_ranks()),
          collectives(run.collectives(*this)),
          memory(*run.loop_, timers, machine.memory, machine.topology.npus()) {
      if (const auto* streams = dynamic_cast<const StreamEngine*>(collectives.get()))
        foresight.emplace(timers, *streams, issuer);
    }

    RankTimers timers;
    Messenger messenger;
    SlotIssuer issuer;
    DimensionUses uses;
    std::unique_ptr<RecordedCollectives> collectives;
    MemoryServers memory;
    std::optional<SlotForesight> foresight;  // of streams, whose phases are worked out in one go
  };

  EventLoop& loop() override { return *loop_; }
  Issuer& issuer() override { return parts_of_run_->issuer; }
  Transport* transport() override { return links_.get(); }

  void start() override {
    Parts& run = *parts_of_run_;
    if (level_ == Level::phases && run.foresight) loop_->set_foresight(*run.foresight);
    run.issuer.start(*run.collectives, run.messenger, run.memory);
  }

  std::vector<std::string> stall() override {
    if (level_ != Level::messages) throw AmbiguousEventOrder("ranks wait for ever");
    Parts& run = *parts_of_run_;
    std::vector<std::string> lines = links_->stall();
    std::ranges::move(explain_stall(program_, run.issuer, run.messenger, *run.collectives),
                      std::back_inserter(lines));
    return lines;
  }

  void record(Recording& recording) override {
    Parts& run = *parts_of_run_;
    run.collectives->end();
    const RankClasses classes =
        stands_for_all() ? RankClasses::all_equal(npus_) : RankClasses::all_distinct(npus_);
    recording.set_ranks(classes, parts_of_classes(program_, classes), run.issuer.take_finish(),
                        run.issuer.take_intervals());
    recording.finish_order = finish_order(run.issuer);
    recording.awaits_receivers = machine_.system.rendezvous;
    recording.folded = level_ != Level::messages;
    if (level_ != Level::in_step)
      recording.messages = run.messenger.messages() * (level_ == Level::on_behalf ? npus_ : 1);
    if (closed_form_) recording.messages += count_flows();
    recording.links = links_->links(loop_->time());
    recording.messages += run.collectives->messages();
    for (std::uint32_t part = 0; part < parts_.count(); ++part)
      recording.parts[part].collectives = run.uses.of(recorded_rank(part));
    if (!program_.is_uniform() && sends_messages())
      recording.without_communication = run_without_communication(program_, machine_);
  }

  // Returns whether ranks wait for each other's messages. If they do not, no rank would wait without
  // communication.
  bool sends_messages() const {
    return std::ranges::any_of(program_.parts, [](const ProgramPart& part) {
      for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id)
        if (is_message(part.graph.kind(id)) && !part.graph.is_timed(id)) return true;
      return false;
    });
  }

  std::unique_ptr<RecordedCollectives> collectives(Parts& parts) {
    const CollectiveRun::Streams streams{parts.messenger, parts.uses, barriers_.get(),
                                         for_all_ ? &*for_all_ : nullptr};
    const CollectiveRanks ranks{program_.communicators, classes_, parts_, machine_.topology.dimensions.size(),
                                true};
    const CollectivePolicy& policy = collective_policy_of(program_, machine_);
    // The system's algorithms have to fit the network even where nobody runs them.
    if (policy.as_a_whole)
      StreamPlanner(machine_.system, {program_.communicators, machine_.algorithms}, machine_.topology);
    return make_collectives(policy, {program_, machine_, *loop_, parts.timers, ranks, parts.issuer,
                                     links_.get(), nullptr, &streams});
  }

  RankId recorded_rank(std::uint32_t part) const { return classes_.representative(parts_[part].recorded); }

  // Returns, by rank, whether the rank is the lowest of its part.
  std::vector<bool> recorded_ranks() const {
    std::vector<bool> recorded(npus_);
    for (std::uint32_t part = 0; part < parts_.count(); ++part) recorded[recorded_rank(part).index()] = true;
    return recorded;
  }

  // Returns whether messages of collectives take no links before their receivers await them. Where one rank
  // stands for all, they always do.
  bool holds_back() const {
    return level_ == Level::messages && machine_.network.model->carries_collectives &&
           !machine_.dialect.overloads_links;
  }

  bool stands_for_all() const { return level_ == Level::one_rank || for_all_; }

  std::vector<RankId> finish_order(SlotIssuer& issuer) const {
    if (level_ == Level::in_step) return for_all_->order.ranks(npus_);  // the last event was the rank's last
    if (!stands_for_all()) return issuer.take_finish_order();
    std::vector<RankId> by_number;
    by_number.reserve(npus_);
    for (const RankId rank : first_ids<RankId>(npus_)) by_number.push_back(rank);
    return by_number;
  }

  // Counts messages that were sent without the messenger, or only by the one simulated rank.
  std::uint64_t count_flows() {
    std::uint64_t messages = 0;
    const std::optional<std::uint32_t> all = level_ == Level::phases ? std::nullopt : std::optional(npus_);
    timings_.for_each_flow(all, [&](RankId source, RankId destination, Bytes bytes, std::uint64_t count) {
      closed_form_->count(npu_of(source), npu_of(destination), bytes, count);
      messages += count;
    });
    return messages;
  }

  const Program& program_;
  const Machine& machine_;
  Level level_;
  std::uint32_t npus_;
  const RankClasses classes_;
  const RankParts parts_;
  PhaseTimings timings_;
  std::unique_ptr<PhaseBarriers> barriers_;
  std::optional<RepresentativeRank> for_all_;
  std::optional<EventLoop> loop_;
  std::unique_ptr<Transport> links_;                // counts what passes over them
  ContentionFreeTransport* closed_form_ = nullptr;  // the same object, unless every message is simulated
  std::unique_ptr<Transport> uncounted_;            // carries the messages of the one rank
  std::optional<Parts> parts_of_run_;
};

bool any_end_together(std::vector<Time> ends) {
  std::ranges::sort(ends);
  return std::ranges::adjacent_find(ends) != ends.end();
}

class SlotPlan final : public RunPlan {
  using Level = SlotFolding::Level;

 public:
  explicit SlotPlan(SlotFolding folding) : folding_(std::move(folding)) {}

  Recording run(const Program& program, const Machine& machine,
                const ProgressListener& progress) const override {
    Recording recording = SlotRun(program, machine, folding_).run(progress);
    const bool by_events = !folding_.few_messages || folding_.level != Level::phases;
    if (!by_events && any_end_together(recording.finish))
      throw AmbiguousEventOrder("there are few messages, and ranks end in the same instant");
    recording.simulated = folding_.why;
    return recording;
  }
  SimulationPlan less_folded(const Machine& machine, const std::string& reason) const override {
    const auto ranks = static_cast<std::size_t>(machine.topology.npus());
    return std::make_shared<SlotPlan>(orrery::core::less_folded(folding_, reason, ranks));
  }
  const CollectiveSurvey& survey() const override { return no_survey_; }

 private:
  SlotFolding folding_;
  CollectiveSurvey no_survey_;
};

}  // namespace

SimulationPlan plan_slot_run(const Program& program, const Machine& machine, bool fold_wanted) {
  return std::make_shared<SlotPlan>(fold_slots(program, machine, fold_wanted));
}

}  // namespace orrery::core
