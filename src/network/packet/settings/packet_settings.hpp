// The settings of a network of switches and NICs that pass on packets, apart from its topology. The page
// docs/models/network-packet.md explains every rule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/settings/congestion_settings.hpp"
#include "network/packet/settings/credit_settings.hpp"
#include "network/packet/settings/ecn_thresholds.hpp"

namespace orrery::core {

// The bytes that packets have on a wire beside what they carry.
struct PacketSizes {
  std::uint32_t payload = 4096;    // most bytes of data in a packet
  std::uint32_t data_header = 82;  // bytes around a payload, including what stands between packets
  std::uint32_t ack_header = 84;
  std::uint32_t min_ack = 84;  // an acknowledgement is not shorter, whatever it carries
  std::uint32_t pause = 84;
  // Bytes of a message that says how many credits there are.
  std::uint32_t credits = 8;
  std::uint32_t min_payload = 64, max_payload = 65'000;  // sizes that users may choose
  bool padded = false;  // the last packet of a message is as long as the others

  // Returns the bytes that are left of data without its payload.
  std::uint32_t header(std::uint32_t telemetry) const { return std::max(1u, data_header + telemetry); }
  // Returns the bytes of packets with that much telemetry.
  std::uint32_t data(std::uint32_t bytes, std::uint32_t telemetry) const {
    return (padded ? payload : bytes) + data_header + telemetry;
  }
  std::uint32_t ack(std::uint32_t telemetry) const { return std::max(min_ack, ack_header + telemetry); }
};

struct SharedBufferSettings {
  // Bytes of a switch; none: 32 MiB, or twice what its ports set aside if that is more and nothing wraps.
  std::optional<std::uint64_t> bytes = {};
  std::uint32_t reserve = 4096;            // bytes that only one port can use
  std::uint32_t resume_offset = 3 * 1024;  // bytes below the threshold at which a paused sender goes on
  int alpha_shift = 3;                     // a port may use the 2^-3rd part of what is free
  // Bytes of every port for what still comes after a pause has been asked for; none: as many as may come.
  std::optional<std::uint64_t> headroom = {};
  // Otherwise they are those that come in three delays of the link, as in ns-3's back end, so that packets
  // may be lost where links are short.
  bool three_delays = false;
  // Limit of the queue of a port's priority, bytes; what comes beyond it is lost; 0: no limit.
  std::uint64_t queue = 0;
  // These replace the threshold: when more than this has come in by a port, the switch makes its sender
  // pause, and when it is less, go on. 0: they are not used.
  std::uint64_t pause_above = 0, resume_below = 0;
  // A pool that is too small counts as endless, as in ns-3's back end. Otherwise it is refused.
  bool wraps = false;
};

struct EcnSettings {
  bool on = false;
  // Thresholds in the order of their rates. A link has those of its own rate. With `scaled`, a link of any
  // rate has the first ones in proportion to its rate.
  std::vector<EcnThresholds> thresholds;
  bool scaled = false;
  SourceLocation where = {};  // of thresholds that are not scaled
};

struct WindowSettings {
  bool limited = true;          // otherwise a flow may have any number of bytes under way
  std::uint64_t bytes = 0;      // bytes that it may have under way; 0: what its route carries in a round trip
  bool largest_of_all = false;  // all flows have the window and round trip of the pair with the longest ones
  bool follows_rate = true;     // the window shrinks with the rate of a flow
};

struct ReliabilityKind;

// Returns the timeout that InfiniBand has a number for, 1 to 31.
constexpr std::int64_t local_ack_timeout_ps(std::int64_t exponent) {
  return std::int64_t{4'096'000} << exponent;
}

struct ReliabilitySettings {
  // Null: go-back-N, or selective repeat where packets may come in another order or the congestion control
  // needs it.
  const ReliabilityKind* kind = nullptr;
  std::uint32_t reordering = 3;            // packets that may overtake another before that one counts as lost
  std::uint64_t ack_interval = 1;          // bytes that have to arrive before a receiver acknowledges any
  std::uint64_t chunk = 4000;              // bytes; a receiver acknowledges their multiples in any case
  bool back_to_chunk = false;              // what is lost is sent again from the start of its chunk
  std::int64_t nack_gap_ps = 500'000'000;  // between two requests for the same bytes
  bool timeouts = true;                    // what is not acknowledged is sent again
  std::int64_t min_timeout_ps = 1'000'000'000, largest_timeout_ps = 100'000'000'000;
  std::uint32_t queues_of_timeout = 0;  // times of a full queue at a flow's line, more than the least timeout
  // Time after which a sender sends again, however long round trips take. 0: the times of round trips decide.
  std::int64_t fixed_timeout_ps = 0;
  int retries = 16;  // timeouts without progress until the run fails
};

// NICs that now and then take nothing in, because their host is slow or they are broken.
struct NicPauseSettings {
  // Number of stops of each of them; 0: none stops.
  int times = 0;
  // Length of a stop, and the time from its end to the next one.
  std::int64_t length_ps = 10'000'000, gap_ps = 1'000'000'000;
  std::vector<int> npus = {};  // NPUs whose NICs stop; empty: all
};

struct FlowControlKind;
extern const FlowControlKind pause_flow_control;

struct PacketSettings {
  PacketSizes sizes;
  const FlowControlKind* flow_control = &pause_flow_control;
  SharedBufferSettings buffer;
  CreditSettings credits;
  EcnSettings ecn;
  WindowSettings window;
  ReliabilitySettings reliability;
  CongestionSettings congestion;
  bool whole_nanoseconds = false;  // all times are whole nanoseconds
  bool rate_bound = true;          // flows keep to the rates that congestion control gives them
  bool urgent_acks = false;        // hosts send acknowledgements even while data is paused
  // Answers of a NIC and what it asks of its switch wait in one queue, which pauses with the usual priority,
  // and all that nodes ask is sent, as in ns-3's back end. So NICs may wait for each other for ever, and
  // answers of other priorities come in spite of a pause.
  bool one_queue_of_answers = false;
  bool ns3_routes = false;  // flows choose routes by the hash of ns-3's back end; otherwise by the routing
  // Routings under which packets choose keep flows to a link for this long, or until they pause for this
  // long.
  std::optional<std::int64_t> choice_interval_ps;
  std::uint64_t choice_grade = 0;  // bytes by which routings tell queues apart; 0: every byte counts
  // Number of labels of a flow, where hosts write one into every packet; 0: the usual 128.
  std::uint32_t labels = 0;
  // Otherwise messages of a channel follow one another in one queue pair.
  bool queue_pair_per_message = false;
  // A NIC waits for the time at which the first of its flows may send, and flows that their window holds back
  // count, too. So such a flow keeps it from waking for the others, as in ns-3's back end.
  bool wakes_for_all_flows = false;
  bool refuses_empty = false;           // refuses messages of no bytes, which ns-3's back end never ends
  bool ends_when_acknowledged = false;  // a message is delivered when its sender knows that it has arrived
  bool every_packet = true;             // otherwise messages flow at the rates that packets settle at
  int priority = 3;                     // priority of messages that state none
  NicPauseSettings nic_pauses;
  std::map<std::string, SourceLocation, std::less<>> places;  // of the keys that the user gives

  // Returns the place of a key, for errors about it; null: the user does not give it.
  const SourceLocation* place_of(std::string_view key) const {
    const auto found = places.find(key);
    return found == places.end() ? nullptr : &found->second;
  }

  // Returns an empty place where the user does not give the key.
  SourceLocation place_or_none(std::string_view key) const {
    const SourceLocation* const place = place_of(key);
    return place ? *place : SourceLocation();
  }

  double loss = 0;         // share of packets that is lost on links that state none
  std::uint64_t seed = 1;  // seed of marks and losses
};

}  // namespace orrery::core
