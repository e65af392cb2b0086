// Decides what a member does in an exchange, the common machine of ring, direct and halving-doubling
// (docs/models/collectives.md, Exchange).
#pragma once

#include <cstdint>

namespace orrery::core {

// `Rules` has `messages`, `in_flight`, `gate` and ungated(), as ExchangeSchedule does. A port carries out
// what the member decides:
//   prepare(k)      begins preparation k
//   exchange(k)     sends message k and awaits its counterpart
//   turned_away()   hears that a message waits for the gate to open
//   opens_late()    returns whether a message was turned away in this instant whose arrivals count first
//   ended()         hears, after everything else, that the member has done its part
// Steps that every message goes through can be inlined. The rarer ones are called, and get the port as a
// copy: by reference it would have to be kept in memory for all.
class ExchangeMember {
 public:
  std::uint32_t sent() const { return sent_; }
  std::uint32_t received() const { return received_; }

  template <class Rules, class Port>
  void start(const Rules& rules, const Port& port) const {
    for (std::uint32_t k = 0; k < rules.in_flight; ++k) port.prepare(k);
  }

  template <class Rules, class Port>
  void arrived(const Rules& rules, const Port& port) {
    ++received_;
    if (received_ == rules.gate && port.opens_late()) pass_gate(rules, port);
    port.prepare(received_ - 1 + rules.in_flight);
  }

  template <class Rules, class Port>
  void prepared(const Rules& rules, const Port& port) {
    ++prepared_;
    if (sent_ < rules.ungated())
      exchange(port);
    else
      prepared_last(rules, port);
  }

 private:
  template <class Port>
  void exchange(const Port& port) {
    port.exchange(sent_);
    ++sent_;
    --prepared_;
  }

  // Called when a message behind the gate has been prepared, or when a preparation has ended that sends
  // nothing.
  template <class Rules, class Port>
  [[gnu::noinline]] void prepared_last(const Rules& rules, Port port) {
    if (received_ < rules.gate) {
      port.turned_away();
      return;
    }
    pass_gate(rules, port);
    if (sent_ == rules.messages && prepared_ == rules.in_flight) port.ended();
  }

  template <class Rules, class Port>
  [[gnu::noinline]] void pass_gate(const Rules& rules, Port port) {
    for (std::uint32_t i = 0; i < rules.in_flight; ++i) {
      if (sent_ == rules.messages || prepared_ == 0) break;
      exchange(port);
    }
  }

  std::uint32_t sent_ = 0;
  std::uint32_t prepared_ = 0;  // prepared messages that are not sent yet
  std::uint32_t received_ = 0;
};

}  // namespace orrery::core
