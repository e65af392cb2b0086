// Divides the time of one rank into spans, each of which goes to one thing (docs/models/reports.md, Where the
// time goes). It is the only place that says what a rank does at a moment.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Says what a rank spends a span on. All but waits and steps are compute.
enum class Spent : std::uint8_t {
  device,  // it computes on its device
  host,    // its host computes, or launches what its device computes
  memory,  // it loads or stores beyond its own memory
  update,  // it updates weights
  wait,    // it waits for a collective, for a message, or for another program that serves it
  step,    // it goes to its next state, and nobody computes or is awaited (ASTRA-sim 1.0)
};

struct Span {
  Spent spent = Spent::device;
  ExecutionGraph::Id operation = 0;              // what computes, or what is waited for
  std::uint32_t communicator = no_communicator;  // waits for collectives: the group they are among
  Interval interval;
  Time bubble;  // the part of a wait that would be there if communication took no time

  Time length() const { return interval.end - interval.start; }
  bool computes() const { return spent < Spent::wait; }
  Time exposed() const { return computes() ? Time() : length() - bubble; }
};

// Makes spans of the ranks of a part. Its bubbles are zero.
class PartSpans {
 public:
  // Keeps a reference. `in_slots` says that ranks issue operations in slots, so that they compute beside what
  // they wait for; otherwise they go by the order of the program.
  PartSpans(const ProgramPart& part, bool in_slots);

  // Says whether communication takes time. If it does not, computations wait for nothing within.
  enum class Communication : std::uint8_t { as_simulated, free };

  // Returns the spans of a rank that did these operations and whose program ended at `finish`. They follow
  // one another from zero to the rank's own end, and their lengths add up to it. Where the next step of a
  // training hides a part of the program's end, the spans of the last waits are at the end of the program.
  std::vector<Span> of(const std::vector<Interval>& operations, Time finish,
                       Communication communication = Communication::as_simulated) const;
  // Returns when a rank is ready for the next training step: what that step hides is not waited for.
  Time own_end(const std::vector<Interval>& operations, Time finish) const;

 private:
  using Id = ExecutionGraph::Id;

  void add_in_order(const std::vector<Interval>& operations, Communication communication,
                    std::vector<Span>& spans) const;
  void add_waits(Id id, Time since, const std::vector<Interval>& operations, std::vector<Span>& spans) const;
  void add_wait(Id awaited, const Interval& interval, const std::vector<Interval>& operations,
                std::vector<Span>& spans) const;
  void add_operation(Id id, const Interval& interval, Communication communication,
                     std::vector<Span>& spans) const;
  void add_by_moments(const std::vector<Interval>& operations, Time finish, std::vector<Span>& spans) const;
  Spent spent_on(Id id) const;
  std::uint32_t group_of(Id id) const;
  bool stands_for_host(Id id) const;
  Time hidden_at_end(const std::vector<Interval>& operations) const;

  const ProgramPart& part_;
  bool in_slots_;
  std::vector<Id> program_order_;  // without the beginning; empty where ranks issue in slots
};

}  // namespace orrery::core
