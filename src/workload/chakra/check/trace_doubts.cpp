#include "workload/chakra/check/trace_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::core {
namespace chakra {
namespace {

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string chains_text(const ChainedStreams& chains) {
  if (chains.edges == 0)
    return "no stream has two nodes of the device, so that their recorded order adds nothing";
  if (chains.with_starts == 0)
    return "the trace has no start times (start_time_micros), so nodes of a stream follow each other by "
           "their ids, "
           "which converters give in the order of the launches";
  if (chains.contradictions == 0) return {};
  return fmt::format(
      "dependencies contradict the recorded order of {}: node {} comes before node {}, which was "
      "recorded to begin earlier",
      counted(chains.contradictions, "node"), chains.example_before, chains.example_after);
}

// Recordings tell the order within streams, not what a stream waited for in another one.
std::string order_of_streams_text(const DeviceOrder& order) {
  if (order.collectives_too_early == 0) return {};
  const bool one = order.collectives_too_early == 1;
  return fmt::format(
      "{} {} for no other node of the device and {} at once, although {} recorded later: the trace does not "
      "say for which other stream {} waited; add these dependencies",
      counted(order.collectives_too_early, "collective"), one ? "waits" : "wait", one ? "begins" : "begin",
      one ? "it was" : "they were", one ? "it" : "they");
}

}  // namespace

// A node that says nothing else either is only there to be waited for.
ComputeTimes compute_times(const NodeList& nodes) {
  ComputeTimes times;
  for (std::size_t number = 0; number < nodes.size(); ++number) {
    if (nodes.type(number) != NodeType::compute || nodes.on_cpu(number)) continue;
    ++times.nodes;
    const Node node = nodes[number];
    const bool says_more = (node.has & (has_num_ops | has_stream)) != 0;
    if (says_more && node.duration_us == 0 && (node.has & has_duration_ps) == 0) ++times.without_time;
  }
  return times;
}

// Durations of profiles are cut to whole microseconds. STAGE writes none, but operations and bytes.
std::string without_time_text(const ComputeTimes& compute, std::string_view roofline) {
  const auto [nodes, without_time] = compute;
  if (without_time == 0) return {};
  if (without_time == nodes)
    return fmt::format(
        "no compute node of the device has a duration, so that computing takes no time; where "
        "nodes state operations and bytes, a roofline times them: give {}",
        roofline);
  return fmt::format(
      "{} of {} of the device {} the duration 0 and take{} 1 ns; Chakra cuts durations to whole µs",
      without_time, counted(nodes, "compute node"), without_time == 1 ? "has" : "have",
      without_time == 1 ? "s" : "");
}

std::string missing_parents_text(const std::vector<TraceIndex::Missing>& missing) {
  constexpr std::size_t most = 3;
  if (missing.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(missing.size(), most); ++i)
    list += fmt::format("{}node {} waits for {}", i > 0 ? ", " : "", missing[i].node, missing[i].parent);
  return fmt::format(
      "{} not there ({}{}): {} as done, because converters of profiles leave nodes out; ASTRA-sim 2 "
      "stops there",
      missing.size() == 1 ? "1 parent is" : fmt::format("{} parents are", missing.size()), list,
      missing.size() > most ? ", ..." : "", missing.size() == 1 ? "it counts" : "they count");
}

std::string lost_order_text(const DeviceOrder& order, std::string_view what_to_do) {
  if (!order.is_lost()) return {};
  std::string text = fmt::format("{} of {} {} no successor", order.without_successor,
                                 counted(order.nodes, "device node"), order.nodes == 1 ? "has" : "have");
  if (order.collectives_without_predecessor > 0)
    text += fmt::format(", and {} {} no predecessor",
                        counted(order.collectives_without_predecessor, "collective"),
                        order.collectives_without_predecessor == 1 ? "has" : "have");
  text += ": their order in the recording is lost";
  if (order.has_starts) return text + fmt::format("; start times tell it: {}", what_to_do);
  if (order.names_streams) return text + fmt::format("; within streams ids may tell it: {}", what_to_do);
  return text + "; add the dependencies, or convert the recording with start times (start_time_micros)";
}

}  // namespace chakra

void DoubtfulTraces::warn(const TraceRules& rules, Warnings& warnings) const {
  using chakra::TraceDoubts;
  warn_by([](const TraceDoubts& doubts) { return missing_parents_text(doubts.missing_parents); }, warnings);
  if (rules.order == TraceOrder::recorded) {
    warn_by([](const TraceDoubts& doubts) { return chakra::chains_text(doubts.chains); }, warnings);
    warn_by([](const TraceDoubts& doubts) { return chakra::order_of_streams_text(doubts.order); }, warnings);
  } else {
    warn_by([&](const TraceDoubts& doubts) { return lost_order_text(doubts.order, rules.advice.order); },
            warnings);
  }
  if (!rules.roofline.enabled || rules.replay_only)
    warn_by(
        [&](const TraceDoubts& doubts) { return without_time_text(doubts.compute, rules.advice.roofline); },
        warnings);
  warn_by(
      [](const TraceDoubts& doubts) {
        return doubts.rounded_sizes == 0 ? std::string()
                                         : fmt::format("{} of tensors with fractions of bytes, rounded up",
                                                       chakra::counted(doubts.rounded_sizes, "size"));
      },
      warnings);
}

void DoubtfulTraces::warn_by(const std::function<std::string(const chakra::TraceDoubts&)>& text_of,
                             Warnings& warnings) const {
  const Doubtful* first = nullptr;
  std::string text;
  std::size_t others = 0;
  for (const Doubtful& trace : traces_) {
    std::string of_trace = text_of(trace.doubts);
    if (of_trace.empty()) continue;
    if (first != nullptr) {
      ++others;
      continue;
    }
    first = &trace;
    text = std::move(of_trace);
  }
  if (first == nullptr) return;
  if (others > 0) text += fmt::format(" (and the like in {} more trace{})", others, others == 1 ? "" : "s");
  warnings.add({first->file}, text);
}

}  // namespace orrery::core
