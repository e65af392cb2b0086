#include "cli/input_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/words.hpp"
#include "collective/system_file.hpp"
#include "study/experiment.hpp"
#include "study/run.hpp"
#include "topology/network_file.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery {

namespace {

std::string_view first_word(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, std::min(text.find_first_of(blanks), text.size()));
}

bool is_system_key(std::string_view word) {
  if (word.empty() || word.back() != ':') return false;
  word.remove_suffix(1);
  const auto keys = system_file_keys();
  return std::find(keys.begin(), keys.end(), word) != keys.end();
}

// Network files are JSON objects; so may experiments be, but those have none of the network's keys.
bool is_network_file(std::string_view text, std::string_view word) {
  return !word.empty() && word[0] == '{' &&
         (text.find("\"topologies-per-dim\"") != std::string_view::npos ||
          text.find("\"units-count\"") != std::string_view::npos);
}

// What is wrong with several runs is one error.
void check_runs(Experiment& experiment, bool allow_out_of_memory, Warnings& warnings,
                std::vector<std::string>& errors) {
  std::map<std::string, std::size_t> runs_of;              // by text
  std::vector<std::pair<std::string, std::string>> found;  // text, first run
  for (RunSpec& run : experiment.runs) {
    run.allow_out_of_memory = allow_out_of_memory;
    try {
      prepare_run(run, warnings);
    } catch (const InputError& error) {
      if (++runs_of[error.what()] == 1) found.emplace_back(error.what(), run.name);
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

std::string check_input(std::string_view text, const std::string& file, bool allow_out_of_memory,
                        Warnings& warnings, std::vector<std::string>& errors) {
  const std::string_view word = first_word(text);
  if (word.empty())
    throw InputError({file}, "is empty, write an experiment, a layer table, a system or a network file");
  if (is_network_file(text, word)) {
    const Topology topology = read_network_file(text, file, {}, warnings);
    return fmt::format("network of {} NPUs in {} dimensions", topology.npus(), topology.dimensions.size());
  }
  if (training_policy_from(word)) {
    const LayerTable table = read_layer_table(text, file, warnings);
    return fmt::format("layer table of {} layers, {}", table.layers.size(), name_of(table.policy));
  }
  if (is_system_key(word)) {
    const SystemConfig system = read_system_file(text, file, 1, astra_sim_1_dialect, warnings);
    return fmt::format("system file, {} chunks per collective", system.chunks);
  }
  Experiment experiment = read_experiment(text, file, {}, warnings);
  check_runs(experiment, allow_out_of_memory, warnings, errors);
  return fmt::format("experiment of {} run{}", experiment.runs.size(),
                     experiment.runs.size() == 1 ? "" : "s");
}

}  // namespace orrery
