#include "simulate/slots/slot_run.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "collective/order_matters.hpp"
#include "collective/streams/stream_engine.hpp"
#include "network/analytical/contention_free_transport.hpp"
#include "network/network_models.hpp"
#include "simulate/free_communication.hpp"
#include "simulate/meeting_services.hpp"
#include "simulate/slots/slot_folding.hpp"
#include "simulate/slots/slot_foresight.hpp"
#include "simulate/slots/stall_report.hpp"

namespace orrery {

namespace {

using Level = SlotFolding::Level;

class SlotRun {
 public:
  // Keeps references to the arguments.
  SlotRun(const Program& program, const Machine& machine, const SlotFolding& folding)
      : program_(program),
        machine_(machine),
        level_(folding.level),
        npus_(static_cast<std::uint32_t>(machine.topology.npus())),
        classes_(RankClasses::all_distinct(npus_)),
        parts_(parts_of_classes(program, classes_)),
        courses_([this](std::uint32_t source, std::uint32_t destination, Bytes bytes) {
          return closed_form_->duration(static_cast<int>(source), static_cast<int>(destination), bytes);
        }) {
    if (level_ == Level::in_step || level_ == Level::on_behalf)
      for_all_.emplace(courses_, level_ == Level::on_behalf);
    if (level_ == Level::phases || level_ == Level::one_rank)
      meetings_ = std::make_unique<Meetings>(courses_, level_ == Level::one_rank);
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
      links_ = make_folded_transport(model, folding.ways, machine.transport_machine(), *loop_);
    } else {
      auto made = contention_free();
      closed_form_ = made.get();
      links_ = std::move(made);
    }
    if (level_ == Level::in_step) uncounted_ = contention_free();
  }

  Recording record(const ProgressListener& progress) {
    RankTimers timers(*loop_, machine_.topology.npus());
    Messenger messenger(*loop_, uncounted_ ? *uncounted_ : *links_, machine_.system.rendezvous,
                        holds_back());
    SlotExecutor executor(*loop_, timers, program_, machine_, stands_for_all() ? 1 : npus_,
                          meetings_ || level_ == Level::on_behalf);
    DimensionUses uses(machine_.topology, machine_.dialect, machine_.system.rendezvous, recorded_ranks());
    StreamEngine streams(*loop_, timers, messenger, machine_.system,
                         {program_.communicators, machine_.algorithms}, machine_.dialect, machine_.topology,
                         uses, executor, meetings_.get(), for_all_ ? &*for_all_ : nullptr);
    const std::unique_ptr<CollectiveService> meeting =
        make_meeting_service(machine_, *loop_, links_.get(), collective_ranks(), executor);
    MemoryServers memory(*loop_, timers, machine_.memory, machine_.topology.npus());
    const SlotForesight foresight(timers, streams, executor);
    if (level_ == Level::phases) loop_->set_foresight(foresight);
    CollectiveIssuer& collectives = meeting ? static_cast<CollectiveIssuer&>(*meeting) : streams;
    executor.start(collectives, messenger, memory);
    loop_->run(
        progress ? [&] { progress(executor.progress(), loop_->time()); } : std::function<void()>{},
        links_->has_events_of_its_own() ? [&] { return executor.finished(); } : std::function<bool()>{});
    if (!executor.finished()) {
      if (level_ != Level::messages) throw OrderMatters("ranks wait for ever");
      std::vector<std::string> lines = links_->stall();
      std::ranges::move(explain_stall(program_, executor, messenger, collectives), std::back_inserter(lines));
      throw StallError("the simulation cannot go on", lines);
    }
    Recording recording = recording_of(executor, messenger);
    if (meeting) recording.messages += meeting->messages();
    for (std::uint32_t part = 0; part < parts_.count(); ++part)
      recording.parts[part].collectives = uses.of(parts_[part].recorded);
    if (!program_.is_uniform() && sends_messages())
      recording.without_communication = run_without_communication(program_, machine_);
    return recording;
  }

