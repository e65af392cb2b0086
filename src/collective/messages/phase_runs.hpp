// Keeps the phases that are run message by message, from when they are opened until all ranks have ended
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/messages/exchange_table.hpp"
#include "collective/messages/mailbox.hpp"
#include "collective/phase/exchange_member.hpp"
#include "collective/phase/phase_engine.hpp"
#include "collective/phase/program_member.hpp"
#include "collective/phase/tree_member.hpp"
#include "events/event_loop.hpp"

namespace orrery::core {

class PhaseKind;

// A phase of a chunk.
struct PhaseRun {
  static constexpr std::uint32_t none = 0xffffffff;
  struct InExchange : ExchangeMember {  // as short as can be, since every message touches two of them
    std::uint32_t position = 0;         // position in the group
    // This is the index of a message that arrived, or was sent, before this member awaited it.
    std::uint32_t early = none;
    Stamp early_finish = 0;
  };
  struct InProgram : ProgramMember {
    std::uint32_t origin = 0;  // position in the group from which the program's peers count
  };

  PhaseKind* kind = nullptr;
  std::uint32_t chunk = 0;
  std::uint32_t part = 0;
  RankId recorded;                // rank whose messages are counted
  std::uint32_t taking_part = 0;  // number of simulated ranks that take part
  std::uint32_t ended = 0;
  const PhaseShape* shape = nullptr;
  std::vector<Stamp> earliest_ends;  // by rank
  Mailbox mailbox;
  std::vector<Time> posted;  // times at which the recorded rank posted receives
  ReceiveStatistics statistics;
  bool statistics_taken = false;

  // The members, by rank. A run has members of its kind only.
  std::vector<InExchange> in_exchange;
  std::vector<TreeMember> in_tree;
  std::vector<InProgram> in_program;
  // Only exchanges have the following members.
  const ExchangeTable* exchange = nullptr;
  std::vector<Stamp> turned_away;  // by rank, where there is a gate: when it last held a message back
  // Without handshakes: the number of messages beyond one per member that are not awaited yet and are in the
  // mailbox.
  std::uint64_t early = 0;

  // Returns the position of a rank in its group, and the rank at another position of it.
  std::uint32_t position(RankId rank) const {
    return static_cast<std::uint32_t>(shape->group.position(npu_of(rank)));
  }
  RankId rank_at(RankId rank, std::uint32_t position) const {
    const auto there = static_cast<int>(position) * shape->group.stride;
    return RankId(shape->group.base(npu_of(rank)) + there);
  }

  // Says that the recorded rank will await so many messages, as many as `in_flight` of them at a time.
  void expect(std::size_t messages, std::uint32_t in_flight = 1) {
    posted.assign(messages, Time());
    mailbox.reset(static_cast<std::uint32_t>(earliest_ends.size()), in_flight);
  }
  // The following functions count what the recorded rank receives: the first is called for a receive, the
  // second for its message.
  void awaits(RankId rank, std::uint32_t index, const EventLoop& loop) {
    if (rank == recorded) posted[index] = loop.time();
  }
  void receives(RankId rank, std::uint32_t index, const EventLoop& loop) {
    if (rank == recorded) count_latency(index, loop.time());
  }

 private:
  [[gnu::noinline]] void count_latency(std::uint32_t index, Time now) {
    statistics.latency_sum += now - posted[index];
    ++statistics.messages;
  }
};

class PhaseRuns final : private EventHandler {
 public:
  using RunId = PhaseEngine::RunId;

  // Keeps references.
  PhaseRuns(EventLoop& loop, const RankParts& parts, PhaseListener& listener);

  // Opens a phase, whose members are left to its kind.
  RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part, std::uint32_t absent);
  PhaseRun& operator[](RunId run) { return *runs_[run]; }
  const PhaseRun& operator[](RunId run) const { return *runs_[run]; }
  // Returns the number of simulated ranks.
  std::uint32_t ranks() const { return ranks_; }

  // A rank has done its part, which it ends now or at the earliest end that was asked for.
  void ended(RunId run, RankId rank);
  ReceiveStatistics take_receive_statistics(RunId run);

 private:
  void handle(const Event& event) override { ended(event.object, RankId(event.rank)); }

  EventLoop& loop_;
  const RankParts& parts_;
  PhaseListener& listener_;
  std::uint16_t handler_;
  std::uint32_t ranks_ = 0;
  std::vector<std::unique_ptr<PhaseRun>> runs_;
  // The lowest number is taken first, so that numbers do not depend on the order in which phases ended within
  // an instant.
  std::priority_queue<RunId, std::vector<RunId>, std::greater<>> free_;
};

}  // namespace orrery::core
