// Runs ranks' parts in phases of streams message by message: the common machine of ring, direct and
// halving-doubling, the nodes of trees, and programs (docs/models/streams.md, Algorithms, Custom algorithms
// and Rooted collectives). It knows neither queues nor what comes before or after a phase.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/messages/messenger.hpp"
#include "collective/phase/endpoints.hpp"
#include "collective/phase/exchange_member.hpp"
#include "collective/phase/program_member.hpp"
#include "collective/phase/tree_member.hpp"
#include "collective/streams/phase_timings.hpp"
#include "collective/streams/plan/stream_phase.hpp"
#include "collective/streams/rank_order.hpp"
#include "events/rank_timers.hpp"

namespace orrery::core {

// One rank that is simulated message by message and stands for all.
//
// All ranks do the same at the same times: while a rank sends a message to one peer, another peer sends the
// same message to it. The simulated rank receives its own message in place of the other, so whatever it waits
// for comes. Where messages may meet on links, the network knows that all ranks send the message
// (SymmetricRoutes).
struct RepresentativeRank {
  PhaseTimings& timings;
  RankOrder order;
  const bool messages_meet;  // on links, so that times and the order within an instant are not known

  // Keeps a reference.
  RepresentativeRank(PhaseTimings& known, bool meet) : timings(known), messages_meet(meet) {}

  // The rank starts a phase. Throws AmbiguousEventOrder when ranks do not do the same in it at the same
  // times.
  void start(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);
};

// A rank's part in a phase of a stream.
struct StreamPart {
  const StreamPhase* phase = nullptr;
  RankId rank;
  bool small = false;     // the group is smaller than the machine
  std::uint64_t tag = 0;  // tag of its messages
};

class PartListener {
 public:
  // The stream's part has ended, which is never before StreamParts::start() has returned.
  virtual void part_ended(std::uint32_t stream) = 0;

 protected:
  ~PartListener() = default;
};

class StreamParts final : public EventHandler {
 public:
  // Keeps references. With `for_all`, which observes the loop, rank 0 alone has parts.
  StreamParts(EventLoop& loop, RankTimers& timers, Messenger& messenger, const SystemConfig& config,
              const Dialect& dialect, int npus, PartListener& listener, RepresentativeRank* for_all);

  // A stream that has no other part under way starts one. Throws AmbiguousEventOrder where one rank cannot
  // stand for all.
  void start(std::uint32_t stream, const StreamPart& part);
  // Returns the time that it takes to prepare bytes at the endpoint, without a bus.
  Time endpoint_delay(const StreamPart& part) const;
  // Returns how far the part has come, in words, for the report of a stalled run.
  std::string progress(std::uint32_t stream) const;

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { endpoint_passed, prepared, delivered };
  struct Part : StreamPart {
    std::variant<ExchangeMember, TreeMember, ProgramMember> member;

    const ExchangeSchedule& exchange() const { return std::get<ExchangeSchedule>(phase->shape->schedule); }
    const MemberProgram::Step& step(std::uint32_t index) const { return phase->custom->steps[index]; }
    std::optional<Time> reduction(std::uint32_t index) const;
    Bytes bytes(std::uint32_t index) const;
    SharedBus::Pass pass(std::uint32_t index) const;
  };
  // A port carries out what the members decide.
  struct Port;
  struct ExchangePort;
  struct TreePort;
  struct ProgramPort;

  // What is prepared has an index: the number of the preparation, a TreeSchedule::Step, or a step of the
  // program. What is received has one, too: the number of the message, a TreeSchedule::Relation, or a step.
  void prepare(std::uint32_t stream, std::uint32_t index);
  void on_endpoint_passed(std::uint32_t stream, std::uint32_t index);
  void on_prepared(std::uint32_t stream, std::uint32_t index);
  void on_delivered(std::uint32_t stream, std::uint32_t index);
  void send(const Part& part, std::uint32_t position, Bytes bytes);
  void receive(std::uint32_t stream, std::uint32_t position, Bytes bytes, std::uint32_t index);
  void exchange(std::uint32_t stream, std::uint32_t index);
  void send_for_all(const Part& part, std::uint32_t from, const ExchangeSchedule::Step& step);
  void send_on_behalf(std::uint32_t stream, std::uint32_t to, Bytes bytes, std::uint32_t index);
  static MessageKey message_of(const Part& part, const MemberProgram::Step& step);
  Event event(What what, std::uint32_t stream, std::uint32_t index) const {
    return Event{handler_, what, parts_[stream].rank.value(), stream, index};
  }

  RankTimers& timers_;
  Messenger& messenger_;
  const SystemConfig& config_;
  PartListener& listener_;
  RepresentativeRank* for_all_;
  std::uint16_t handler_;
  Endpoints endpoints_;
  std::vector<Part> parts_;  // by stream
};

}  // namespace orrery::core
