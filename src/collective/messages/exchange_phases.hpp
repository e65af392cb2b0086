// Exchanges, message by message: phases of ring, direct and halving-doubling.
//
// The steps that every message goes through - it is prepared, sent and arrives - become one function,
// handle(); those that few of them need are called. Otherwise a third of all instructions would go into
// calls.
#pragma once

#include <map>
#include <optional>

#include "collective/messages/phase_messages.hpp"

namespace orrery {

class ExchangePhases final : public PhaseKind {
 public:
  // Keeps references.
  ExchangePhases(const PhaseMachine& machine, const SystemConfig& system, const Dialect& dialect,
                 const ContentionFreeNetwork& network, Transport* transport);

  void open(RunId run) override;
  void start(RunId run, std::uint32_t rank) override;
  PhaseMessage message(RunId run, std::uint32_t rank, std::uint32_t index) const override;
  std::string waiting(RunId run, std::uint32_t rank) const override;

  [[gnu::flatten]] void handle(const Event& event) override;

 private:
  struct Port;  // of a member

  // Parts of handle().
  inline void arrived(const Port& port, std::uint32_t index);
  inline void prepare(RunId id, const PhaseRun& run, std::uint32_t rank, std::uint32_t k);
  inline void exchange(RunId id, PhaseRun& run, std::uint32_t rank, std::uint32_t index);
  inline void send(RunId id, PhaseRun& run, std::uint32_t rank, std::uint32_t index);
  inline void await(RunId id, PhaseRun& run, std::uint32_t rank, std::uint32_t index);
  static What after_endpoint(const PhaseRun& run, std::uint32_t k) {
    return run.exchange->reduces(k) ? endpoint_passed : prepared;
  }
  // Functions that handle() calls.
  [[gnu::noinline]] void prepare_on_bus(RunId id, const PhaseRun& run, std::uint32_t rank, std::uint32_t k);
  [[gnu::noinline]] void reduce(RunId id, const PhaseRun& run, std::uint32_t rank, std::uint32_t k);
  [[gnu::noinline]] void exchange_by_handshake(RunId id, std::uint32_t rank, std::uint32_t index);
  [[gnu::noinline]] void keep_early(PhaseRun& run, std::uint32_t rank, std::uint32_t index,
                                    std::uint32_t from, Stamp finish);
  [[gnu::noinline]] void take_kept(RunId id, PhaseRun& run, std::uint32_t rank, std::uint32_t index);
  [[gnu::noinline]] void arrives_early(RunId id, std::uint32_t rank, std::uint32_t index, Stamp finish);
  [[gnu::noinline]] void carried(Port from, std::uint32_t index);

  const ContentionFreeNetwork& network_;
  Transport* transport_;
  std::optional<Time> endpoint_delay_;  // without a bus: to look at it here saves handle() calls
  bool rendezvous_;
  bool gate_counts_whole_instant_;
  bool reduces_at_once_;  // whether a reduction that takes no time may happen at once
  std::map<const PhaseShape*, ExchangeTable> tables_;
};

}  // namespace orrery
