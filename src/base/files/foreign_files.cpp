#include "base/files/foreign_files.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/files/foreign_marks.hpp"

namespace orrery::core {
namespace {

constexpr ForeignFile foreign_files[] = {
    {"a SQLite database, as sweeps write them",
     [](std::string_view text) { return text.starts_with("SQLite format 3"); },
     "`orrery results` and `orrery report` show the runs in a sweep's file"},
    {"a plan of MSCCL++",
     [](std::string_view text) {
       return is_json_of(text, {"collective", "protocol", "gpus"});
     },
     "Orrery carries out algorithms of MSCCL (XML, `algorithm: msccl`), and no plans yet"},
    {"a PyTorch execution trace that is linked with its profile",
     [](std::string_view text) {
       return is_json_of(text, {"schema", "exclusive_dur"});
     },
     "convert it by `chakra_converter PyTorch --input LINKED --output NAME.0.et`, and run that"},
    {"a PyTorch execution trace",
     [](std::string_view text) {
       return is_json_of(text, {"schema"}) &&
              (text.find("-chakra.") != text.npos || has_any_key(text, {"nodes"}));
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
    {"a list of arguments of Megatron-LM", is_megatron_arguments,
     "write its sizes as a transformer file (`layers`, `hidden`, `heads`, `ffn`, `sequence`), and its "
     "degrees "
     "and batch as `workload.parallelism` and `workload.batch` of an experiment"},
    {"a job of torchtitan", is_torchtitan_job,
     "write the sizes of its flavor as a transformer file (`layers`, `hidden`, `heads`, `ffn`, `sequence`), "
     "and its degrees and batch as `workload.parallelism` and `workload.batch` of an experiment"},
    {"a table of bus bandwidths of SimAI's analytical mode", is_simai_bandwidths,
     "write what links carry as `network` of an experiment, from which Orrery works out what collectives "
     "take"},
    {"an infrastructure of InfraGraph", is_infragraph,
     "write its expanded nodes and links as a network of `nodes` and `links`"},
    {"an infrastructure of InfraGraph in protobuf", is_infragraph_message,
     "write its expanded nodes and links as a network of `nodes` and `links`"},
    {"an infrastructure in InfraGraph's draft form with `connections`",
     [](std::string_view text) { return has_yaml_key(text, "devices") && has_yaml_key(text, "connections"); },
     "InfraGraph 2 has `edges`; write its expanded nodes and links as a network of `nodes` and `links`"},
    {"a schedule in GOAL, the language of LogGOPSim and ATLAHS", is_goal,
     "Orrery runs execution traces of Chakra (`.et`), and no such schedule yet"},
    {"a layer table of SimAI or AICB", is_simai_table,
     "Orrery reads those of ASTRA-sim 1.0, which have neither its labels (`ep:`, `pp:`, `vpp:`, `ga:`, "
     "`all_gpus:`, `mode:`, `pp_comm`) nor its groups of experts (`_EP`, `_DP_EP`): write the model as a "
     "transformer "
     "with `workload.parallelism`, or as layers whose collectives name their dimensions"},
    {"what NCCL_GRAPH_DUMP_FILE writes: the channels that NCCL has found",
     [](std::string_view text) { return root_element(text) == "graphs"; },
     "a topology, from which Orrery finds channels itself, is what NCCL_TOPO_DUMP_FILE writes"},
    {"a platform of SimGrid", [](std::string_view text) { return root_element(text) == "platform"; },
     "write its hosts, routers and links as a network of `nodes` and `links`"},
    {.name = "a configuration of ns-3",
     .recognizes = is_ns3_config,
     .remedy = "`orrery flows --config` takes its packets, and --network-configuration, beside execution "
               "traces, all of it; the network alone is the file behind its TOPOLOGY_FILE",
     .read_as = ReadAs::ns3_config},
    {.name = "a file of logical dimensions",
     .recognizes = [](std::string_view text) { return is_json_of(text, {"logical-dims"}); },
     .remedy = "it says how the NPUs of a graph are grouped, and belongs to --logical-topology-configuration",
     .read_as = ReadAs::logical_dimensions},
    {.name = "an algorithm of MSCCL",
     .recognizes = [](std::string_view text) { return root_element(text) == "algo"; },
     .remedy = "the key `system.collectives` of an experiment takes it (`algorithm: msccl`)",
     .read_as = ReadAs::algorithm},
    {.name = "a profile of PyTorch (Kineto)",
     .recognizes =
         [](std::string_view text) {
           return is_json_of(text, {"traceEvents"}) ||
                  is_json_of(text, {"schemaVersion", "deviceProperties"});
         },
     .remedy = "`orrery compare EXPERIMENT --measured THIS` compares a run with it; to run it, link it with "
               "PyTorch's execution trace of the same steps (`chakra_trace_link`) and write traces of both "
               "(`chakra_converter PyTorch`)",
     .read_as = ReadAs::profile},
};

bool is_compressed(std::string_view text) {
  return text.starts_with("\x1f\x8b");
}

// Returns as much of what was compressed as tells what it is; less where the beginning itself ends early.
std::string telling_beginning_inside(std::string_view compressed) {
  constexpr int gzip_only = 16;
  std::string text(telling_beginning, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, gzip_only + MAX_WBITS) != Z_OK) return {};
  std::string input(compressed);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  inflate(&stream, Z_SYNC_FLUSH);  // what is damaged ends where the damage begins
  text.resize(text.size() - stream.avail_out);
  inflateEnd(&stream);
  return text;
}

}  // namespace

std::string ForeignFile::text() const {
  return fmt::format("this is {}: {}", name, remedy);
}

const ForeignFile* foreign_file_of(std::string_view text) {
  text = text.substr(0, telling_beginning);
  if (is_compressed(text)) {
    const std::string inside = telling_beginning_inside(text);
    return is_compressed(inside) ? nullptr : foreign_file_of(inside);
  }
  const auto found = std::ranges::find_if(
      foreign_files, [&](const ForeignFile& foreign) { return foreign.recognizes(text); });
  return found == std::end(foreign_files) ? nullptr : found;
}

void refuse_foreign(std::string_view text, const std::string& file, ReadAs expected) {
  const ForeignFile* foreign = foreign_file_of(text);
  if (!foreign) return;
  const bool is_read =
      foreign->read_as != ReadAs::nothing && (expected == ReadAs::anything || expected == foreign->read_as);
  if (!is_read) throw InputError({file}, foreign->text());
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

}  // namespace orrery::core
