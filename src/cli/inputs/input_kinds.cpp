#include "cli/inputs/input_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include "base/containers/joined.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/foreign_files.hpp"
#include "base/files/foreign_marks.hpp"
#include "cli/inputs/experiment_check.hpp"
#include "cli/inputs/likeness.hpp"
#include "cli/inputs/model_files.hpp"
#include "collective/algorithms/written/msccl_file.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/system_file.hpp"
#include "compute/device_file.hpp"
#include "compute/kernels/kernel_table.hpp"
#include "compute/measured/shape_table.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "memory/memory_profile.hpp"
#include "network/flows/connection_matrix.hpp"
#include "network/flows/flow_file.hpp"
#include "network/network_options.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/ns3/ns3_config.hpp"
#include "study/astra2/system_json.hpp"
#include "study/calibration/measured/step_measurements.hpp"
#include "study/experiment/run_keys.hpp"
#include "topology/files/any_network.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "topology/topology_check.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/chakra/conversion/graph_trace.hpp"
#include "workload/models/neural_network_file.hpp"
#include "workload/training/platform.hpp"
#include "workload/transformer/catalogue/transformer_file.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core {

namespace {

// These functions tell kinds apart: they return how much a text looks like a file of a kind.

std::size_t certain_if(bool is_it) {
  return is_it ? certain_likeness : 0;
}

// A plain trace begins with the length of its metadata, whose first field is a text.
bool is_trace(std::string_view text) {
  if (!chakra::looks_like_trace(text)) return false;
  if (text.starts_with("\x1f\x8b")) return foreign_file_of(text) == nullptr;  // compressed
  std::size_t length = 1;
  while (length < text.size() && static_cast<unsigned char>(text[length - 1]) >= 0x80) ++length;
  return length < text.size() && (text[0] == 0 || text[length] == '\n');
}

bool is_system_file(std::string_view text) {
  const std::string_view word = first_word(text);
  return std::ranges::any_of(system_file_keys(), [&](const KeyPath& key) { return word == key.path + ":"; });
}

bool is_json_with(std::string_view text, std::initializer_list<std::string_view> keys) {
  return is_json(text) && has_any_key(text, keys);
}

// Returns whether the first key of an object of JSON is a number.
bool is_group_file(std::string_view text) {
  constexpr std::string_view opening = "{\" \t\r\n";
  if (!first_word(text).starts_with('{')) return false;
  const std::size_t key = text.find_first_not_of(opening);
  return key < text.size() && std::isdigit(static_cast<unsigned char>(text[key])) != 0;
}

std::vector<KeyPath> experiment_keys() {
  return experiment_file_keys("");
}

// Experiments may be large, and are what most commands read: where all keys are an experiment's, no other
// kind is asked.
std::size_t likeness_of_experiment(std::string_view text) {
  const std::size_t known = likeness_of_map<experiment_keys>(text);
  return known > 0 && known == keys_at_the_edge(text).size() ? certain_likeness : known;
}

std::size_t likeness_of_flows(std::string_view text) {
  const std::string_view word = first_word(text);
  const bool of_ns3 =
      !word.empty() && word.find_first_not_of("0123456789") == word.npos && text.find(',') == text.npos;
  return is_connection_matrix(text) || of_ns3 ? certain_likeness : likeness_of_table<flow_file_keys>(text);
}

// How each is checked.

std::string check_packets(const InputCheck& input) {
  read_packet_file(input.text, input.file, input.load.extensions());
  return {};
}

std::string check_dimensions(const InputCheck& input) {
  const Topology topology = read_any_network(input.text, input.file, input.warnings, input.load.extensions());
  return fmt::format("network of {} NPUs in {} dimensions", topology.npus(), topology.dimensions.size());
}

std::string check_graph(const InputCheck& input) {
  const NetworkGraph graph =
      read_graph_file(input.text, input.file, input.warnings, input.load.extensions()).graph;
  const std::vector<NetworkCut> cuts = find_cuts(graph, 1);
  if (!cuts.empty())
    throw InputError({input.file}, fmt::format("no way leads from {} to {}: `orrery topology {}` says who is "
                                               "cut off",
                                               graph.node(cuts[0].from[0]).name,
                                               graph.node(cuts[0].to[0]).name, input.file));
  return fmt::format("network of {} NPUs, {} other nodes and {} links", graph.npus(),
                     graph.nodes() - graph.npus(), graph.links());
}

std::string check_layer_table(const InputCheck& input) {
  const LayerTable table = read_layer_table(input.text, input.file, input.warnings);
  return fmt::format("layer table of {} layers, {}", table.layers.size(),
                     word_of(policy_words, table.policy));
}

std::string check_system_file(const InputCheck& input) {
  const SystemConfig system =
      read_system_file(input.text, input.file, 1, astra_sim_1_dialect, input.warnings);
  return fmt::format("system file, {} chunks per collective", system.chunks);
}

std::string check_flows(const InputCheck& input) {
  std::vector<MatrixFailure> failures;
  return fmt::format("{} flows", read_flow_file(input.text, input.file, &failures).size());
}

std::string check_written_algorithm(const InputCheck& input) {
  const WrittenAlgorithm algorithm = read_msccl_file(input.text, input.file, input.warnings);
  return fmt::format("algorithm of {} on {} GPUs", name_of(algorithm.kind), algorithm.size());
}

std::string check_groups(const InputCheck& input) {
  return fmt::format("file of {} groups",
                     read_groups_json(input.text, input.file, max_npus, input.warnings).size());
}

std::string check_model(const InputCheck& input) {
  return fmt::format("model of {} layers", read_neural_network(input.text, input.file).layers.size());
}

std::string check_platform(const InputCheck& input) {
  const InputNode platform = parse_yaml(input.text, input.file);
  const std::filesystem::path folder = std::filesystem::path(input.file).parent_path();
  read_platform(platform, folder, input.load, {LinksOf::network});
  const bool has_links = written_out_platform(platform, folder, input.load).find("inside") != nullptr;
  return has_links ? "" : "platform without links, for runs with a `network`";
}

// Checks a file by its reader, and says no more than what the file is.
template <auto read>
std::string check_by(const InputCheck& input) {
  if constexpr (requires { read(input.text, input.file, input.warnings); })
    read(input.text, input.file, input.warnings);
  else if constexpr (requires { read(input.text, input.file, input.load); })
    read(input.text, input.file, input.load);
  else
    read(input.text, input.file);
  return {};
}

// A file that one command or flag reads, and that nobody else can check.
std::string refuse_to_check(const InputCheck& input) {
  throw InputError({input.file}, foreign_file_of(input.text)->text());
}

constexpr std::string_view workload_flag = "--workload-configuration", system_flag = "--system-configuration",
                           network_flag = "--network-configuration";

constexpr InputKind kinds_before_options[] = {
    {.name = "an execution trace",
     .likeness = [](std::string_view text) { return certain_if(is_trace(text)); },
     .check = nullptr,
     .flag = workload_flag,
     .shown_by = "inspect",
     .shown = "what is in it"},
    {.name = "a layer table",
     .likeness =
         [](std::string_view text) {
           return certain_if(value_of(policy_words, first_word(text)).has_value());
         },
     .check = check_layer_table,
     .flag = workload_flag},
    {.name = "a system file of ASTRA-sim 1.0",
     .likeness = [](std::string_view text) { return certain_if(is_system_file(text)); },
     .check = check_system_file,
     .flag = system_flag},
    {.name = "a network of flits of ASTRA-sim 1.0",
     .likeness = [](std::string_view text) { return certain_if(is_flit_network_file(text)); },
     .check = check_dimensions,
     .flag = network_flag},
    {.name = "an algorithm of MSCCL",
     .likeness = [](std::string_view text) { return certain_if(root_element(text) == "algo"); },
     .check = check_written_algorithm,
     .taken_by = "the key `system.collectives` of an experiment"},
    {.name = "a network as a graph",
     .likeness = [](std::string_view text) { return certain_if(is_graph_file(text)); },
     .check = check_graph,
     .taken_by = "the key `network` of an experiment",
     .shown_by = "topology",
     .shown = "what it can carry"},
    {.name = "a network file of ASTRA-sim 2",
     .likeness = [](std::string_view text) { return certain_if(is_network_yaml_file(text)); },
     .check = nullptr,
     .flag = network_flag},
    {.name = "a network file of ASTRA-sim 1.0",
     .likeness =
         [](std::string_view text) {
           return certain_if(is_json_with(text, {"topologies-per-dim", "units-count"}));
         },
     .check = check_dimensions,
     .flag = network_flag},
    {.name = "a system file of ASTRA-sim 2",
     .likeness =
         [](std::string_view text) {
           return certain_if(is_json_with(
               text, {"scheduling-policy", "all-reduce-implementation", "preferred-dataset-splits"}));
         },
     .check = nullptr,
     .flag = system_flag},
    {.name = "a file of groups of ASTRA-sim 2",
     .likeness = [](std::string_view text) { return certain_if(is_group_file(text)); },
     .check = check_groups,
     .flag = "--comm-group-configuration"},
    {.name = "a file of logical dimensions",
     .likeness = [](std::string_view text) { return certain_if(is_json_with(text, {"logical-dims"})); },
     .check = nullptr,
     .flag = "--logical-topology-configuration"},
    {.name = "a remote-memory file of ASTRA-sim 2",
     .likeness = [](std::string_view text) { return certain_if(is_json_with(text, {"memory-type"})); },
     .check = check_by<read_memory_json>,
     .flag = "--remote-memory-configuration"},
    {.name = "a configuration of a Hugging Face model",
     .likeness = [](std::string_view text) { return certain_if(is_huggingface_config(text)); },
     .check = check_huggingface_config,
     .taken_by = "the key `workload.model` of an experiment",
     .shown_by = "inspect",
     .shown = "what it describes"},
    {.name = "a file of flows",
     .likeness = likeness_of_flows,
     .check = check_flows,
     .taken_by = "the key `background` of an experiment or `orrery flows --flows`"},
    {.name = "a configuration of ns-3",
     .likeness = [](std::string_view text) { return certain_if(is_ns3_config(text)); },
     .check = check_by<read_ns3_config>,
     .taken_by = "`orrery flows --config`, and `--network-configuration` beside execution traces,"},
    {.name = "a configuration of SCALE-Sim",
     .likeness =
         [](std::string_view text) {
           return certain_if(first_line(text).starts_with('[') && text.find("ArrayHeight") != text.npos);
         },
     .check = check_by<read_scale_sim_config>,
     .taken_by = "`orrery compute systolic --config`"},
    {.name = "a table of products",
     .likeness = likeness_of_table<shape_table_columns>,
     .check = check_by<read_shape_table>,
     .taken_by = "`orrery compute roofline --shapes`"},
    {.name = "a table of kernels",
     .likeness = likeness_of_table<kernel_table_columns>,
     .check = check_by<read_kernel_table>,
     .taken_by = "`orrery compute kernels --table`"},
    {.name = "a table of groups",
     .likeness = likeness_of_table<group_table_columns>,
     .check = check_by<read_group_table>,
     .taken_by = "`orrery compute collective --groups`"},
    {.name = "a table of measured steps",
     .likeness = likeness_of_table<step_table_columns>,
     .check = check_by<read_step_table>,
     .taken_by = "`orrery calibrate --from`"},
    {.name = "an experiment",
     .likeness = likeness_of_experiment,
     .check = check_experiment,
     .takes_changes = true},
    {.name = "a device file",
     .likeness = likeness_of_map<device_file_keys>,
     .check = check_by<read_device_file>,
     .taken_by = "the key `device` of an experiment"},
};

// Files of the options of networks. Nothing looks like a file of an option that has none.
template <std::size_t number>
constexpr OptionFile option_file = network_option_kinds[number]->file;

template <std::size_t number>
std::size_t likeness_of_option(std::string_view text) {
  if constexpr (option_file<number>.keys != nullptr)
    return likeness_of_map<option_file<number>.keys>(text);
  else
    return 0;
}

template <std::size_t number>
std::string check_option(const InputCheck& input) {
  option_file<number>.check(input.text, input.file);
  return {};
}

template <std::size_t... number>
constexpr std::array<InputKind, sizeof...(number)> kinds_of_options(std::index_sequence<number...> /*all*/) {
  return {InputKind{.name = option_file<number>.name,
                    .likeness = likeness_of_option<number>,
                    .check = check_option<number>,
                    .taken_by = option_file<number>.taken_by}...};
}

constexpr InputKind kinds_behind_options[] = {
    {.name = "a library of collectives",
     .likeness = likeness_of_map<library_file_keys>,
     .check = check_by<read_library_file>,
     .taken_by = "the key `system.library` of an experiment"},
    {.name = "a memory file",
     .likeness = likeness_of_map<memory_file_keys>,
     .check = check_by<read_memory_profile>,
     .taken_by = "the key `workload.memory` of an experiment"},
    {.name = "a platform",
     .likeness = likeness_of_map<platform_file_keys>,
     .check = check_platform,
     .taken_by = "the key `platform` of an experiment"},
    {.name = "a software stack",
     .likeness = likeness_of_map<stack_file_keys>,
     .check = check_by<read_stack_file>,
     .taken_by = "the key `platform.stack` of an experiment"},
    {.name = transformer_file_name,
     .likeness = likeness_of_map<transformer_file_keys>,
     .check = check_by<read_transformer_file>,
     .taken_by = "the key `workload.model` of an experiment"},
    {.name = "a model file",
     .likeness = likeness_of_map<model_file_keys>,
     .check = check_model,
     .taken_by = "the key `workload.model` of an experiment"},
    {.name = "a file of packets",
     .likeness = likeness_of_map<packet_keys>,
     .check = check_packets,
     .taken_by = "`orrery flows --packets`"},
    {.name = "a file that one command reads",
     .likeness = [](std::string_view text) { return certain_if(foreign_file_of(text) != nullptr); },
     .check = refuse_to_check,
     .shown_by = "validate",
     .shown = "which one"},
};

// Among kinds that a text looks equally much like, the first counts.
constexpr auto kinds = joined<InputKind>(
    kinds_before_options, kinds_of_options(std::make_index_sequence<network_option_kinds.size()>()),
    kinds_behind_options);

}  // namespace

std::string_view first_word(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, std::min(text.find_first_of(blanks), text.size()));
}

const InputKind& kind_of_input(std::string_view text) {
  const InputKind* best = std::ranges::find_if(kinds, &InputKind::takes_changes);
  std::size_t most = 0;
  for (const InputKind& kind : kinds) {
    const std::size_t likeness = kind.likeness(text);
    if (likeness <= most) continue;
    best = &kind;
    most = likeness;
    if (most == certain_likeness) break;
  }
  return *best;
}

}  // namespace orrery::core
