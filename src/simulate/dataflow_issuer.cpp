#include "simulate/dataflow_issuer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "simulate/slowdown.hpp"

namespace orrery::core {

DataflowIssuer::DataflowIssuer(EventLoop& loop, RankTimers& timers, const Program& program,
                               const Machine& machine, const RankClasses& classes, const RankParts& parts,
                               bool looks_ahead, bool records_classes)
    : loop_(loop),
      timers_(timers),
      machine_(machine),
      classes_(classes),
      parts_(parts),
      handler_(loop.add_handler(*this)),
      simulated_(classes.count()),
      looks_ahead_(looks_ahead),
      finish_(simulated_, not_yet) {
  for (const ProgramPart& part : program.parts) {
    const ExecutionGraph& graph = part.graph;
    PartProgram& own =
        programs_.emplace_back(PartProgram{&graph,
                                           graph.successors(),
                                           {},
                                           {},
                                           std::vector<Interval>(graph.size(), Interval{not_yet, not_yet}),
                                           {}});
    for (Id id = 0; id < graph.size(); ++id) {
      const auto predecessors = static_cast<std::uint32_t>(graph.predecessors(id).size());
      own.counter.push_back(predecessors > 1 ? static_cast<std::uint32_t>(own.predecessors.size()) : none);
      if (predecessors > 1) own.predecessors.push_back(predecessors);
    }
  }
  std::uint64_t counters = 0;
  for (const ClassId of_class : first_ids<ClassId>(simulated_)) {
    const PartProgram& own = program_of(of_class);
    first_missing_.push_back(counters);
    counters += own.predecessors.size();
    operations_ += own.graph->size();
  }
  missing_.reserve(counters);
  for (const ClassId of_class : first_ids<ClassId>(simulated_)) {
    const PartProgram& own = program_of(of_class);
    missing_.insert(missing_.end(), own.predecessors.begin(), own.predecessors.end());
  }
  if (looks_ahead_) last_end_.resize(counters, 0);
  if (program.contends())
    contention_.emplace(loop, timers, simulated_, EndpointContention::EventKind{handler_, contended});
  if (!records_classes) return;
  for (const ClassId of_class : first_ids<ClassId>(simulated_))
    of_classes_.emplace_back(program_of(of_class).graph->size(), Interval{not_yet, not_yet});
}

// Called when one of the operation's predecessors is complete. Returns whether all are.
bool DataflowIssuer::is_ready_after_one_more(ClassId of_class, Id id) {
  const std::uint32_t counter = program_of(of_class).counter[id];
  return counter == none || --missing_[first_missing_[of_class.index()] + counter] == 0;
}

void DataflowIssuer::start(CollectiveBackend& collectives, const PartMessages* messages,
                           Messenger* messenger) {
  collectives_ = &collectives;
  messages_ = messages;
  messenger_ = messenger;
  for (const ClassId of_class : first_ids<ClassId>(simulated_)) {
    const ExecutionGraph& graph = *program_of(of_class).graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (!graph.predecessors(id).empty()) continue;
      if (!is_foreseen(of_class)) {
        begin(of_class, id);
        continue;
      }
      foreseen_.push_back({id, loop_.now()});
      foresee(of_class, 0);
    }
  }
}

// Runs an operation and, depth first in program order, all that follow at the same instant without any event.
void DataflowIssuer::begin(ClassId of_class, Id first) {
  PartProgram& program = program_of(of_class);
  const std::size_t bottom = ready_.size();
  ready_.push_back(first);
  while (ready_.size() > bottom) {
    const Id id = ready_.back();
    ready_.pop_back();
    record_start(of_class, id);
    if (!completes_immediately(of_class, id)) continue;
    record_completion(of_class, id);
    const auto followers = program.successors.of(id);
    for (std::size_t i = followers.size(); i-- > 0;) {
      if (is_ready_after_one_more(of_class, followers[i])) ready_.push_back(followers[i]);
    }
  }
}

// Lets the operation take its duration. Returns false when an event will complete it.
bool DataflowIssuer::passes(ClassId of_class, Id id, Time duration) {
  if (duration == Time()) return true;
  timers_.after(of_class, duration, completion(of_class, id));
  return false;
}

