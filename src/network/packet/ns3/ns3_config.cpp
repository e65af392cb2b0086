// Keys stand in a table: the name, the kinds of its values and what it is for. The page
// docs/inputs/packets.md has them, too.
#include "network/packet/ns3/ns3_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "base/text/quantity.hpp"
#include "base/text/token_reader.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/formats/node_numbers.hpp"

namespace orrery::core {
namespace {

// The values of the keys, before settings are made of them.
struct Ns3Values {
  PacketSettings packets;
  Ns3Outputs outputs;
  Ns3Outputs::File topology;
  std::vector<Ns3Config::LinkDown> cuts;
  std::int64_t mode = 1;
  SourceLocation window_where;
  std::vector<EcnThresholds> least, most, probability;  // by rate, one member each
};

class ConfigTokens : public TokenReader {
 public:
  using TokenReader::TokenReader;

  [[noreturn]] void reject(const Token& token, std::string_view key, std::string_view what) const {
    throw InputError(where(token),
                     fmt::format("`{}` is not a value of {}, which is {}", token.text, key, what));
  }
  // Reads a whole number. As in ns-3's back end, only the digits count; characters behind them are a token of
  // their own, which nothing reads.
  std::int64_t whole(std::string_view key, std::int64_t least, std::int64_t most) {
    const Token token = next(key);
    const auto value = parse_leading_integer(token.text);
    if (!value || value->value < least || value->value > most)
      reject(token, key, fmt::format("a whole number from {} to {}", least, most));
    return value->value;
  }
  double real(std::string_view key, double least, double most) {
    const Token token = next(key);
    const auto value = parse_real(token.text);
    if (!value || *value < least || *value > most)
      reject(token, key, fmt::format("a number from {} to {}", least, most));
    return *value;
  }
  bool flag(std::string_view key) { return whole(key, 0, 1) == 1; }
  // Timers are cut to whole microseconds.
  std::int64_t timer_ps(std::string_view key) {
    constexpr double a_day = 86'400e6;
    const double us = std::floor(real(key, 1, a_day));
    return static_cast<std::int64_t>(us) * 1'000'000;
  }
  std::uint64_t rate(std::string_view key) {
    const Token token = next(key);
    std::string text(token.text);
    if (text.ends_with("b/s")) text.replace(text.size() - 3, 3, "bps");
    if (text.ends_with("bps") && text.size() > 3 && text[text.size() - 4] >= '0' &&
        text[text.size() - 4] <= '9')
      text = fmt::format("{:.17g}Kbps", parse_real(text.substr(0, text.size() - 3)).value_or(-1) / 1000);
    const double bits = parse_bandwidth(text, where(token)).bytes_per_ns() * 8e9;
    if (bits < 1 || bits > 1e17) reject(token, key, "a rate such as 50Mb/s");
    return static_cast<std::uint64_t>(std::llround(bits));
  }
  // Skips what stands behind a token in its line.
  void skip_line(const Token& token) {
    while (!at_end() && peek().line == token.line) next("");
  }
  void skip(int tokens, std::string_view key) {
    for (int i = 0; i < tokens; ++i) next(key);
  }
};

using KeyName = std::string_view;
struct ConfigKey {
  KeyName name;
  void (*read)(ConfigTokens& tokens, KeyName key, Ns3Values& values);
};

constexpr std::int64_t max_bytes = 1 << 30, max_count = 1 << 30;

std::vector<EcnThresholds> read_map(ConfigTokens& tokens, std::string_view key, double most,
                                    void (*put)(EcnThresholds&, double)) {
  constexpr std::int64_t max_rates = 1000, max_rate = 100'000'000'000'000'000;
  std::vector<EcnThresholds> map(static_cast<std::size_t>(tokens.whole(key, 0, max_rates)));
  for (EcnThresholds& of_rate : map) {
    of_rate.rate = static_cast<std::uint64_t>(tokens.whole(key, 1, max_rate));
    put(of_rate, tokens.real(key, 0, most));
  }
  return map;
}

void read_link_down(ConfigTokens& tokens, std::string_view key, Ns3Values& values) {
  const SourceLocation where = tokens.where(tokens.peek());
  constexpr std::int64_t max_us = 86'400'000'000;
  const std::int64_t us = tokens.whole(key, 0, max_us);
  const auto a = static_cast<std::uint32_t>(tokens.whole(key, 0, 0x7fffffff));
  const auto b = static_cast<std::uint32_t>(tokens.whole(key, 0, 0x7fffffff));
  if (us == 0) return;
  constexpr std::int64_t two_seconds = 2'000'000'000;
  values.cuts.push_back({Time::from_ns(two_seconds + us * 1000), a, b, where});
}

// A key without effect here. Its values are skipped.
template <int values>
void pass_over(ConfigTokens& tokens, KeyName key, Ns3Values&) {
  tokens.skip(values, key);
}

// A key whose value is a file name of one token.
template <Ns3Outputs::File Ns3Outputs::*file>
void read_output(ConfigTokens& tokens, KeyName key, Ns3Values& values) {
  const Token token = tokens.next(key);
  values.outputs.*file = {std::string(token.text), tokens.where(token)};
}

constexpr ConfigKey config_keys[] = {
    {"ENABLE_QCN", [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.ecn.on = in.flag(key); }},
    {"USE_DYNAMIC_PFC_THRESHOLD", pass_over<1>},
    {"PAUSE_TIME", pass_over<1>},
    {"PACKET_PAYLOAD_SIZE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       constexpr std::int64_t max_payload = 65'000;
       to.packets.sizes.payload = static_cast<std::uint32_t>(in.whole(key, 1, max_payload));
     }},
    {"TOPOLOGY_FILE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       const Token token = in.next(key);
       to.topology = {std::string(token.text), in.where(token)};
     }},
    {"FLOW_FILE", pass_over<1>},
    {"TRACE_FILE", read_output<&Ns3Outputs::trace_list>},
    {"TRACE_OUTPUT_FILE", read_output<&Ns3Outputs::trace>},
    {"FCT_OUTPUT_FILE", read_output<&Ns3Outputs::completions>},
    {"PFC_OUTPUT_FILE", read_output<&Ns3Outputs::pauses>},
    {"QLEN_MON_FILE", read_output<&Ns3Outputs::queues>},
    {"QLEN_MON_START",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       constexpr std::int64_t max_ns = 9'000'000'000'000'000;
       to.outputs.queues_from = Time::from_ns(in.whole(key, 0, max_ns));
     }},
    {"QLEN_MON_END", pass_over<1>},
    {"SIMULATOR_STOP_TIME", pass_over<1>},
    {"ENABLE_TRACE", [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.outputs.traces = in.flag(key); }},
    {"DATA_RATE", pass_over<1>},
    {"LINK_DELAY", pass_over<1>},
    {"CC_MODE", [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.mode = in.whole(key, 0, max_count); }},
    {"ALPHA_RESUME_INTERVAL",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.congestion.dcqcn.alpha_interval_ps = in.timer_ps(key);
     }},
    {"RATE_DECREASE_INTERVAL",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.congestion.dcqcn.decrease_interval_ps = in.timer_ps(key);
     }},
    {"RP_TIMER", [](ConfigTokens& in, KeyName key,
                    Ns3Values& to) { to.packets.congestion.dcqcn.increase_interval_ps = in.timer_ps(key); }},
    {"CLAMP_TARGET_RATE", [](ConfigTokens& in, KeyName key,
                             Ns3Values& to) { to.packets.congestion.dcqcn.clamp_target = in.flag(key); }},
    {"FAST_RECOVERY_TIMES",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.congestion.dcqcn.fast_recovery_steps = static_cast<int>(in.whole(key, 0, max_count));
     }},
    {"EWMA_GAIN",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.congestion.gain = in.real(key, 0, 1); }},
    {"RATE_AI",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.congestion.additive = in.rate(key); }},
    {"RATE_HAI",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.congestion.hyper = in.rate(key); }},
    {"DCTCP_RATE_AI", [](ConfigTokens& in, KeyName key,
                         Ns3Values& to) { to.packets.congestion.dctcp_additive = in.rate(key); }},
    {"MIN_RATE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.congestion.min_rate = in.rate(key); }},
    {"ERROR_RATE_PER_LINK",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.loss = in.real(key, 0, 1); }},
    {"L2_CHUNK_SIZE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.reliability.chunk = static_cast<std::uint64_t>(in.whole(key, 1, max_bytes));
     }},
    {"L2_ACK_INTERVAL",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       const SourceLocation where = in.where(in.peek());
       to.packets.reliability.ack_interval = static_cast<std::uint64_t>(in.whole(key, 0, max_bytes));
       if (to.packets.reliability.ack_interval == 0)
         throw InputError(where,
                          "with an L2_ACK_INTERVAL of 0 senders look at no acknowledgements, so that no "
                          "flow ever ends: give 1 or more");
     }},
    {"L2_BACK_TO_ZERO", [](ConfigTokens& in, KeyName key,
                           Ns3Values& to) { to.packets.reliability.back_to_chunk = in.flag(key); }},
    {"HAS_WIN",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.window_where = in.where(in.peek());
       to.packets.window.limited = in.flag(key);
     }},
    {"GLOBAL_T",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.window.largest_of_all = in.flag(key); }},
    {"VAR_WIN",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.window.follows_rate = in.flag(key); }},
    {"FAST_REACT", [](ConfigTokens& in, KeyName key,
                      Ns3Values& to) { to.packets.congestion.hpcc.fast_reaction = in.flag(key); }},
    {"U_TARGET",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       constexpr double least = 1e-6, most = 1000;
       to.packets.congestion.hpcc.target = in.real(key, least, most);
     }},
    {"MI_THRESH",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.congestion.hpcc.stages = static_cast<int>(in.whole(key, 0, max_count));
     }},
    {"INT_MULTI",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       constexpr std::int64_t most = 1 << 16;
       to.packets.congestion.hpcc.multiple = static_cast<std::uint64_t>(in.whole(key, 1, most));
     }},
    {"MULTI_RATE", [](ConfigTokens& in, KeyName key,
                      Ns3Values& to) { to.packets.congestion.hpcc.rate_per_hop = in.flag(key); }},
    {"SAMPLE_FEEDBACK", [](ConfigTokens& in, KeyName key,
                           Ns3Values& to) { to.packets.congestion.hpcc.skip_empty_queues = in.flag(key); }},
    {"PINT_LOG_BASE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.congestion.pint.log_base = in.real(key, 1.0001, 1000);
     }},
    {"PINT_PROB", [](ConfigTokens& in, KeyName key,
                     Ns3Values& to) { to.packets.congestion.pint.share = in.real(key, 1e-6, 1); }},
    {"NIC_TOTAL_PAUSE_TIME",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.packets.nic_pauses.times = static_cast<int>(in.whole(key, 0, max_count));
     }},
    {"RATE_BOUND",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.rate_bound = in.flag(key); }},
    {"ACK_HIGH_PRIO",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) { to.packets.urgent_acks = in.flag(key); }},
    {"LINK_DOWN", read_link_down},
    {"KMAX_MAP",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.most = read_map(in, key, max_count, [](EcnThresholds& of_rate, double kb) {
         of_rate.max_bytes = static_cast<std::uint64_t>(kb) * 1000;
       });
     }},
    {"KMIN_MAP",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.least = read_map(in, key, max_count, [](EcnThresholds& of_rate, double kb) {
         of_rate.min_bytes = static_cast<std::uint64_t>(kb) * 1000;
       });
     }},
    {"PMAX_MAP",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       to.probability =
           read_map(in, key, 1, [](EcnThresholds& of_rate, double share) { of_rate.probability = share; });
     }},
    {"BUFFER_SIZE",
     [](ConfigTokens& in, KeyName key, Ns3Values& to) {
       constexpr std::int64_t max_mib = 4095;  // as ns-3's back end counts bytes in 32 bits
       to.packets.buffer.bytes = static_cast<std::uint64_t>(in.whole(key, 0, max_mib)) << 20;
     }},
};

