// A phase that is run message by message is of one of three kinds: an exchange, a tree, or programs.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/units/rank_id.hpp"
#include "collective/messages/phase_runs.hpp"
#include "collective/phase/endpoints.hpp"
#include "network/contention_free_network.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class PhaseMessages;

// A message as its sender and receiver see it. `index` names it on a rank. In an exchange it is the number of
// the message, whose counterpart comes from the other side; in a tree it is the relation that the message
// comes from or goes to; in a program it is the step. Messages of different lanes never match.
struct PhaseMessage {
  RankId to, from;
  Bytes bytes;
  std::uint16_t lane = 0;
  // The devices between which the network carries the message, where these are not the NPUs of both ends.
  struct Devices {
    int source, destination;
  };
  std::optional<Devices> devices = {};
};

// Phases of all kinds use these.
struct PhaseMachine {
  EventLoop& loop;
  RankTimers& timers;
  Endpoints& endpoints;
  PhaseRuns& runs;
  PhaseMessages& messages;
};

class PhaseKind : public EventHandler {
 public:
  using RunId = PhaseEngine::RunId;
  // The step of a rank that an event reports. The event's `object` is the run, and its `extra` an index.
  enum What : std::uint16_t {
    endpoint_passed,
    prepared,
    data_arrived,
    data_sent,    // a program's message has been delivered, as its sender hears
    data_carried  // by the transport, to a member that may not await it yet
  };

  virtual ~PhaseKind() = default;

  // Makes the members of a run that has been opened.
  virtual void open(PhaseRun& run) = 0;
  virtual void start(RunId run, RankId rank) = 0;
  virtual PhaseMessage message(RunId run, RankId rank, std::uint32_t index) const = 0;
  // Returns what the rank waits for, in words, for the report of a stalled run.
  virtual std::string waiting(RunId run, RankId rank) const = 0;

  // Returns whether senders hear of deliveries.
  bool tells_senders() const { return tells_senders_; }
  Event event(What what, RunId run, RankId rank, std::uint32_t index) const {
    return Event{handler_, what, rank.value(), run, index};
  }

 protected:
  PhaseKind(const PhaseMachine& machine, bool tells_senders)
      : machine_(machine), handler_(machine.loop.add_handler(*this)), tells_senders_(tells_senders) {}

  const PhaseMachine machine_;

 private:
  std::uint16_t handler_;
  bool tells_senders_;
};

// These functions make the kinds, in the order of Schedule. They keep references. With `one_for_all`, rank 0
// sends and receives what all ranks do at the same times.
std::unique_ptr<PhaseKind> make_exchange_phases(const PhaseMachine& machine, const SystemConfig& system,
                                                const Dialect& dialect, const ContentionFreeNetwork& network,
                                                bool one_for_all, Transport* transport);
std::unique_ptr<PhaseKind> make_tree_phases(const PhaseMachine& machine);
std::unique_ptr<PhaseKind> make_program_phases(const PhaseMachine& machine);

}  // namespace orrery::core
