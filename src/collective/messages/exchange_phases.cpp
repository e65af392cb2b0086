// Runs exchanges message by message: phases of ring, direct and halving-doubling.
//
// The steps that every message goes through - it is prepared, sent and arrives - become one function,
// handle(); those that few of them need are called. Otherwise a third of all instructions would go into
// calls.
#include <fmt/format.h>

#include <map>

#include "collective/messages/phase_messages.hpp"

namespace orrery::core {

namespace {

class ExchangePhases final : public PhaseKind {
 public:
  ExchangePhases(const PhaseMachine& machine, const SystemConfig& system, const Dialect& dialect,
                 const ContentionFreeNetwork& network, bool one_for_all, Transport* transport)
      : PhaseKind(machine, false),
        network_(network),
        one_for_all_(one_for_all),
        transport_(transport),
        endpoint_delay_(system.shared_bus ? std::nullopt : std::optional(system.endpoint_delay)),
        rendezvous_(system.rendezvous),
        partners_wait_(transport && !one_for_all && !system.rendezvous && !dialect.overloads_links),
        gate_counts_whole_instant_(dialect.gate_counts_whole_instant),
        reduces_at_once_(!system.shared_bus && machine.loop.clock().counts_picoseconds()) {}

  void open(PhaseRun& run) override {
    run.exchange = &tables_.try_emplace(run.shape, *run.shape).first->second;
    const std::uint32_t ranks = machine_.runs.ranks();
    run.in_exchange.assign(ranks, {});
    for (const RankId rank : first_ids<RankId>(ranks))
      run.in_exchange[rank.index()].position = run.position(rank);
    run.turned_away.assign(run.exchange->gate > 0 ? ranks : 0, -1);
    run.early = 0;
    run.expect(run.exchange->messages, run.exchange->in_flight);
  }

  void start(RunId id, RankId rank) override {
    PhaseRun& run = machine_.runs[id];
    run.in_exchange[rank.index()].start(*run.exchange, Port{*this, run, id, rank});
  }

  [[gnu::flatten]] void handle(const Event& event_now) override {
    const RunId id = event_now.object;
    const RankId rank(event_now.rank);
    const std::uint32_t index = event_now.extra;
    PhaseRun& run = machine_.runs[id];
    const Port port{*this, run, id, rank};
    switch (event_now.what) {
      case data_arrived:
        arrived(port, index);
        break;
      case endpoint_passed:  // and what has been received is to be reduced
        if (!reduces_at_once_ || !machine_.timers.at_last_of(class_of_simulated(rank)) ||
            run.exchange->step(index).reduction != Time()) {
          reduce(id, run, rank, index);
          break;
        }
        [[fallthrough]];
      case prepared:
        run.in_exchange[rank.index()].prepared(*run.exchange, port);
        break;
      case data_carried:
        carried(port, index);
        break;
      default:
        break;
    }
  }

  PhaseMessage message(RunId id, RankId rank, std::uint32_t index) const override {
    const PhaseRun& run = machine_.runs[id];
    const ExchangeTable::Step& step = run.exchange->step(index);
    const std::uint32_t position = run.in_exchange[rank.index()].position;
    return {run.exchange->receiver(rank, position, step), run.exchange->sender(rank, position, step),
            step.bytes};
  }

  // Messages of an exchange arrive in the order in which they are received.
  std::string waiting(RunId id, RankId rank) const override {
    const PhaseRun& run = machine_.runs[id];
    const ExchangeMember& member = run.in_exchange[rank.index()];
    if (member.received() == run.exchange->messages) return "has all its messages, but has not ended";
    const PhaseMessage next = message(id, rank, member.received());
    return fmt::format("has sent {} and received {} of {} messages and waits for {} bytes from rank {}",
                       member.sent(), member.received(), run.exchange->messages, next.bytes.count(),
                       next.from.value());
  }

 private:
  struct Port {  // the port of a member
    ExchangePhases& phases;
    PhaseRun& run;
    RunId id;
    RankId rank;

    void prepare(std::uint32_t k) const { phases.prepare(id, run, rank, k); }
    void exchange(std::uint32_t index) const {
      if (phases.rendezvous_) {
        phases.exchange_by_handshake(id, rank, index);
      } else {
        phases.send(id, run, rank, index);
        phases.await(id, run, rank, index);
      }
    }
    void turned_away() const { run.turned_away[rank.index()] = phases.machine_.loop.now(); }
    // If arrivals count first, a message that became ready earlier in this instant was turned away too early.
    bool opens_late() const {
      return phases.gate_counts_whole_instant_ && run.turned_away[rank.index()] == phases.machine_.loop.now();
    }
    void ended() const { phases.machine_.runs.ended(id, rank); }
  };

  // The other functions are parts of handle(), which calls those that are not inlined.

  void arrived(const Port& port, std::uint32_t index) {
    port.run.receives(port.rank, index, machine_.loop);
    port.run.in_exchange[port.rank.index()].arrived(*port.run.exchange, port);
  }

  void prepare(RunId id, const PhaseRun& run, RankId rank, std::uint32_t k) {
    if (endpoint_delay_)
      machine_.timers.after(class_of_simulated(rank), *endpoint_delay_,
                            event(after_endpoint(run, k), id, rank, k));
    else
      prepare_on_bus(id, run, rank, k);
  }

  [[gnu::noinline]] void prepare_on_bus(RunId id, const PhaseRun& run, RankId rank, std::uint32_t k) {
    machine_.endpoints.pass(rank, event(after_endpoint(run, k), id, rank, k), [&] {
      return std::pair(run.exchange->step(k).bytes,
                       bus_pass(run.shape->schedule, k, run.exchange->reduces(k)));
    });
  }

