#include "study/workloads/traces/yaml_traces.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "compute/device_model.hpp"
#include "study/astra2/custom_files.hpp"
#include "study/astra2/process_groups.hpp"
#include "study/astra2/trace_files.hpp"
#include "study/astra2/trace_loader.hpp"
#include "study/run/run_pool.hpp"
#include "study/workloads/traces/program_traces_workload.hpp"
#include "study/workloads/traces/trace_workload.hpp"
#include "workload/chakra/check/trace_doubts.hpp"

namespace orrery::core {
namespace {

constexpr TraceAdvice advice_of_experiments{
    "the workload's `peak` and `memory-bandwidth`",
    "describe it with the workload's `remote-memory`",
    "`latency` and `bandwidth` of `remote-memory`",
    "define it in the file of the workload's `groups`, or in the trace",
    "give it an algorithm in `system.collectives`, or leave the dialect out",
    "leave the dialect out",
    "write `order: recorded` beside `traces`",
    "write `replay: true` beside `traces`",
};

constexpr int max_npus_of_node = 1'000'000'000;

constexpr std::array<EnumName<RemoteMemory::Kind>, 3> sharing_words{{
    {"npu", RemoteMemory::Kind::per_npu},
    {"node", RemoteMemory::Kind::per_node},
    {"machine", RemoteMemory::Kind::pool},
}};

struct MemoryDraft : RemoteMemory {
  Bandwidth bandwidth;
  double exact_latency_ns = 0;
};

constexpr Key<MemoryDraft> remote_memory_keys[] = {
    key::word<sharing_words, &MemoryDraft::kind>(
        "server", "required",
        "which NPUs share a server, which serves one request at a time; a server of one NPU has no queue"),
    key::bandwidth<&MemoryDraft::bandwidth>("bandwidth", "required",
                                            "bandwidth of a server, at least 1 GB/s, cut to whole GB/s")
        .hardware(),
    key::nanoseconds<&MemoryDraft::exact_latency_ns>("latency", "0", "latency of a request, cut to whole ns")
        .hardware(),
    key::integer<&MemoryDraft::npus_per_node>("npus-per-node", 1, max_npus_of_node,
                                              "required with `server: node`",
                                              "number of NPUs that share a server")
        .better(Better::never),
};

struct TraceDraft : TraceSettings {
  using TraceSettings::TraceSettings;

