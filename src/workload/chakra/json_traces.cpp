#include "workload/chakra/json_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace orrery::chakra {
namespace {

bool looks_like_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

bool has_all(std::string_view text, std::initializer_list<std::string_view> words) {
  return looks_like_json(text) &&
         std::ranges::all_of(words, [&](auto word) { return text.find(word) != text.npos; });
}

constexpr JsonTraceKind json_kinds[] = {
    {"a PyTorch execution trace that is linked with its profile",
     "write traces of it with Chakra: `chakra_converter PyTorch --input LINKED --output TRACE.0.et`, for "
     "each rank",
     [](std::string_view text) {
       return has_all(text, {"\"schema\"", "-chakra.", "\"nodes\"", "\"exclusive_dur\""});
     }},
    {"a PyTorch execution trace",
     "it has no times: link it with the profiler's file of the same steps (`chakra_trace_link "
     "--chakra-host-trace "
     "THIS --chakra-device-trace PROFILE --output-file LINKED`), and write traces of both (`chakra_converter "
     "PyTorch "
     "--input LINKED --output TRACE.0.et`), for each rank",
     [](std::string_view text) {
       return has_all(text, {"\"schema\"", "-chakra.", "\"nodes\""});
     }},
    {"a trace in JSON for Chakra's feeder (`workload_graph`)",
     "nothing converts it: have what wrote it write the same nodes as protobuf (`TRACE.0.et`, Chakra's "
     "et_def.proto)",
     [](std::string_view text) { return has_all(text, {"\"workload_graph\""}); }},
    {"a trace as Chakra's jsonizer shows it", "give the protobuf trace (`.et`) of which it was made",
     [](std::string_view text) {
       const auto has_any = [&](auto... words) { return (has_all(text, {words}) || ...); };
       return has_any("\"durationMicros\"", "\"dataDeps\"") ||
              (has_any("\"COMP_NODE\"", "\"COMM_COLL_NODE\"", "\"METADATA_NODE\"") && has_any("\"attr\""));
     }},
    {"a trace in STAGE's JSON", "have STAGE write protobuf traces (`.et`)",
     [](std::string_view text) {
       return has_all(text, {"\"nodes\"", "\"node_type\""});
     }},
    {"a profile of PyTorch (Kineto)",
     "`orrery compare EXPERIMENT --measured THIS` compares a run with it; to run it, link it with PyTorch's "
     "execution "
     "trace of the same steps (`chakra_trace_link`) and write traces of both (`chakra_converter PyTorch`)",
     [](std::string_view text) {
       return has_all(text, {"\"traceEvents\""}) ||
              has_all(text, {"\"schemaVersion\"", "\"deviceProperties\""});
     }},
};

}  // namespace

const JsonTraceKind* json_trace_kind(std::string_view beginning) {
  const auto* const found =
      std::ranges::find_if(json_kinds, [&](const JsonTraceKind& kind) { return kind.is_it(beginning); });
  return found == std::end(json_kinds) ? nullptr : found;
}

std::string json_trace_text(std::string_view beginning) {
  const JsonTraceKind* const kind = json_trace_kind(beginning);
  return kind == nullptr ? std::string() : fmt::format("this is {}; {}", kind->name, kind->what_to_do);
}

}  // namespace orrery::chakra