bool DataflowIssuer::completes_immediately(ClassId of_class, Id id) {
  const ExecutionGraph& graph = *program_of(of_class).graph;
  switch (graph.kind(id)) {
    case OperationKind::compute:
      return computes(of_class, id);
    case OperationKind::transition:
      return passes(of_class, id, graph.duration(id));
    case OperationKind::collective:
      return joins(of_class, id);
    case OperationKind::send:
      messenger_->send(messages_->key_of_send(of_class, graph.message(id)),
                       messages_->load(of_class, graph.message(id)), completion(of_class, id));
      return false;
    case OperationKind::receive:
      return messenger_->take(messages_->key_of_receive(of_class, graph.message(id)),
                              completion(of_class, id)) == Received::already;
    case OperationKind::begin:
    case OperationKind::pass_end:
    case OperationKind::note:
    case OperationKind::unknown:
      return true;
    case OperationKind::end:
      finish_[of_class.index()] = loop_.time();
      ++finished_;
      return true;
    case OperationKind::load:
    case OperationKind::store:
      break;
  }
  unreachable("only ranks that issue in slots have memory beyond their own");
}

Time DataflowIssuer::slowed_on(ClassId of_class, Time duration) const {
  return slowed(duration, machine_.slowdown_of(classes_.representative(of_class)), machine_.dialect);
}

// A rank that computes slowly communicates as fast as others.
Time DataflowIssuer::compute_time(ClassId of_class, Id id) {
  const ExecutionGraph& graph = *program_of(of_class).graph;
  const Time communication = graph.communication(id);
  return communication + slowed_on(of_class, graph.duration(id) - communication);
}

bool DataflowIssuer::computes(ClassId of_class, Id id) {
  const Time alone = compute_time(of_class, id);
  if (!contention_ || alone == Time()) return passes(of_class, id, alone);
  const Contention contention = program_of(of_class).graph->contention(id);
  contention_->compute(of_class, id, alone,
                       {slowed_on(of_class, contention.longer), contention.slows_by_ppm});
  return false;
}

// A collective may be complete before issue() returns.
bool DataflowIssuer::joins(ClassId of_class, Id id) {
  if (contention_) contention_->join(of_class, id);
  const Issued issued =
      collectives_->issue(of_class, id, program_of(of_class).graph->collective(id), loop_.now());
  if (issued == Issued::later) return false;
  return !contention_ || contention_->arrive(of_class, id);
}

// Moves `at` from the operation's start to its end; returns false when the end is not known yet.
inline bool DataflowIssuer::ends_at(ClassId of_class, Id id, Stamp& at) {
  const ExecutionGraph& graph = *program_of(of_class).graph;
  const Clock& clock = loop_.clock();
  switch (graph.kind(id)) {
    case OperationKind::compute:
      at = clock.add(at, clock.span(compute_time(of_class, id)));
      return true;
    case OperationKind::transition:
      at = clock.add(at, clock.span(graph.duration(id)));
      return true;
    case OperationKind::collective:
      return collectives_->issue(of_class, id, graph.collective(id), at) == Issued::nothing_to_do;
    case OperationKind::begin:
    case OperationKind::pass_end:
    case OperationKind::note:
    case OperationKind::unknown:
      return true;
    case OperationKind::end:
      finish_[of_class.index()] = clock.time(at);
      ++finished_;
      return true;
    case OperationKind::send:
    case OperationKind::receive:
    case OperationKind::load:
    case OperationKind::store:
      break;
  }
  unreachable("an issuer looks ahead only where no rank sends messages or uses memory beyond its own");
}

// Pushes what becomes ready by the end of an operation at that time.
void DataflowIssuer::foresee_followers(ClassId of_class, Id id, Stamp at) {
  ++completed_;
  if (!of_classes_.empty()) of_classes_[of_class.index()][id].end = loop_.clock().time(at);
  const PartProgram& program = program_of(of_class);
  const auto followers = program.successors.of(id);
  for (std::size_t i = followers.size(); i-- > 0;) {
    const std::uint32_t counter = program.counter[followers[i]];
    Stamp start = at;
    if (counter != none) {
      Stamp& last = last_end_[first_missing_[of_class.index()] + counter];
      last = std::max(last, at);
      start = last;
    }
    if (is_ready_after_one_more(of_class, followers[i])) foreseen_.push_back({followers[i], start});
  }
}