const CongestionKind* control_of(std::int64_t mode) {
  switch (mode) {
    case 1:
      return &dcqcn_control;
    case 3:
      return &hpcc_control;
    case 7:
      return &timely_control;
    case 8:
      return &dctcp_control;
    case 10:
      return &hpcc_pint_control;
    default:  // the sample that comes with the back end has 12
      return nullptr;
  }
}

// A rate has thresholds if it is in all three maps.
std::vector<EcnThresholds> joined(const Ns3Values& values) {
  std::vector<EcnThresholds> joined;
  for (EcnThresholds of_rate : values.least) {
    const auto most = std::ranges::find(values.most, of_rate.rate, &EcnThresholds::rate);
    const auto probability = std::ranges::find(values.probability, of_rate.rate, &EcnThresholds::rate);
    if (most == values.most.end() || probability == values.probability.end()) continue;
    of_rate.max_bytes = most->max_bytes;
    of_rate.probability = probability->probability;
    joined.push_back(of_rate);
  }
  return joined;
}

}  // namespace

Ns3Config read_ns3_config(std::string_view text, const std::string& file, Warnings& warnings) {
  Ns3Values values;
  values.packets = ns3_packets();
  SourceLocation& thresholds = values.packets.ecn.where;
  thresholds = {file};
  ConfigTokens tokens(text, file);
  while (!tokens.at_end()) {
    const Token token = tokens.next("a key");
    if (token.text.starts_with('{')) {
      tokens.skip_line(token);
      continue;
    }
    const auto* const key = std::ranges::find(config_keys, token.text, &ConfigKey::name);
    if (thresholds.line == 0 && token.text.ends_with("_MAP")) thresholds = tokens.where(token);
    if (key != std::end(config_keys))
      key->read(tokens, key->name, values);
    else
      warnings.add(tokens.where(token),
                   fmt::format("{} is no key of ns-3's back end and is skipped", backquoted(token.text)));
  }
  if (values.outputs.traces && (values.outputs.trace.path.empty() || values.outputs.trace_list.path.empty()))
    throw InputError({file},
                     "ENABLE_TRACE is 1, and the trace needs TRACE_FILE, which lists nodes, and "
                     "TRACE_OUTPUT_FILE: name both, or set it to 0");
  values.packets.congestion.kind = control_of(values.mode);
  values.packets.ecn.thresholds = joined(values);
  if (values.packets.congestion.kind == &hpcc_control && !values.packets.window.limited)
    throw InputError(
        values.window_where,
        "HPCC (CC_MODE 3) works out rates from the window, so that without one no flow ever ends: "
        "set HAS_WIN to 1");
  return {std::move(values.packets), std::move(values.outputs), std::move(values.topology),
          std::move(values.cuts)};
}

void cut_links(const Ns3Config& config, Topology& topology) {
  if (config.cuts.empty()) return;
  const NetworkGraph& graph = *topology.graph;
  const NodeNumbers numbers(graph);
  auto changes = topology.link_changes ? std::make_shared<LinkChanges>(*topology.link_changes)
                                       : std::make_shared<LinkChanges>();
  for (const Ns3Config::LinkDown& cut : config.cuts) {
    const std::size_t before = changes->list.size();
    for (const LinkId id : graph.all_links()) {
      const std::uint32_t from = numbers.of(graph.link(id).from), to = numbers.of(graph.link(id).to);
      if ((from == cut.a && to == cut.b) || (from == cut.b && to == cut.a))
        changes->list.push_back({cut.at, id, 0, cut.where});
    }
    if (changes->list.size() == before)
      throw InputError(
          cut.where, fmt::format("there is no link between nodes {} and {} that could be cut", cut.a, cut.b));
  }
  std::ranges::stable_sort(changes->list, {}, &LinkChange::at);
  topology.link_changes = std::move(changes);
}

}  // namespace orrery::core