  const InputNode *traces_node = nullptr, *groups_node = nullptr, *memory_node = nullptr,
                  *algorithms_node = nullptr, *node_algorithms = nullptr;
  std::optional<double> peak;
  std::optional<Bandwidth> memory_bandwidth;
  std::optional<Datatype> type;
};

template <CollectiveKind kind>
void read_own_algorithm(const InputNode& node, const KeyFacts& key, SystemFileNames& names) {
  names.custom[static_cast<std::size_t>(kind)] = {scalar_of(node, key.name), node.where};
}

template <CollectiveKind kind>
constexpr auto own_algorithm_key(std::string_view name) {
  return key::custom<read_own_algorithm<kind>>(
      name, "prefix of files", "that of the system",
      "`prefix.k.et` is what position k sends, receives and computes");
}

constexpr Key<SystemFileNames> own_algorithm_keys[] = {
    own_algorithm_key<CollectiveKind::all_reduce>("all-reduce"),
    own_algorithm_key<CollectiveKind::reduce_scatter>("reduce-scatter"),
    own_algorithm_key<CollectiveKind::all_gather>("all-gather"),
    own_algorithm_key<CollectiveKind::all_to_all>("all-to-all"),
};

constexpr Key<TraceDraft> trace_keys[] = {
    key::kept<&TraceDraft::traces_node>("traces", "folder, or prefix of files", "",
                                        "execution traces: NPU i runs `prefix.i.et`, or all NPUs run the one "
                                        "file `prefix.et` or `prefix`; a folder holds one such set. The path "
                                        "is relative to the experiment, and so are those of the files below"),
    key::kept<&TraceDraft::groups_node>("groups", "file", "none",
                                        "[communicator groups](#communicator-groups) that nodes name"),
    key::boolean<&TraceSettings::rules, &TraceRules::replay_only>(
        "replay", "false", "whether every node takes its duration, and nothing is sent"),
    key::rate<&TraceDraft::peak>("peak", "none",
                                 "compute rate of the roofline: compute nodes take as long as `num_ops` and "
                                 "`tensor_size` need, in place of their durations; needs `memory-bandwidth`")
        .hardware(),
    key::bandwidth<&TraceDraft::memory_bandwidth>(
        "memory-bandwidth", "none",
        "bandwidth of an NPU's memory, for the roofline and for reductions of received data, which read and "
        "write three times their bytes; without it reductions take no time")
        .hardware(),
    key::word<datatype_words, &TraceDraft::type>("datatype", "`fp16`, or `bf16` where the device has no fp16",
                                                 "with `device`: number format whose peak counts"),
    key::boolean<&TraceSettings::rules, &TraceRules::track_local_memory>(
        "track-memory", "false",
        "whether the run follows the tensors that nodes read and write (`inputs` and `outputs`), and writes "
        "[memory-history.csv](outputs/memory.md#memory-historycsv)"),
    key::word<trace_order_words, &TraceSettings::rules, &TraceRules::order>(
        "order", "`dependencies`",
        "which nodes wait for which: `dependencies`, as the traces say, or `recorded`: besides, each node of "
        "the "
        "device waits for the one [before it in its stream](#recordings-without-an-order)"),
    key::kept<&TraceDraft::memory_node>("remote-memory", "map", "none",
                                        "memory beyond an NPU's own, of which nodes load and store")
        .above(keys_of_map<remote_memory_keys>),
    key::kept<&TraceDraft::algorithms_node>(
        "algorithms", "map", "none",
        "collective algorithms that are [traces themselves](models/streams.md#custom-algorithms), by kind")
        .above(keys_of_map<own_algorithm_keys>),
    key::kept<&TraceDraft::node_algorithms>(
        "node-algorithms", "file", "none",
        "YAML: prefixes of such algorithms by the id of a node, which are relative to the experiment, too"),
};

// Files of a set that are equal make one graph.
void read_traces(const std::vector<std::string>& files, TraceDraft& draft, Warnings& warnings) {
  DoubtfulTraces doubtful;
  load_traces(
      files, default_threads(),
      [&](std::size_t rank, const SharedTraceGraph& graph) {
        doubtful.add(files[rank], graph->doubts);
        draft.traces.push_back({graph, files[rank], process_groups_of(*graph, files[rank], warnings)});
      },
      {}, reading_for(draft.rules));
  doubtful.warn(draft.rules, warnings);
}

std::vector<std::string> trace_files(const std::filesystem::path& folder, const FileLoader& load,
                                     TraceDraft& draft) {
  const InputNode& node = *draft.traces_node;
  draft.where = node.where;
  std::vector<std::string> files =
      find_trace_files((folder / scalar_of(node, "traces")).string(), node.where);
  // Results name every trace, and each has to be one that may be read. Large ones are not read at once.
  constexpr std::uintmax_t large = std::uintmax_t{1} << 26;
  std::error_code unknown;
  for (const std::string& file : files) {
    if (const std::uintmax_t size = std::filesystem::file_size(file, unknown); !unknown && size > large)
      load.note(file);
    else
      load(file);
  }
  return files;
}

RemoteMemory read_remote_memory(const InputNode& node) {
  MemoryDraft draft;
  read_map(node, "a remote memory", remote_memory_keys, draft);
  draft.latency_ns = static_cast<std::int64_t>(draft.exact_latency_ns);
  draft.bytes_per_ns = static_cast<std::int64_t>(draft.bandwidth.bytes_per_ns());
  if (draft.bytes_per_ns < 1)
    throw InputError(node.find("bandwidth")->where,
                     "`bandwidth` of a remote memory has to be 1 GB/s at least");
  const InputNode* const npus = node.find("npus-per-node");
  const bool per_node = draft.kind == RemoteMemory::Kind::per_node;
  if (per_node && !npus)
    throw InputError(node.find("server")->where, "`server: node` needs `npus-per-node`, add it");
  if (npus && !per_node)
    throw InputError(npus->where, "only `server: node` has `npus-per-node`; leave it out");
  return draft;
}

std::string in_folder(const std::filesystem::path& folder, const std::string& path) {
  return (folder / path).string();
}

void read_own_algorithms(const std::filesystem::path& folder, const FileLoader& load, TraceDraft& draft) {
  if (draft.algorithms_node)
    read_map(*draft.algorithms_node, "the algorithms of traces", own_algorithm_keys, draft.algorithms);
  for (NamedFile& prefix : draft.algorithms.custom)
    if (!prefix.path.empty()) prefix.path = in_folder(folder, prefix.path);
  draft.algorithms.folder = folder.string();
  if (const InputNode* const by_node = draft.node_algorithms)
    draft.algorithms.custom_of_nodes = {in_folder(folder, scalar_of(*by_node, "node-algorithms")),
                                        by_node->where};
  note_custom_algorithms(draft.algorithms, load);
}

// Devices compute at the rates that remain when their constants are applied to their data sheets.
void set_rates_of(const Device& device, const InputNode& workload, TraceDraft& draft) {
  for (const char* key : {"peak", "memory-bandwidth"})
    if (const InputNode* rate = workload.find(key))
      throw InputError(rate->where, fmt::format("the run has a `device`, leave `{}` out", key));
  const Datatype type = draft.type.value_or(usual_datatype(device));
  const double peak = device.product_peak(type) * device.roofline.matrix_efficiency;
  if (!(peak > 0))
    throw InputError(workload.find("datatype")->where,
                     fmt::format("{} does not compute in {}; choose another datatype", device.name,
                                 word_of(datatype_words, type)));
  draft.memory_gb_per_s = device.memory_bandwidth.bytes_per_ns() * device.roofline.memory_efficiency;
  draft.rules.roofline = {true, *draft.memory_gb_per_s, peak / 1e12};
}

void set_rates(const InputNode& workload, const TraceContext& context, TraceDraft& draft) {
  if (context.device) return set_rates_of(*context.device, workload, draft);
  if (draft.type)
    throw InputError(workload.find("datatype")->where,
                     "`datatype` is of a `device`, which the run does not have");
  if (draft.memory_bandwidth) draft.memory_gb_per_s = draft.memory_bandwidth->bytes_per_ns();
  if (!draft.peak) return;
  if (!draft.memory_bandwidth)
    throw InputError(workload.find("peak")->where,
                     "the roofline of `peak` needs `memory-bandwidth` too; add it, or leave `peak` out");
  draft.rules.roofline = {true, *draft.memory_gb_per_s, *draft.peak / 1e12};
}

// In a replay nothing is sent, and durations are those of the traces.
void refuse_beside_replay(const InputNode& workload, const TraceContext& context) {
  if (context.device)
    throw InputError(
        context.where_of_device,
        "computes nothing in a `replay`, in which every node takes its duration; leave one of them out");
  for (const char* key :
       {"groups", "peak", "memory-bandwidth", "datatype", "remote-memory", "algorithms", "node-algorithms"})
    if (const InputNode* value = workload.find(key))
      throw InputError(value->where,
                       fmt::format("`{}` means nothing in a `replay`, in which every node takes "
                                   "its duration; leave one of them out",
                                   key));
}

// The traces of a program say all that its ranks do, and the groups of its collectives.
std::shared_ptr<const Workload> read_program(const InputNode& workload, const TraceContext& context,
                                             const std::vector<std::string>& files, const TraceDraft& draft) {
  constexpr std::string_view why =
      "means nothing for traces of a whole program (`orrery convert`), which say "
      "what each rank does; leave it out";
  if (context.device) throw InputError(context.where_of_device, fmt::format("`device` {}", why));
  for (const InputName& name : workload.names)
    if (name.text != "traces" && name.text != "groups" && name.text != "base")
      throw InputError(name.where, fmt::format("`{}` {}", name.text, why));
  chakra::RecordedProgram recorded = chakra::read_program_traces(files);
  recorded.program.where = draft.where;
  if (!draft.groups.empty()) {
    Warnings none;
    if (read_groups_json(draft.groups, draft.groups_file, static_cast<int>(recorded.ranks), none) !=
        chakra::ProgramTraces(recorded).groups())
      throw InputError(
          draft.groups_node->where,
          fmt::format("{} has other groups than the traces, which were written together with the "
                      "file of their own; name that, or leave `groups` out",
                      backquoted(draft.groups_file)));
  }
  return std::make_shared<const ProgramTracesWorkload>(std::move(recorded));
}

}  // namespace

std::shared_ptr<const Workload> read_yaml_traces(const InputNode& workload, const TraceContext& context,
                                                 Warnings& warnings, const FileLoader& load) {
  const std::filesystem::path& folder = context.folder;
  TraceDraft draft(load);
  draft.rules.advice = advice_of_experiments;
  draft.rules.reduce_scatter_block = true;
  read_map(workload, "a workload of traces", trace_keys, draft);
  if (draft.rules.replay_only) refuse_beside_replay(workload, context);
  set_rates(workload, context, draft);
  if (draft.memory_node) draft.memory = read_remote_memory(*draft.memory_node);
  if (draft.groups_node) {
    draft.groups_file = in_folder(folder, scalar_of(*draft.groups_node, "groups"));
    try {
      draft.groups = load(draft.groups_file);
    } catch (const InputError& error) {
      throw InputError(draft.groups_node->where, error.what());
    }
  }
  read_own_algorithms(folder, load, draft);
  const std::vector<std::string> files = trace_files(folder, load, draft);
  if (chakra::holds_program(chakra::program_words_of_file(files[0])))
    return read_program(workload, context, files, draft);
  read_traces(files, draft, warnings);
  return std::make_shared<const TraceWorkload>(std::move(static_cast<TraceSettings&>(draft)));
}

std::vector<KeyPath> yaml_trace_keys() {
  return keys_of_map<trace_keys>();
}

}  // namespace orrery::core