  static What after_endpoint(const PhaseRun& run, std::uint32_t k) {
    return run.exchange->reduces(k) ? endpoint_passed : prepared;
  }

  // The reduction is a step of its own even when it costs nothing, because that decides the order within the
  // instant. But if this step would come next anyhow, handle() goes on at once.
  [[gnu::noinline]] void reduce(RunId id, const PhaseRun& run, RankId rank, std::uint32_t k) {
    machine_.timers.after(class_of_simulated(rank), run.exchange->step(k).reduction,
                          event(prepared, id, rank, k));
  }

  [[gnu::noinline]] void exchange_by_handshake(RunId id, RankId rank, std::uint32_t index) {
    const PhaseMessage both = message(id, rank, index);
    machine_.messages.send(id, rank, index, both);
    machine_.messages.receive(id, rank, index, both);
  }

  void send(RunId id, PhaseRun& run, RankId rank, std::uint32_t index) {
    const ExchangeTable::Step& step = run.exchange->step(index);
    const RankId to = run.exchange->receiver(rank, run.in_exchange[rank.index()].position, step);
    machine_.messages.count(run, rank, to, step.bytes);
    if (transport_) {
      if (partners_wait_ && run.exchange->exclusive_or)
        carry_between_partners(id, run, rank, to, index, step);
      else
        carry(id, rank, to, index, step);
      return;
    }
    const Stamp duration = step.duration != ExchangeTable::depends_on_members
                               ? step.duration
                               : network_.duration(npu_of(rank), npu_of(to), step.bytes);
    const Stamp finish = machine_.loop.clock().add(machine_.loop.now(), duration);
    if (index < run.in_exchange[to.index()].sent())
      machine_.loop.at(finish, event(data_arrived, id, to, index));
    else
      keep_early(run, to, index, rank, finish);
  }

  // Without handshakes, a member awaits message k of its peer once it has sent its own message k. The message
  // that it awaits then is the next one among messages that look alike. So the awaited messages need not be
  // kept, but only those that came too early.
  [[gnu::noinline]] void keep_early(PhaseRun& run, RankId rank, std::uint32_t index, RankId from,
                                    Stamp finish) {
    PhaseRun::InExchange& member = run.in_exchange[rank.index()];
    if (member.early == PhaseRun::none) {
      member.early = index;
      member.early_finish = finish;
      return;
    }
    machine_.messages.keep(run, rank, from, run.exchange->step(index).bytes, finish);
    ++run.early;
  }

  void await(RunId id, PhaseRun& run, RankId rank, std::uint32_t index) {
    run.awaits(rank, index, machine_.loop);
    PhaseRun::InExchange& member = run.in_exchange[rank.index()];
    if (member.early == index) {
      member.early = PhaseRun::none;
      arrives_early(id, rank, index, member.early_finish);
    } else if (run.early > 0) {
      take_kept(id, run, rank, index);
    }
  }

  [[gnu::noinline]] void take_kept(RunId id, PhaseRun& run, RankId rank, std::uint32_t index) {
    const std::optional<Stamp> finish = machine_.messages.take_kept(run, rank, message(id, rank, index));
    if (!finish) return;
    --run.early;
    arrives_early(id, rank, index, *finish);
  }

  void carry(RunId id, RankId from, RankId to, std::uint32_t index, const ExchangeTable::Step& step) {
    transport_->send(npu_of(from), npu_of(to), step.bytes, event(data_carried, id, from, index));
  }

  // Where two members send to each other, neither does so before both have got to this step.
  [[gnu::noinline]] void carry_between_partners(RunId id, const PhaseRun& run, RankId rank, RankId partner,
                                                std::uint32_t index, const ExchangeTable::Step& step) {
    if (index >= run.in_exchange[partner.index()].sent()) return;
    carry(id, partner, rank, index, step);  // it was there before
    carry(id, rank, partner, index, step);
  }

  // A message that was sent before it was awaited arrives now or at `finish`, whichever is later.
  [[gnu::noinline]] void arrives_early(RunId id, RankId rank, std::uint32_t index, Stamp finish) {
    EventLoop& loop = machine_.loop;
    loop.after(loop.clock().difference(finish, loop.now()), event(data_arrived, id, rank, index));
  }

  // The transport has delivered what a member sent. It keeps the order of messages that look alike.
  [[gnu::noinline]] void carried(Port from, std::uint32_t index) {
    PhaseRun& run = from.run;
    const PhaseMessage ends = message(from.id, from.rank, index);
    // Where one member stands for all, another member's message has come to it when its own message has come
    // to another member.
    const RankId sender = one_for_all_ ? ends.from : from.rank;
    const RankId receiver = one_for_all_ ? from.rank : ends.to;
    if (index < run.in_exchange[receiver.index()].sent())
      arrived({*this, run, from.id, receiver}, index);
    else
      keep_early(run, receiver, index, sender, machine_.loop.now());
  }

  const ContentionFreeNetwork& network_;
  bool one_for_all_;
  Transport* transport_;
  std::optional<Time> endpoint_delay_;  // empty if there is a bus; reading it here saves calls of handle()
  bool rendezvous_;
  bool partners_wait_;  // for each other where they exchange messages
  bool gate_counts_whole_instant_;
  bool reduces_at_once_;  // whether a reduction that takes no time may happen at once
  std::map<const PhaseShape*, ExchangeTable> tables_;
};

}  // namespace

std::unique_ptr<PhaseKind> make_exchange_phases(const PhaseMachine& machine, const SystemConfig& system,
                                                const Dialect& dialect, const ContentionFreeNetwork& network,
                                                bool one_for_all, Transport* transport) {
  return std::make_unique<ExchangePhases>(machine, system, dialect, network, one_for_all, transport);
}

}  // namespace orrery::core
