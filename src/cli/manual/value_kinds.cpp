#include "cli/manual/value_kinds.hpp"

#include <algorithm>
#include <array>

#include "base/diagnostics/unreachable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/dialect.hpp"
#include "base/files/embedded_file.hpp"
#include "cli/flags/option_flags.hpp"
#include "cli/manual/completions.hpp"
#include "cli/subcommands.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "collective/library/transfer_demand.hpp"
#include "compute/kernels/attention_kernel.hpp"
#include "compute/kernels/pointwise_kernels.hpp"
#include "compute/datatype.hpp"
#include "compute/device_file.hpp"
#include "compute/sparsity.hpp"
#include "compute/systolic/systolic_array.hpp"
#include "memory/parameter_state.hpp"
#include "network/network_models.hpp"
#include "network/network_options.hpp"
#include "report/timeline/timeline_formats.hpp"
#include "study/search/layout_search.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/routing_kinds.hpp"
#include "workload/chakra/dependencies/trace_order.hpp"
#include "workload/generate/network_split.hpp"
#include "workload/training/layout_space.hpp"

namespace orrery::core {

namespace {

using ChoiceWords = std::vector<std::string_view>;

struct ListedChoice {
  std::string_view name;
  ValueKind kind;
  ChoiceWords (*words)() = nullptr;
};

ChoiceWords command_names() {
  ChoiceWords names;
  for (const Subcommand& command : subcommands()) names.push_back(command.name);
  return names;
}

// Where a command declares its words beside its code they stand here once more; a test compares them with the
// help of the flag.
constexpr ListedChoice listed_choices[] = {
    {"--account", ValueKind::text},
    {"--algorithm", ValueKind::word, [] { return words_of(library_algorithm_words); }},
    {"--attention-kernel", ValueKind::word, attention_kernel_names},
    {"--batch", ValueKind::text},
    {"--buffers", ValueKind::word, [] { return words_of(buffers_words); }},
    {"--by", ValueKind::text},
    {"--caller", ValueKind::word, [] { return words_of(caller_words); }},
    {"--collective-library", ValueKind::name_or_file, collective_library_names},
    {"--columns", ValueKind::text},
    {"--comm-group-configuration", ValueKind::file},
    {"--comm-scale", ValueKind::text},
    {"--compute-scale", ValueKind::text},
    {"--config", ValueKind::file},
    {"--costs", ValueKind::file},
    {"--dataflow", ValueKind::word, [] { return words_of(dataflow_words); }},
    {"--datatype", ValueKind::word, [] { return words_of(datatype_words); }},
    {"--device", ValueKind::name_or_file, device_names},
    {"--dialect", ValueKind::word, [] { return words_of(dialect_words); }},
    {"--dot", ValueKind::file},
    {"--dtype", ValueKind::word, [] { return words_of(datatype_words); }},
    {"--filter-sram", ValueKind::text},
    {"--flows", ValueKind::file},
    {"--fold", ValueKind::word,
     [] {
       return ChoiceWords{"auto", "off"};
     }},
    {"--frequency", ValueKind::text},
    {"--groups", ValueKind::file},
    {"--ifmap-sram", ValueKind::text},
    {"--injection-scale", ValueKind::text},
    {"--inter", ValueKind::text},
    {"--keep", ValueKind::word, [] { return words_of(layout_choice_words); }},
    {"--kind", ValueKind::word, [] { return words_of(library_operation_words); }},
    {"--latencies", ValueKind::file},
    {"--library", ValueKind::name_or_file, collective_library_names},
    {"--limit", ValueKind::text},
    {"--link", ValueKind::text},
    {"--link-history", ValueKind::file},
    {"--links", ValueKind::file},
    {"--logging-configuration", ValueKind::file},
    {"--logging-folder", ValueKind::folder},
    {"--logical-topology-configuration", ValueKind::file},
    {"--measured", ValueKind::file},
    {"--memory", ValueKind::name_or_file, [] { return embedded_names("memory"); }},
    {"--mnk", ValueKind::file},
    {"--model", ValueKind::name_or_file, [] { return embedded_names("models"); }},
    {"--network-configuration", ValueKind::file},
    {"--network-model", ValueKind::word, [] { return words_of(network_model_words); }},
    {"--objective", ValueKind::word, [] { return words_of(search_objective_words); }},
    {"--ofmap-sram", ValueKind::text},
    {"--only", ValueKind::text},
    {"--optimizer", ValueKind::word, [] { return words_of(optimizer_words); }},
    {"--order", ValueKind::word, [] { return words_of(trace_order_words); }},
    {"--output", ValueKind::file},
    {"--packets", ValueKind::file},
    {"--parallel", ValueKind::word,
     [] {
       return ChoiceWords{"DATA", "MODEL", "HYBRID_DATA_MODEL", "HYBRID_MODEL_DATA", "HYBRID_CUSTOMIZED"};
     }},
    {"--partition", ValueKind::text},
    {"--parts", ValueKind::file},
    {"--path", ValueKind::folder},
    {"--plugin", ValueKind::file},
    {"--pointwise", ValueKind::word, pointwise_kernel_names},
    {"--progress", ValueKind::word,
     [] {
       return ChoiceWords{"auto", "on", "off"};
     }},
    {"--query", ValueKind::text},
    {"--relay", ValueKind::word, [] { return words_of(relaying_words); }},
    {"--remote-memory-configuration", ValueKind::file},
    {"--rendezvous-protocol", ValueKind::word,
     [] {
       return ChoiceWords{"true", "false"};
     }},
    {"--reports", ValueKind::words,
     [] {
       return ChoiceWords{"all", "none"};
     }},
    {"--routing", ValueKind::word, [] { return words_of(routing_words); }},
    {"--run", ValueKind::text},
    {"--run-name", ValueKind::text},
    {"--run_name", ValueKind::text},
    {"--scalesim_config", ValueKind::file},
    {"--scalesim_path", ValueKind::folder},
    {"--set", ValueKind::text},
    {"--shapes", ValueKind::file},
    {"--shard", ValueKind::text},
    {"--sharding", ValueKind::word,
     [] {
       return ChoiceWords{"1", "2"};
     }},
    {"--size", ValueKind::text},
    {"--sort", ValueKind::text},
    {"--spare-store", ValueKind::file},
    {"--sparsity-pattern", ValueKind::word, [] { return words_of(sparsity_pattern_words); }},
    {"--store", ValueKind::file},
    {"--strategies", ValueKind::file},
    {"--strategy", ValueKind::word, [] { return words_of(strategy_words); }},
    {"--svg", ValueKind::file},
    {"--switch-history", ValueKind::file},
    {"--switches", ValueKind::file},
    {"--system-configuration", ValueKind::file},
    {"--table", ValueKind::file},
    {"--target", ValueKind::text},
    {"--time", ValueKind::text},
    {"--timed", ValueKind::word, [] { return words_of(timed_by_words); }},
    {"--timeline", ValueKind::words, [] { return words_of(timeline_format_words); }},
    {"--topology", ValueKind::file},
    {"--what-would-help", ValueKind::word,
     [] {
       return ChoiceWords{"auto", "on", "off"};
     }},
    {"--where", ValueKind::text},
    {"--workload-configuration", ValueKind::file},
    {"command", ValueKind::word, command_names},
    {"experiment", ValueKind::file},
    {"file", ValueKind::file},
    {"from", ValueKind::file},
    {"into", ValueKind::file},
    {"results", ValueKind::file},
    {"shell", ValueKind::word, [] { return words_of(completion_shells); }},
    {"store", ValueKind::file},
    {"trace", ValueKind::file},
    {"what", ValueKind::name_or_file, words_of_lists},
};

// Flags that follow from the kinds of something name files, some of which come with the program.
std::vector<std::pair<std::string, ListedChoice>> choices_of_kinds() {
  std::vector<std::pair<std::string, ListedChoice>> choices;
  for (const NetworkOptionKind* kind : network_option_kinds)
    choices.push_back(
        {flag_of(*kind),
         {kind->key.name, kind->names ? ValueKind::name_or_file : ValueKind::file, kind->names}});
  for (const LinkChangeKind* kind : link_change_kinds)
    choices.push_back({"--" + std::string(kind->key.name), {kind->key.name, ValueKind::file}});
  return choices;
}

ValueChoice choice_of(const ListedChoice& listed) {
  return {listed.kind, listed.words ? listed.words() : ChoiceWords{}};
}

}  // namespace

std::optional<ValueChoice> listed_choice(std::string_view name) {
  const auto* const found = std::ranges::find(listed_choices, name, &ListedChoice::name);
  if (found != std::end(listed_choices)) return choice_of(*found);
  for (const auto& [flag, choice] : choices_of_kinds())
    if (flag == name) return choice_of(choice);
  return {};
}

std::vector<std::string> listed_choice_names() {
  std::vector<std::string> names;
  for (const ListedChoice& choice : listed_choices) names.emplace_back(choice.name);
  for (const auto& [flag, choice] : choices_of_kinds()) names.push_back(flag);
  return names;
}

std::string_view placeholder_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::nothing:
      return "";
    case ValueKind::number:
      return "NUMBER";
    case ValueKind::text:
      return "TEXT";
    case ValueKind::file:
      return "FILE";
    case ValueKind::folder:
      return "FOLDER";
    case ValueKind::word:
      return "WORD";
    case ValueKind::words:
      return "WORDS";
    case ValueKind::name_or_file:
      return "NAME";
  }
  unreachable("a kind of values has no word that stands for it");
}

}  // namespace orrery::core
