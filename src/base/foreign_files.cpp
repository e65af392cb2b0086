#include "base/foreign_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <initializer_list>
#include <memory>

namespace orrery {
namespace {

constexpr std::string_view spaces = " \t\r\n\f\v";

std::string_view behind_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text;
}

bool is_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = behind_spaces(text);
  return text.starts_with('{') || text.starts_with('[');
}

bool has_key(std::string_view text, std::string_view key) {
  return text.find(fmt::format("\"{}\"", key)) != text.npos;
}

// Returns whether the text is an object of JSON that has all of these keys, in whatever depth.
bool is_json_of(std::string_view text, std::initializer_list<std::string_view> keys) {
  return is_json(text) && std::ranges::all_of(keys, [&](std::string_view key) { return has_key(text, key); });
}

bool has_any_key(std::string_view text, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return has_key(text, key); });
}

// Returns the name of the element at the top of a text of XML; empty: it is none.
std::string_view root_element(std::string_view text) {
  while (true) {
    text = behind_spaces(text);
    if (!text.starts_with('<')) return {};
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?") && !text.starts_with("<!")) break;
    const std::size_t end = text.find(comment ? "-->" : ">");
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
    if (comment) text.remove_prefix(std::min<std::size_t>(2, text.size()));
  }
  text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \t\r\n/>"));
}

// Takes a line off a text.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

// Calls back with each word of a text until that returns true, and returns whether it did.
bool any_word(std::string_view text, const auto& is_it) {
  while (true) {
    text = behind_spaces(text);
    if (text.empty()) return false;
    const std::string_view word = text.substr(0, text.find_first_of(spaces));
    if (is_it(word)) return true;
    text.remove_prefix(word.size());
  }
}

// Returns whether a line of the text begins with this key of YAML, at any depth and in any list.
bool has_yaml_key(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    line.remove_prefix(std::min(line.find_first_not_of(" -{"), line.size()));
    if (line.starts_with(key) && line.substr(key.size()).starts_with(':')) return true;
  }
  return false;
}

bool is_infragraph(std::string_view text) {
  if (is_json(text)) return has_key(text, "instances") && has_key(text, "devices");
  return has_yaml_key(text, "instances") && has_yaml_key(text, "devices");
}

// The first word that is no remark is `num_ranks`; or a number stands at the beginning, in binary.
bool is_goal(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\x7f\x10\0\0\0\0\0\0"sv) || text.starts_with("\x26\x09\0\0\0\0\0\0"sv)) return true;
  while (true) {
    text = behind_spaces(text);
    const std::string_view end = text.starts_with("/*") ? "*/" : "\n";
    if (!text.starts_with("//") && !text.starts_with("/*")) break;
    const std::size_t at = text.find(end);
    if (at == text.npos) return false;
    text.remove_prefix(at + end.size());
  }
  return text.starts_with("num_ranks ") || text.starts_with("num_ranks\t");
}

// A layer table whose first line has a label of SimAI's, or that names groups of experts.
bool is_simai_table(std::string_view text) {
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  std::string_view rest = behind_spaces(text);
  const std::string_view head = next_line(rest);
  if (head.substr(0, head.find_first_of(spaces)).find_first_not_of(capitals) != head.npos) return false;
  const auto is_label = [](std::string_view word) {
    constexpr std::string_view labels[] = {
        "ep:", "pp:", "vpp:", "ga:", "expert_parallel_npu_group:", "pp_comm", "pp_comm:", "all_gpus:"};
    return std::ranges::find(labels, word) != std::end(labels);
  };
  const auto is_of_experts = [&](std::string_view word) {
    constexpr std::string_view collectives[] = {"ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"};
    for (const std::string_view group : {"_DP_EP", "_EP"})
      if (word.ends_with(group))
        return std::ranges::find(collectives, word.substr(0, word.size() - group.size())) !=
               std::end(collectives);
    return false;
  };
  return any_word(head, is_label) || (head.find('{') == head.npos && any_word(rest, is_of_experts));
}

// A file of ns-3's back ends has a key of capitals and a value on each line.
bool is_ns3_config(std::string_view text) {
  constexpr std::string_view key_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  bool known = false;
  while (!text.empty()) {
    const std::string_view line = behind_spaces(next_line(text));
    if (line.empty() || line.starts_with('#') || line.starts_with('{')) continue;
    const std::string_view key = line.substr(0, line.find_first_of(spaces));
    if (key.find_first_not_of(key_letters) != key.npos) return known;
    known = known || key == "TOPOLOGY_FILE" || key == "CC_MODE" || key == "ENABLE_QCN";
    if (known) return true;
  }
  return false;
}

