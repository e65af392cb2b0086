// Runs phases message by message (docs/models/collectives.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "collective/exchange_table.hpp"
#include "collective/mailbox.hpp"
#include "collective/phase_engine.hpp"
#include "collective/shared_bus.hpp"
#include "events/rank_timers.hpp"
#include "network/contention_free_network.hpp"
#include "network/transport.hpp"

namespace orrery {

class MessageEngine final : public EventHandler, public PhaseEngine {
 public:
  // Keeps references. Messages take what the transport makes of them; without one, they never meet.
  MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system, const Dialect& dialect,
                const ContentionFreeNetwork& network, const RankParts& parts, int topology_dimensions,
                PhaseListener& listener, Transport* transport = nullptr);

  RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part) override;
  void start(RunId run, std::uint32_t rank, Stamp earliest_end) override;
  ReceiveStatistics take_receive_statistics(RunId run) override;
  const std::vector<Bytes>& payload(std::uint32_t part) const override { return payload_[part]; }
  std::uint64_t messages() const override { return messages_; }

  std::string waiting(RunId run, std::uint32_t rank) const override;

  [[gnu::flatten]] void handle(const Event& event) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  enum What : std::uint16_t {
    endpoint_passed,
    prepared,
    data_arrived,
    handshake_sent,
    handshake_arrived,
    data_sent,     // a program's message has been delivered, as its sender hears
    data_carried,  // by the transport, to where it may not be awaited yet
    handshake_carried,
    may_end,  // a phase that the rank has gone through
  };
  enum Channel : std::uint8_t { data, handshake };
  struct Member {  // of an exchange; as short as can be, since every message touches two
    std::uint32_t sent = 0;
    std::uint32_t credit = 0;  // prepared, not yet sent
    std::uint32_t received = 0;
    std::uint32_t position = 0;  // in the group
    // Index of a message that arrived, or was sent, before this member awaited it.
    std::uint32_t early = none;
    Stamp early_finish = 0;
  };
  struct Run {
    std::uint32_t chunk = 0;
    std::uint32_t part = 0;
    std::uint32_t recorded = 0;     // rank whose messages are counted
    std::uint32_t taking_part = 0;  // simulated ranks that do
    std::uint32_t ended = 0;
    const PhaseShape* shape = nullptr;
    const ExchangeTable* exchange = nullptr;  // or
    const TreeSchedule* tree = nullptr;       // or
    const ProgramSchedule* program = nullptr;
    // By rank. A tree's know `received` and `credit`, a program's know by `credit` how many steps are left.
    std::vector<Member> members;
    std::vector<std::vector<std::uint32_t>> missing;  // programs: steps that each step waits for, by rank
    std::vector<Stamp> earliest_ends;                 // by rank
    std::vector<Stamp> blocked;  // by rank, where there is a gate: when it last held a message back
    Mailbox mailbox;
    // Exchanges without handshakes: messages beyond one per member that are not awaited yet, in the mailbox.
    std::uint64_t early = 0;
    std::vector<Time> posted;  // receives of the recorded rank
    ReceiveStatistics statistics;
    bool statistics_taken = false;
  };
  // A message as its sender and receiver see it. On a rank, `index` names it: in an exchange it is the number
  // of the message, whose counterpart comes from the other side; in a tree it is the relation that the
  // message comes from or goes to.
  struct Message {
    std::uint32_t to, from;
    Bytes bytes;
  };
  using enum TreeSchedule::Relation;
  using enum TreeSchedule::Step;

  const ExchangeTable* table_of(const PhaseShape& shape);
  bool reduces(const Run& run, std::uint32_t rank, std::uint32_t index) const;
  void ended(RunId run, std::uint32_t rank);

  // Defined in exchange_phase.cpp: parts of handle().
  inline void begin(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index);
  inline void exchange_arrived(RunId id, Run& run, std::uint32_t rank, std::uint32_t index);
  inline void exchange_prepared(RunId id, Run& run, std::uint32_t rank);
  inline void exchange(RunId id, Run& run, std::uint32_t rank);
  inline void send_exchange(RunId id, Run& run, std::uint32_t rank, std::uint32_t index);
  inline void await_exchange(RunId id, Run& run, std::uint32_t rank, std::uint32_t index);
  static What after_endpoint(const Run& run, std::uint32_t index) {
    return run.exchange->reduces(index) ? endpoint_passed : prepared;
  }
  // Functions that handle() calls.
  [[gnu::noinline]] void handle_rarer(const Event& event);
  [[gnu::noinline]] void begin_on_bus(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index);
  [[gnu::noinline]] void reduce(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index);
  [[gnu::noinline]] void prepared_last(RunId id, Run& run, std::uint32_t rank);
  [[gnu::noinline]] void pass_gate(RunId id, Run& run, std::uint32_t rank);
  [[gnu::noinline]] void exchange_by_handshake(RunId id, const Run& run, std::uint32_t rank,
                                               std::uint32_t index);
  [[gnu::noinline]] void keep_early(Run& run, std::uint32_t rank, std::uint32_t index, std::uint32_t from,
                                    Stamp finish);
  [[gnu::noinline]] void take_kept(RunId id, Run& run, std::uint32_t rank, std::uint32_t index);
  [[gnu::noinline]] void arrives_early(RunId id, std::uint32_t rank, std::uint32_t index, Stamp finish);
  void start_exchange(RunId run, std::uint32_t rank);
  void exchange_carried(RunId id, std::uint32_t from, std::uint32_t index);
  Message exchange_message(const Run& run, std::uint32_t rank, std::uint32_t index) const;

  // program_phase.cpp
  void start_program(RunId run, std::uint32_t rank);
  void start_step(RunId run, std::uint32_t rank, std::uint32_t step);
  void program_endpoint_passed(RunId run, std::uint32_t rank, std::uint32_t step);
  void step_ended(RunId run, std::uint32_t rank, std::uint32_t step);
  std::uint32_t position_from_root(const Run& run, std::uint32_t rank) const;
  const MemberProgram& program_of(const Run& run, std::uint32_t rank) const;
  Message program_message(const Run& run, std::uint32_t rank, std::uint32_t step) const;

  // tree_phase.cpp
  void start_tree(RunId run, std::uint32_t rank);
  void prepare_tree(RunId run, std::uint32_t rank, std::uint32_t step);
  void tree_endpoint_passed(RunId run, std::uint32_t rank, std::uint32_t step);
  void tree_prepared(RunId run, std::uint32_t rank, std::uint32_t step);
  void tree_arrived(RunId run, std::uint32_t rank, std::uint32_t relation);
  void go_up(RunId run, std::uint32_t rank);
  Message tree_message(const Run& run, std::uint32_t rank, std::uint32_t relation) const;
  TreeSchedule::Node node_of(const Run& run, std::uint32_t rank) const;

  // Defined in messages.cpp. A send has no effect on its sender; a receive ends in data_arrived.
  void send(RunId run, std::uint32_t rank, std::uint32_t index) {
    send(run, rank, index, message_of(*runs_[run], rank, index));
  }
  void receive(RunId run, std::uint32_t rank, std::uint32_t index) {
    receive(run, rank, index, message_of(*runs_[run], rank, index));
  }
  void send(RunId run, std::uint32_t rank, std::uint32_t index, const Message& message);
  void receive(RunId run, std::uint32_t rank, std::uint32_t index, const Message& message);
  void transmit(RunId run, Channel channel, std::uint32_t from, std::uint32_t to, Bytes bytes,
                std::uint32_t index);
  [[gnu::noinline]] void count_payload(const Run& run, std::uint32_t from, std::uint32_t to, Bytes bytes);
  [[gnu::noinline]] void count_latency(Run& run, std::uint32_t index);
  Stamp duration_of(const Run& run, std::uint32_t from, std::uint32_t to, Bytes bytes,
                    std::uint32_t index) const;
  void post(RunId run, Channel channel, std::uint32_t rank, std::uint32_t from, Bytes bytes,
            std::uint32_t index);
  void await_data(RunId run, std::uint32_t rank, std::uint32_t index);
  void carried(RunId run, Channel channel, std::uint32_t from, std::uint32_t index);
  Message message_of(const Run& run, std::uint32_t rank, std::uint32_t index) const;
  Event event(What what, RunId run, std::uint32_t rank, std::uint32_t index) const {
    return Event{handler_, what, rank, run, index};
  }

  EventLoop& loop_;
  RankTimers& timers_;
  const SystemConfig& system_;
  const ContentionFreeNetwork& network_;
  PhaseListener& listener_;
  Transport* transport_;
  std::uint16_t handler_;
  const RankParts& parts_;
  std::uint32_t ranks_ = 0;
  std::unique_ptr<SharedBus> bus_;
  bool gate_counts_whole_instant_;
  bool reduces_at_once_;  // whether a reduction that takes no time may happen at once
  std::map<const PhaseShape*, ExchangeTable> tables_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<RunId> free_runs_;
  MailPool mail_;
  std::vector<std::vector<Bytes>> payload_;  // by part
  std::uint64_t messages_ = 0;
};

}  // namespace orrery