 private:
  // Returns whether ranks wait for each other's messages. If they do not, no rank would wait without
  // communication.
  bool sends_messages() const {
    return std::ranges::any_of(program_.parts, [](const ProgramPart& part) {
      for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id)
        if (is_message(part.graph.kind(id)) && !part.graph.is_timed(id)) return true;
      return false;
    });
  }

  CollectiveRanks collective_ranks() const {
    return {program_.communicators, classes_, parts_, machine_.topology.dimensions.size(), true};
  }

  // Returns, by rank, whether the rank is the lowest of its part.
  std::vector<bool> recorded_ranks() const {
    std::vector<bool> recorded(npus_);
    for (std::uint32_t part = 0; part < parts_.count(); ++part) recorded[parts_[part].recorded] = true;
    return recorded;
  }

  // Returns whether messages of collectives take no links before their receivers await them. Where one rank
  // stands for all, they always do.
  bool holds_back() const {
    return level_ == Level::messages && machine_.network.model->carries_collectives &&
           !machine_.dialect.overloads_links;
  }

  bool stands_for_all() const { return level_ == Level::one_rank || for_all_; }

  Recording recording_of(SlotExecutor& executor, const Messenger& messenger) {
    Recording recording;
    const RankClasses classes =
        stands_for_all() ? RankClasses::all_equal(npus_) : RankClasses::all_distinct(npus_);
    recording.set_ranks(classes, parts_of_classes(program_, classes), executor.take_finish(),
                        executor.take_intervals());
    recording.finish_order = finish_order(executor);
    recording.awaits_receivers = machine_.system.rendezvous;
    recording.folded = level_ != Level::messages;
    if (level_ != Level::in_step)
      recording.messages = messenger.messages() * (level_ == Level::on_behalf ? npus_ : 1);
    if (closed_form_) recording.messages += count_flows();
    recording.links = links_->links(loop_->time());
    recording.add_network(*links_);
    recording.events = loop_->events();
    return recording;
  }

  std::vector<std::uint32_t> finish_order(SlotExecutor& executor) const {
    if (level_ == Level::in_step) return for_all_->order.ranks(npus_);  // the last event was the rank's last
    if (!stands_for_all()) return executor.take_finish_order();
    std::vector<std::uint32_t> by_number(npus_);
    std::iota(by_number.begin(), by_number.end(), 0u);
    return by_number;
  }

  // Counts messages that were sent without the messenger, or only by the one simulated rank.
  std::uint64_t count_flows() {
    std::uint64_t messages = 0;
    const std::optional<std::uint32_t> all = level_ == Level::phases ? std::nullopt : std::optional(npus_);
    courses_.for_each_flow(
        all, [&](std::uint32_t source, std::uint32_t destination, Bytes bytes, std::uint64_t count) {
          closed_form_->count(static_cast<int>(source), static_cast<int>(destination), bytes, count);
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
  PhaseCourses courses_;
  std::unique_ptr<Meetings> meetings_;
  std::optional<RankForAll> for_all_;
  std::optional<EventLoop> loop_;
  std::unique_ptr<Transport> links_;                // counts what passes over them
  ContentionFreeTransport* closed_form_ = nullptr;  // the same object, unless every message is simulated
  std::unique_ptr<Transport> uncounted_;            // carries the messages of the one rank
};

bool any_end_together(std::vector<Time> ends) {
  std::ranges::sort(ends);
  return std::ranges::adjacent_find(ends) != ends.end();
}

class SlotPlan final : public RunPlan {
 public:
  explicit SlotPlan(SlotFolding folding) : folding_(std::move(folding)) {}

  Recording run(const Program& program, const Machine& machine,
                const ProgressListener& progress) const override {
    Recording recording = SlotRun(program, machine, folding_).record(progress);
    const bool by_events = !folding_.few_messages || folding_.level != Level::phases;
    if (!by_events && any_end_together(recording.finish))
      throw OrderMatters("there are few messages, and ranks end in the same instant");
    recording.simulated = folding_.why;
    return recording;
  }
  SimulationPlan less_folded(const Machine& machine, const std::string& reason) const override {
    const auto ranks = static_cast<std::size_t>(machine.topology.npus());
    return std::make_shared<SlotPlan>(orrery::less_folded(folding_, reason, ranks));
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

}  // namespace orrery
