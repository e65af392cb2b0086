#include "cli/input_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <utility>

#include "base/file.hpp"
#include "base/words.hpp"
#include "cli/progress_line.hpp"
#include "collective/system_file.hpp"
#include "simulate/slots/program_faults.hpp"
#include "study/experiment.hpp"
#include "study/run.hpp"
#include "topology/any_network.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/graph_file.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/chakra/graph_trace.hpp"

namespace orrery {

namespace {

std::string_view first_word(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, std::min(text.find_first_of(blanks), text.size()));
}

bool is_system_key(std::string_view word) {
  return std::ranges::any_of(system_file_keys(), [&](const KeyPath& key) { return word == key.path + ":"; });
}

// A plain trace begins with the length of its metadata, whose first field is a text.
bool is_trace(std::string_view text) {
  if (!chakra::looks_like_trace(text)) return false;
  if (text.starts_with("\x1f\x8b")) return true;  // compressed
  std::size_t length = 1;
  while (length < text.size() && static_cast<unsigned char>(text[length - 1]) >= 0x80) ++length;
  return length < text.size() && (text[0] == 0 || text[length] == '\n');
}

bool has_any_key(std::string_view text, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(
      keys, [&](std::string_view key) { return text.find(fmt::format("\"{}\"", key)) != text.npos; });
}

enum class InputKind : std::uint8_t {
  experiment,
  layer_table,
  system,
  network,
  flit_network,
  graph,
  trace,
  astra2_system,
  astra2_network
};

// Network and system files may be JSON objects. Experiments may be so too, but they have none of these keys.
InputKind kind_of_input(std::string_view text, const std::string& file) {
  const std::string_view word = first_word(text);
  if (word.empty())
    throw InputError({file}, "is empty, write an experiment, a layer table, a system or a network file");
  if (is_trace(text)) return InputKind::trace;
  if (value_of(policy_words, word)) return InputKind::layer_table;
  if (is_system_key(word)) return InputKind::system;
  if (is_flit_network_file(text)) return InputKind::flit_network;
  if (is_graph_file(text)) return InputKind::graph;
  if (text.find("npus_count:") != text.npos) return InputKind::astra2_network;
  if (word[0] != '{') return InputKind::experiment;
  if (has_any_key(text, {"topologies-per-dim", "units-count"})) return InputKind::network;
  if (has_any_key(text, {"scheduling-policy", "all-reduce-implementation", "preferred-dataset-splits"}))
    return InputKind::astra2_system;
  return InputKind::experiment;
}

std::string_view described(InputKind kind) {
  switch (kind) {
    case InputKind::layer_table:
      return "a layer table";
    case InputKind::system:
      return "a system file of ASTRA-sim 1.0";
    case InputKind::network:
      return "a network file of ASTRA-sim 1.0";
    case InputKind::flit_network:
      return "a network of flits of ASTRA-sim 1.0";
    case InputKind::graph:
      return "a network as a graph";
    case InputKind::trace:
      return "an execution trace";
    case InputKind::astra2_system:
      return "a system file of ASTRA-sim 2";
    case InputKind::astra2_network:
      return "a network file of ASTRA-sim 2";
    case InputKind::experiment:
      break;
  }
  return "an experiment";
}

// Returns the value that --workload-configuration takes for a trace: `run` for `run.3.et`, which is that of
// NPU 3.
std::string trace_prefix(const std::string& file) {
  constexpr std::string_view ending = ".et";
  if (!file.ends_with(ending)) return file;
  const std::string name = file.substr(0, file.size() - ending.size());
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != name.npos && name[end] == '.' && end + 1 < name.size();
  return numbered ? name.substr(0, end) : file;
}

// Returns `orrery COMMAND` with this file as its argument, and whatever else this kind of file needs.
std::string by_flags(const std::string& command, InputKind kind, const std::string& file) {
  const bool system = kind == InputKind::system || kind == InputKind::astra2_system;
  const bool network =
      kind == InputKind::network || kind == InputKind::flit_network || kind == InputKind::astra2_network;
  const std::string workload = kind == InputKind::trace         ? trace_prefix(file)
                               : kind == InputKind::layer_table ? file
                                                                : "WORKLOAD";
  return fmt::format(
      "`orrery {} --workload-configuration={} --system-configuration={} --network-configuration={}`", command,
      workload, system ? file : "SYSTEM", network ? file : "NETWORK");
}

// Files of ASTRA-sim 2 are read together with the run that they belong to.
[[noreturn]] void refuse_alone(InputKind kind, const std::string& file) {
  const std::string inspection =
      kind == InputKind::trace ? fmt::format("`orrery inspect {}` says what is in it, and ", file) : "";
  throw InputError({file}, fmt::format("this is {}, which cannot be validated alone; {}{} validates its run",
                                       described(kind), inspection, by_flags("validate", kind, file)));
}

// Puts the run's place in front of an error that has no place of its own.
std::string located(std::string text, const SourceLocation& run) {
  return text.starts_with("error: ") ? run.text() + ": " + text : text;
}

// Checks the runs; an error that several runs share is reported once.
void check_runs(Experiment& experiment, bool allow_out_of_memory, Warnings& warnings,
                std::vector<std::string>& errors) {
  std::map<std::string, std::size_t> runs_of;              // by text
  std::vector<std::pair<std::string, std::string>> found;  // text, first run
  for (RunSpec& run : experiment.runs) {
    run.allow_out_of_memory = allow_out_of_memory;
    const auto add = [&](const std::string& what) {
      const std::string text = located(what, run.where);
      if (++runs_of[text] == 1) found.emplace_back(text, run.name);
    };
    try {
      const RunResult result = prepare_run(run, warnings);
      if (!result.machine.dialect.issues_in_slots) continue;
      Faults faults;
      find_faults(result.program, result.machine, faults, warnings);
      constexpr std::size_t most = 20;
      const std::vector<std::string>& texts = faults.texts();
      for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) add(texts[i]);
      if (texts.size() > most) add(fmt::format("error: its traces have {} more errors", texts.size() - most));
    } catch (const InputError& error) {
      add(error.what());
    }
  }
  for (const auto& [text, run] : found) {
    const std::size_t others = runs_of[text] - 1;
    const std::string which = others > 0 ? fmt::format(" (run {} and {} more)", backquoted(run), others)
                                         : fmt::format(" (run {})", backquoted(run));
    errors.push_back(experiment.runs.size() > 1 ? text + which : text);
  }
}

}  // namespace