constexpr ForeignFile foreign_files[] = {
    {"a plan of MSCCL++",
     [](std::string_view text) {
       return is_json_of(text, {"collective", "protocol", "inplace", "gpus"});
     },
     "Orrery carries out algorithms of MSCCL (XML, `algorithm: msccl`), and no plans yet"},
    {"a PyTorch execution trace that is linked with its profile",
     [](std::string_view text) {
       return is_json_of(text, {"schema", "exclusive_dur"});
     },
     "convert it by `chakra_converter PyTorch --input LINKED --output NAME.0.et`, and run that"},
    {"a PyTorch execution trace",
     [](std::string_view text) {
       return is_json_of(text, {"schema"}) && (text.find("-chakra.") != text.npos || has_key(text, "nodes"));
     },
     "it has no times; link it with the profiler's trace of the same steps by `chakra_trace_link "
     "--chakra-host-trace TRACE --chakra-device-trace PROFILE --output-file LINKED`, convert it by "
     "`chakra_converter PyTorch --input LINKED --output NAME.0.et`, and run that"},
    {"a workload graph in the JSON form of Chakra's feeder",
     [](std::string_view text) { return is_json_of(text, {"workload_graph"}); },
     "Orrery reads execution traces in Chakra's protobuf form (`.et`); have the program that made it write "
     "that"},
    {"an execution trace in the JSON form of `chakra_jsonizer`",
     [](std::string_view text) {
       return is_json(text) && (has_any_key(text, {"ctrlDeps", "dataDeps", "durationMicros", "int64Val",
                                                   "COMP_NODE", "COMM_COLL_NODE", "METADATA_NODE"}));
     },
     "Orrery reads the file in protobuf form (`.et`) from which it was made"},
    {"an execution trace in STAGE's JSON form",
     [](std::string_view text) {
       return is_json_of(text, {"nodes", "node_type"}) &&
              has_any_key(text, {"comp_node", "coll_comm_node", "comm_send_node", "comm_recv_node"});
     },
     "have STAGE write Chakra's protobuf form (`.et`), which Orrery reads"},
    {"an application of Calculon",
     [](std::string_view text) {
       return is_json_of(text, {"hidden", "feedforward", "attn_heads"});
     },
     "write its sizes as a transformer file (`layers`, `hidden`, `heads`, `ffn`, `sequence`)"},
    {"an execution of Calculon",
     [](std::string_view text) {
       return is_json_of(text, {"tensor_par", "num_procs"});
     },
     "write its degrees as `workload.parallelism` and its batch as `workload.batch` of an experiment"},
    {"a system of Calculon",
     [](std::string_view text) {
       return is_json_of(text, {"matrix", "mem1", "networks"});
     },
     "write its processor as a device file and its networks as `network` of an experiment"},
    {"an infrastructure of InfraGraph", is_infragraph,
     "write its expanded nodes and links as a network of `nodes` and `links`"},
    {"a schedule in GOAL, the language of LogGOPSim and ATLAHS", is_goal,
     "Orrery runs execution traces of Chakra (`.et`), and no such schedule yet"},
    {"a layer table of SimAI or AICB", is_simai_table,
     "Orrery reads those of ASTRA-sim 1.0, which have neither its labels (`ep:`, `pp:`, `vpp:`, `ga:`, "
     "`all_gpus:`, `pp_comm`) nor its groups of experts (`_EP`, `_DP_EP`): write the model as a transformer "
     "with `workload.parallelism`, or as layers whose collectives name their dimensions"},
    {"what NCCL_GRAPH_DUMP_FILE writes: the channels that NCCL has found",
     [](std::string_view text) { return root_element(text) == "graphs"; },
     "a topology, from which Orrery finds channels itself, is what NCCL_TOPO_DUMP_FILE writes"},
    {"a platform of SimGrid", [](std::string_view text) { return root_element(text) == "platform"; },
     "write its hosts, routers and links as a network of `nodes` and `links`"},
    {.name = "a configuration of ns-3",
     .recognizes = is_ns3_config,
     .remedy = "the network is the file behind its TOPOLOGY_FILE, and `orrery flows --config` takes the "
               "settings of packets",
     .read_elsewhere = true},
    {.name = "a file of logical dimensions",
     .recognizes = [](std::string_view text) { return is_json_of(text, {"logical-dims"}); },
     .remedy =
         "it says how NPUs are grouped, and belongs to --logical-topology-configuration; a network also "
         "has links",
     .read_elsewhere = true},
    {.name = "an algorithm of MSCCL",
     .recognizes = [](std::string_view text) { return root_element(text) == "algo"; },
     .remedy = "the key `system.collectives` of an experiment takes it (`algorithm: msccl`)",
     .read_elsewhere = true},
    {.name = "a profile of PyTorch (Kineto)",
     .recognizes =
         [](std::string_view text) {
           return is_json_of(text, {"traceEvents"}) ||
                  is_json_of(text, {"schemaVersion", "deviceProperties"});
         },
     .remedy = "`orrery compare EXPERIMENT --measured THIS` compares a run with it; to run it, link it with "
               "PyTorch's execution trace of the same steps (`chakra_trace_link`) and write traces of both "
               "(`chakra_converter PyTorch`)",
     .read_elsewhere = true},
};

[[noreturn]] void refuse(const ForeignFile& foreign, const std::string& file) {
  throw InputError({file}, foreign.text());
}

}  // namespace

std::string ForeignFile::text() const {
  return fmt::format("this is {}: {}", name, remedy);
}

const ForeignFile* foreign_file_of(std::string_view text) {
  text = text.substr(0, telling_beginning);
  const auto found = std::ranges::find_if(
      foreign_files, [&](const ForeignFile& foreign) { return foreign.recognizes(text); });
  return found == std::end(foreign_files) ? nullptr : found;
}

void refuse_foreign(std::string_view text, const std::string& file) {
  const ForeignFile* foreign = foreign_file_of(text);
  if (foreign && !foreign->read_elsewhere) refuse(*foreign, file);
}

void refuse_foreign_file(const std::string& file) {
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  const std::unique_ptr<std::FILE, Close> stream{std::fopen(file.c_str(), "rb")};
  if (!stream) return;
  std::string text(1 << 12, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  refuse_foreign(text, file);
}

void refuse_as_network(std::string_view text, const std::string& file) {
  if (const ForeignFile* foreign = foreign_file_of(text)) refuse(*foreign, file);
}

}  // namespace orrery
