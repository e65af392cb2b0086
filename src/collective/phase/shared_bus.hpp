// This is the bus between an NPU and its memory. Its transfers follow LogGP with latency L, overhead o, gap g
// and gap per byte G (docs/models/shared-bus.md; Alexandrov et al., "LogGP", 1995).
//
// Every NPU has an outer bus between the NPU's and the memory's side, and an inner one attached to the
// outer's NPU side, with a fixed G. Bytes that are prepared on the NPU's side cross both buses. Bytes that
// arrived cross from the memory's side, are processed (reduced) on the way where needed, and may cross back.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/dialect.hpp"
#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "collective/algorithms/schedule.hpp"
#include "collective/plan/system_config.hpp"
#include "events/rank_timers.hpp"

namespace orrery::core {

class SharedBus final : public EventHandler {
 public:
  enum Side : std::uint8_t { npu_side, memory_side };
  struct Pass {
    Side enters;
    bool process;  // reduce on the other side
    bool back;     // then cross again
  };

  SharedBus(EventLoop& loop, RankTimers& timers, const SharedBusConfig& config, const Dialect& dialect,
            int ranks);

  // Dispatches `done` when `bytes` have passed the bus of `rank`.
  void request(RankId rank, Bytes bytes, Pass pass, const Event& done);

  void handle(const Event& event) override;

 private:
  enum EndId : std::uint32_t { outer_npu, outer_memory, inner_bus_side, inner_npu_side, ends_per_rank };
  enum class State : std::uint8_t { free, sending, receiving };
  enum What : std::uint16_t { sent, received, processed };
  // The action that follows when a transfer has arrived for good.
  enum class Then : std::uint8_t { dispatch, send_outer, process_outer, deliver_outer };
  struct Transfer {
    Bytes bytes;
    bool process, back;
    Then then;
    std::uint32_t outer;  // the transfer on the outer bus that this inner one serves
    Event done;
  };
  struct End {
    State state = State::free, previous = State::free;
    bool processing = false;
    int streak = 0;  // transfers sent since the partner sent one
    Time last;       // end of the last transfer
    std::deque<std::uint32_t> sends, receives, processes;
  };
  using Ends = std::array<End, ends_per_rank>;

  static EndId partner(EndId end) { return static_cast<EndId>(end ^ 1u); }
  void enqueue(RankId rank, EndId end, std::uint32_t transfer);
  void kick(RankId rank, EndId end);
  void transmit(RankId rank, EndId end);
  void on_received(RankId rank, EndId end);
  void on_processed(RankId rank, EndId end);
  void start_processing(RankId rank, EndId end);
  // Continues a transfer that has arrived at `end` or been processed there: sends it back over the bus, or
  // ends it.
  void route(RankId rank, EndId end, std::uint32_t transfer);
  void pass(RankId rank, EndId end, std::uint32_t transfer, bool back, Then then);
  void conclude(RankId rank, EndId end, std::uint32_t transfer, Then then);
  void timer(RankId rank, EndId end, What what, double ns);

  RankTimers& timers_;
  EventLoop& loop_;
  SharedBusConfig config_;
  Dialect dialect_;
  std::uint16_t handler_;
  std::vector<Ends> ranks_;
  Numbered<Transfer> transfers_;
};

// Returns how what a member prepares passes its bus: first for preparation k of an exchange or step k of a
// tree, where `reduces` says that received data is added to own data then; second for a step of a program
// that prepares.
SharedBus::Pass bus_pass(const Schedule& schedule, std::uint32_t k, bool reduces);
SharedBus::Pass bus_pass(const MemberProgram::Step& step);

}  // namespace orrery::core