std::string check_input(std::string_view text, const std::string& file,
                        const std::vector<std::string>& overrides, bool allow_out_of_memory,
                        Warnings& warnings, std::vector<std::string>& errors) {
  const InputKind kind = kind_of_input(text, file);
  if (kind != InputKind::experiment && !overrides.empty())
    throw InputError(
        {file}, fmt::format("this is {}, and `--set` changes experiments; leave it out", described(kind)));
  switch (kind) {
    case InputKind::network:
    case InputKind::flit_network: {
      const Topology topology = read_any_network(text, file, warnings);
      return fmt::format("network of {} NPUs in {} dimensions", topology.npus(), topology.dimensions.size());
    }
    case InputKind::graph: {
      const NetworkGraph graph = read_graph_file(text, file, warnings).graph;
      const std::vector<NetworkCut> cuts = find_cuts(graph, 1);
      if (!cuts.empty())
        throw InputError({file},
                         fmt::format("no way leads from {} to {}: `orrery topology {}` says who is cut off",
                                     graph.node(cuts[0].from[0]).name, graph.node(cuts[0].to[0]).name, file));
      return fmt::format("network of {} NPUs, {} other nodes and {} links", graph.npus(),
                         graph.nodes() - graph.npus(), graph.links());
    }
    case InputKind::layer_table: {
      const LayerTable table = read_layer_table(text, file, warnings);
      return fmt::format("layer table of {} layers, {}", table.layers.size(),
                         word_of(policy_words, table.policy));
    }
    case InputKind::system: {
      const SystemConfig system = read_system_file(text, file, 1, astra_sim_1_dialect, warnings);
      return fmt::format("system file, {} chunks per collective", system.chunks);
    }
    case InputKind::experiment: {
      Experiment experiment = read_experiment(text, file, overrides, warnings);
      check_runs(experiment, allow_out_of_memory, warnings, errors);
      return fmt::format("experiment of {} run{}", experiment.runs.size(),
                         experiment.runs.size() == 1 ? "" : "s");
    }
    default:
      refuse_alone(kind, file);
  }
}

Experiment read_experiment_file(const std::string& file, const std::vector<std::string>& overrides,
                                Warnings& warnings) {
  if (file_exists((std::filesystem::path(file) / "summary.json").string()))
    throw InputError({file},
                     "this folder holds results; name the experiment file that they are of, as its runs are "
                     "simulated anew");
  const std::string text = read_text_file(file);
  const InputKind kind = first_word(text).empty() ? InputKind::experiment : kind_of_input(text, file);
  if (kind == InputKind::experiment)
    return with_progress(file, "reading the experiment",
                         [&] { return read_experiment(text, file, overrides, warnings); });
  if (kind == InputKind::graph)
    throw InputError({file},
                     fmt::format("this is {}, not an experiment; `orrery topology {}` says what it can carry",
                                 described(kind), file));
  const std::string inspection =
      kind == InputKind::trace ? fmt::format(", or `orrery inspect {}` to see what is in it", file) : "";
  throw InputError({file}, fmt::format("this is {}, not an experiment; type {} to run it{}", described(kind),
                                       by_flags("run", kind, file), inspection));
}

}  // namespace orrery