// Goes through what has been foreseen of the rank, down to `bottom` of the stack, and through all that it
// leads to and that needs nothing else: depth first in program order.
void DataflowIssuer::foresee(ClassId of_class, std::size_t bottom) {
  while (foreseen_.size() > bottom) {
    Foreseen next = foreseen_.back();
    foreseen_.pop_back();
    if (!of_classes_.empty()) of_classes_[of_class.index()][next.id].start = loop_.clock().time(next.at);
    if (ends_at(of_class, next.id, next.at)) foresee_followers(of_class, next.id, next.at);
  }
}

void DataflowIssuer::collective_completed(ClassId of_class, std::uint32_t id) {
  if (!contention_ || contention_->arrive(of_class, id)) delay_completion(of_class, id);
}

void DataflowIssuer::delay_completion(ClassId of_class, Id id) {
  timers_.after(of_class, program_of(of_class).graph->delay(id), completion(of_class, id));
}

void DataflowIssuer::collective_completed_together(std::span<const ClassId> classes, std::uint32_t id) {
  if (!looks_ahead_) {
    for (const ClassId of_class : classes) collective_completed(of_class, id);
    return;
  }
  const std::uint32_t number = together_.keep(classes);
  const Time delay = program_of(classes[0]).graph->delay(id);
  loop_.after(loop_.clock().span(delay), Event{handler_, completes_together, 0, id, number});
}

void DataflowIssuer::handle(const Event& event) {
  switch (event.what) {
    case completes:
      complete(ClassId(event.rank), event.object);
      return;
    case contended:
      if (const auto end = contention_->ended(event))
        end->computation ? complete(ClassId(event.rank), end->id)
                         : delay_completion(ClassId(event.rank), end->id);
      return;
    default:
      break;
  }
  const std::span<const ClassId> classes = together_.take(event.extra);
  for (const ClassId of_class : classes) complete(of_class, event.object);
}

void DataflowIssuer::record_start(ClassId of_class, Id id) {
  if (is_recorded(of_class)) program_of(of_class).intervals[id].start = loop_.time();
  if (!of_classes_.empty()) of_classes_[of_class.index()][id].start = loop_.time();
}

void DataflowIssuer::record_completion(ClassId of_class, Id id) {
  ++completed_;
  if (!of_classes_.empty()) of_classes_[of_class.index()][id].end = loop_.time();
  if (!is_recorded(of_class)) return;
  PartProgram& program = program_of(of_class);
  program.intervals[id].end = loop_.time();
  program.completed.push_back(id);
}

void DataflowIssuer::complete(ClassId of_class, Id id) {
  if (is_foreseen(of_class)) {
    const std::size_t bottom = foreseen_.size();
    foresee_followers(of_class, id, loop_.now());
    foresee(of_class, bottom);
    return;
  }
  record_completion(of_class, id);
  for (Id follower : program_of(of_class).successors.of(id)) {
    if (is_ready_after_one_more(of_class, follower)) begin(of_class, follower);
  }
}

std::vector<std::vector<Interval>> DataflowIssuer::take_operations() {
  if (!of_classes_.empty()) return std::move(of_classes_);
  std::vector<std::vector<Interval>> operations;
  for (PartProgram& program : programs_) operations.push_back(std::move(program.intervals));
  return operations;
}

std::vector<Time> DataflowIssuer::longer() const {
  std::vector<Time> longer(simulated_);
  if (contention_)
    for (const ClassId of_class : first_ids<ClassId>(simulated_))
      longer[of_class.index()] = contention_->longer(of_class);
  return longer;
}

double DataflowIssuer::progress() const {
  return static_cast<double>(completed_) / static_cast<double>(operations_);
}

std::string DataflowIssuer::unfinished() const {
  std::uint32_t ranks = 0;
  for (const ClassId of_class : first_ids<ClassId>(simulated_))
    if (finish_[of_class.index()] == not_yet) ranks += classes_.size(of_class);
  return fmt::format("{} of {} ranks have not ended", ranks, classes_.ranks());
}

}  // namespace orrery::core
