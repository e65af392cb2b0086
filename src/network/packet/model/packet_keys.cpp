#include "network/packet/model/packet_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/files/foreign_words.hpp"
#include "base/input/keys.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/foreign_control.hpp"
#include "network/packet/flow_control/credit_keys.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/model/packet_defaults.hpp"
#include "network/packet/model/packet_key_checks.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "network/packet/model/packet_times.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

namespace {

constexpr int max_pauses = 1'000'000'000, max_npu = 1 << 24;

void read_npus(const InputNode& node, const KeyFacts& key, NicPauseSettings& pauses) {
  for (const InputNode& npu : list_of(node, key.name))
    pauses.npus.push_back(int_of(npu, key.name, 0, max_npu));
}

constexpr Key<NicPauseSettings> nic_pause_map_keys[] = {
    key::custom<read_npus>("npus", "list of NPUs", "all", "NPUs whose NICs pause their switches")
        .trying("[0]"),
    key::integer<&NicPauseSettings::times>("times", 1, max_pauses, "10⁹",
                                           "how many times each of these NICs does so"),
    key::declared<packet_time_of, KeyType::time, &NicPauseSettings::length_ps>(
        "length", "10 us", "length of a pause, which begins when a packet arrives")
        .hardware(),
    key::declared<packet_time_of, KeyType::time, &NicPauseSettings::gap_ps>(
        "gap", "1 ms", "least time from the end of a pause to the next one")
        .better(Better::more)
        .hardware(),
};

// Reads the map `nic-pauses` of an experiment's `packets`. Throws InputError.
void read_nic_pauses(const InputNode& map, NicPauseSettings& pauses) {
  pauses = {.times = max_pauses};
  read_map(map, "`nic-pauses`", nic_pause_map_keys, pauses);
}

// Returns the keys of `nic-pauses` as paths, which begin with ".".
std::vector<KeyPath> nic_pause_keys() {
  return key_paths(".", nic_pause_map_keys);
}

constexpr std::int64_t max_packet_bytes = 65'000, max_threshold = 1'000'000;
constexpr std::int64_t largest_seed = std::int64_t{1} << 53;

std::uint64_t bits_of(const InputNode& node, const KeyFacts& key) {
  return static_cast<std::uint64_t>(std::llround(bandwidth_of(node, key.name).bytes_per_ns() * 8e9));
}
std::uint64_t count_of(const InputNode& node, const KeyFacts& key) {
  return bytes_of(node, key.name).count();
}
// Reads a size of a buffer. It has to fit 32 bits, in which switches count bytes.
std::uint64_t buffer_of(const InputNode& node, const KeyFacts& key) {
  constexpr std::uint64_t most = std::uint64_t{2} << 30;
  const std::uint64_t bytes = count_of(node, key);
  if (bytes > most) reject_value(node, key.name, "a size of at most 2 GiB");
  return bytes;
}

std::int64_t local_ack_timeout_of(const InputNode& node, const KeyFacts& key) {
  constexpr std::int64_t most = 31;
  return local_ack_timeout_ps(whole_of(node, key.name, 1, most));
}

void read_profile(const InputNode& node, const KeyFacts& key, PacketSettings& packets) {
  packets = word_value_of(node, key.name, packet_profile_words)->settings();
}

constexpr std::array<EnumName<WindowSettings>, 3> window_words{
    {{"round-trip", {}}, {"longest-round-trip", {.largest_of_all = true}}, {"none", {.limited = false}}}};

// A size, or one of the words.
void read_window(const InputNode& node, const KeyFacts& key, PacketSettings& packets) {
  WindowSettings& window = packets.window;
  const char first = node.text.empty() ? ' ' : node.text.front();
  if (first < '0' || first > '9') {
    window = word_value_of(node, key.name, window_words);
    return;
  }
  window.limited = true;
  window.bytes = count_of(node, key);
  if (window.bytes == 0)
    reject_value(node, key.name, "`round-trip`, `longest-round-trip`, `none` or a size above 0");
}
// Reads the size of an acknowledgement without telemetry.
void read_acknowledgement(const InputNode& node, const KeyFacts& key, PacketSettings& packets) {
  PacketSizes& sizes = packets.sizes;
  sizes.min_ack = static_cast<std::uint32_t>(whole_of(node, key.name, 1, max_packet_bytes));
  sizes.ack_header = std::min(sizes.ack_header, sizes.min_ack);
}
constexpr std::array<EnumName<bool>, 2> completion_words{{{"receiver", false}, {"sender", true}}};

constexpr Key<EcnThresholds> mark_keys[] = {
    key::declared<bits_of, KeyType::bandwidth, &EcnThresholds::rate>(
        "rate", "required",
        "bandwidth of the links that these sizes are meant for; for other links, sizes are in proportion to "
        "their bandwidth")
        .better(Better::never),
    key::declared<count_of, KeyType::size, &EcnThresholds::min_bytes>(
        "least", "required", "longest queue behind which nothing is marked")
        .better(Better::either)
        .software(),
    key::declared<count_of, KeyType::size, &EcnThresholds::max_bytes>(
        "most", "required", "longest queue behind which not all is marked")
        .better(Better::either)
        .software(),
    key::share<&EcnThresholds::probability>(
        "probability", "0.2", "share of packets that is marked at `most`; it grows from 0 at `least`")
        .better(Better::either)
        .software(),
};

void read_marks(const InputNode& node, PacketSettings& packets) {
  EcnThresholds marks{.probability = 0.2};
  read_map(node, "`marks`", mark_keys, marks);
  if (marks.max_bytes < marks.min_bytes)
    throw InputError(node.where, "`most` is less than `least`: exchange them");
  packets.ecn = {.on = true, .thresholds = {marks}, .scaled = true};
}

void read_pauses_of_nics(const InputNode& node, const KeyFacts&, PacketSettings& packets) {
  read_nic_pauses(node, packets.nic_pauses);
}

void read_packet_credits(const InputNode& node, PacketSettings& packets) {
  read_credits(node, packets.credits);
}

struct PacketDraft : PacketSettings {
  const Extensions& extensions;
};
using Packets = PacketDraft;

// Plug-ins may add congestion controls.
void read_congestion_control(const InputNode& node, Packets& packets) {
  const std::string& word = scalar_of(node, "congestion-control");
  const auto kind = find_kind<ForeignControlEntry>(congestion_words, word, packets.extensions);
  if (!kind)
    reject_word(node, "congestion-control",
                all_words<ForeignControlEntry>(congestion_words, packets.extensions));
  packets.congestion.kind = *kind;
}

constexpr Key<Packets> packet_map_keys[] = {
    key::custom<read_profile>(
        "profile", "`roce-v2`, `tcp`, `infiniband`, `ns-3`, `htsim`", "`roce-v2`",
        "sizes and rules of adapters as they are sold, or of another simulator; the keys "
        "below change them")
        .trying("ns-3"),
    key::integer<&Packets::sizes, &PacketSizes::payload>("payload", 64, max_packet_bytes, "4096",
                                                         "most bytes of data in a packet")
        .better(Better::either)
        .software(),
    key::integer<&Packets::sizes, &PacketSizes::data_header>(
        "header", 0, max_packet_bytes, "82",
        "bytes of a packet besides its data, including the gap between packets"),
    key::custom<read_acknowledgement>("acknowledgement", "1 to 65000", "84",
                                      "least bytes of an acknowledgement")
        .trying("1"),
    key::declared<buffer_of, KeyType::size, &Packets::buffer, &SharedBufferSettings::bytes>(
        "buffer", "32 MiB; more where long cables need more headroom",
        "size of the buffer of a switch, which its ports share; at most 2 GiB")
        .trying("300 KiB")
        .better(Better::more)
        .hardware(),
    key::declared<buffer_of, KeyType::size, &Packets::buffer, &SharedBufferSettings::headroom>(
        "headroom", "as much as prevents losses; as comes in three delays of `ns-3`",
        "part of the buffer that each port has for what still comes after the switch has asked the sender to "
        "pause")
        .trying("100 KB")
        .better(Better::either)
        .software(),
    key::word<flow_control_words, &Packets::flow_control>(
        "flow-control",
        "`pauses`; `credits` of `infiniband`, `none` of `tcp`, `trimming` with `ndp` and `eqds`",
        "[what links may send](models/network-packet.md#flow-control): switches pause senders that send too "
        "much (PFC), senders have credits, or switches lose packets that they have no room for; under "
        "`trimming` they keep the header of such packets")
        .better(Better::either)
        .software(),
    key::integer<&Packets::buffer, &SharedBufferSettings::pause_above>(
        "pause-above", 0, max_threshold, "0",
        "number of waiting packets that came in by one port of a switch, above which the switch pauses their "
        "sender; 0: as many as that port's share of the buffer")
        .better(Better::either)
        .software(),
    key::integer<&Packets::buffer, &SharedBufferSettings::resume_below>(
        "resume-below", 0, max_threshold, "`pause-above`; 12 of `ns-3`, at most `pause-above`",
        "number of waiting packets below which a paused sender goes on")
        .better(Better::either)
        .software(),
    key::declared<count_of, KeyType::size, &Packets::buffer, &SharedBufferSettings::queue>(
        "queue", "none; 8 packets with `trimming`",
        "longest queue of a port and priority; switches lose or trim packets beyond it")
        .trying("40 KiB")
        .better(Better::either)
        .software(),
    key::custom<read_packet_credits>("credits", "map", "",
                                     "buffers and turns of the lanes of links with credits")
        .above(credit_keys),
    key::custom<read_marks>("marks", "map", "none; those of the congestion control",
                            "switches mark packets behind which a queue is long (ECN)")
        .above(keys_of_map<mark_keys>),
    key::custom<read_window>(
        "window", "`round-trip`, `longest-round-trip`, `none`, size",
        "`round-trip`; `none` of `tcp`, `infiniband`, `htsim`",
        "bytes of a flow that may be under way; `round-trip`: as many as fill the flow's way; "
        "`longest-round-trip`: as many as fill the longest way between two NPUs")
        .trying("20 KiB"),
    key::word_or_other<congestion_words, read_congestion_control>(
        "congestion-control", "none",
        "[at which rate flows send](models/network-packet.md#congestion-control)")
        .better(Better::either)
        .software(),
    key::declared<packet_time_of, KeyType::time, &Packets::congestion, &CongestionSettings::control_time_ps>(
        "control-time", "0",
        "time that a core of the host spends on each acknowledgement, where [software runs the congestion "
        "control](models/network-packet.md#who-runs-congestion-control); 0: the NIC runs it")
        .trying("100 ns")
        .software(),
    key::integer<&Packets::congestion, &CongestionSettings::control_cores>(
        "control-cores", 1, 1024, "1", "number of cores that do this for one NPU; needs `control-time`")
        .better(Better::more)
        .hardware(),
    key::declared<bits_of, KeyType::bandwidth, &Packets::congestion, &CongestionSettings::min_rate>(
        "least-rate", "100 Mbit/s", "least rate of a flow")
        .better(Better::either)
        .software(),
    key::declared<bits_of, KeyType::bandwidth, &Packets::congestion, &CongestionSettings::additive>(
        "increase", "50 Mbit/s", "step by which DCQCN, HPCC and TIMELY raise a rate")
        .better(Better::either)
        .software(),
    key::share<&Packets::congestion, &CongestionSettings::gain>(
        "gain", "1/256; 1/16 of `tcp-dctcp`", "gain of the moving averages of DCQCN and DCTCP")
        .better(Better::either)
        .software(),
    key::integer<&Packets::congestion, &CongestionSettings::initial_window>(
        "initial-window", 1, max_threshold, "10", "number of packets with which TCP begins")
        .better(Better::either)
        .software(),
    key::share<&Packets::congestion, &CongestionSettings::hpcc, &HpccSettings::target>(
        "utilization", "0.95", "utilization of links that HPCC aims at")
        .software(),
    key::word<reliability_words, &Packets::reliability, &ReliabilitySettings::kind>(
        "reliability", "`go-back-n`; `selective-repeat` with TCP, and where packets go several ways",
        "[how senders make up for lost packets](models/network-packet.md#lost-packets)")
        .better(Better::either)
        .software(),
    key::integer<&Packets::reliability, &ReliabilitySettings::reordering>(
        "reordering", 1, max_threshold, "3",
        "number of packets that have to arrive after a missing one before it counts as lost; not for "
        "`go-back-n`")
        .better(Better::either)
        .software(),
    key::declared<packet_time_of, KeyType::time, &Packets::choice_interval_ps>(
        "choice-interval", "10 us",
        "time until a flow chooses a link anew: under the routing `adaptive-packets` the time since its last "
        "choice, under `flowlets` the time since its last packet")
        .better(Better::either)
        .software(),
    key::declared<count_of, KeyType::size, &Packets::choice_grade>(
        "choice-grade", "1 byte",
        "step by which the routing `adaptive-packets` tells lengths of queues apart; switches that grade "
        "them coarsely move fewer flows")
        .trying("100 KB")
        .better(Better::either)
        .software(),
    key::integer<&Packets::labels>(
        "labels", 1, 65'535, "128",
        "number of labels of a flow, which its packets use in turn under the routing `spray-labels`")
        .better(Better::either)
        .software(),
    key::declared<packet_time_of, KeyType::time, &Packets::reliability, &ReliabilitySettings::min_timeout_ps>(
        "timeout", "1 ms; 150 us and the time of six queues with `ndp` and `eqds`",
        "least time after which a sender sends again what has not been acknowledged and may be lost")
        .software(),
    key::declared<local_ack_timeout_of, KeyType::other, &Packets::reliability,
                  &ReliabilitySettings::fixed_timeout_ps>(
        "local-ack-timeout", "none; 14 of `infiniband`",
        "number t that is given instead of `timeout`: the timeout is 4.096 µs · 2ᵗ, and it stays the same")
        .of("1 to 31")
        .trying("1"),
    key::integer<&Packets::reliability, &ReliabilitySettings::retries>(
        "retries", 1, 1000, "16; 7 of `infiniband`",
        "number of timeouts without progress after which the run ends with an error"),
    key::custom<read_pauses_of_nics>("nic-pauses", "map", "none",
                                     "NICs that now and then take nothing in, and make their switches pause")
        .above(nic_pause_keys),
    key::real<&Packets::loss>("loss", 0, 0.9, "0",
                              "share of packets that is lost on links that state no loss of their own")
        .trying("0.05")
        .better(Better::less)
        .hardware(),
    key::integer<&Packets::seed>("seed", 0, largest_seed, "1",
                                 "seed of the random numbers for marks and losses"),
    key::boolean<&Packets::every_packet>(
        "every-packet", "true",
        "whether every packet is followed; if not, [messages flow at the "
        "rates](models/network-packet.md#steady-state) that packets settle at"),
    key::word<completion_words, &Packets::ends_when_acknowledged>(
        "completion", "receiver",
        "whether the receiver or the sender has to know that a message has arrived before operations that "
        "wait for it go on"),
};

// Notes the places of values, and of those in maps by names such as "credits.buffer".
void note_places(const InputNode& map, const std::string& above,
                 std::map<std::string, SourceLocation, std::less<>>& places) {
  for (const InputName& key : map.names) {
    const InputNode& value = *map.find(key.text);
    places.emplace(above + key.text, value.where);
    if (value.kind == InputNode::Kind::map) note_places(value, above + key.text + ".", places);
  }
}

}  // namespace

PacketSettings read_packets(const InputNode& map, const Extensions& extensions) {
  PacketDraft packets{roce_v2_packets(), extensions};
  read_map(map, "`packets`", packet_map_keys, packets);
  note_places(map, "", packets.places);
  take_usual_values(map, packets);
  refuse_beside_trimming(map, packets);
  refuse_useless(map, packets);
  refuse_wrong_thresholds(map, packets.buffer);
  refuse_short_queue(map, packets);
  refuse_beside_steady_rates(map, packets);
  refuse_beside_profile(map, packets);
  refuse_keys_of_others(map, packets.congestion.kind);
  refuse_beside_control(map, packets);
  return packets;
}

PacketSettings read_packet_file(std::string_view text, const std::string& file,
                                const Extensions& extensions) {
  const InputNode map = parse_yaml(text, file);
  if (map.kind != InputNode::Kind::map)
    throw InputError({file}, "packets are described by a map, such as `congestion-control: dcqcn`");
  return read_packets(map, extensions);
}

std::vector<KeyPath> packet_keys() {
  return key_paths(".", packet_map_keys);
}

}  // namespace orrery::core
