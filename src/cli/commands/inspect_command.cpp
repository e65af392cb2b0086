// orrery inspect: says what is in execution traces and what is wrong with them.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/inputs/model_files.hpp"
#include "cli/progress_line.hpp"
#include "report/traces/trace_inspection.hpp"
#include "study/astra2/trace_files.hpp"
#include "study/run/run_pool.hpp"
#include "workload/chakra/files/trace_reader.hpp"

namespace orrery::core {

namespace {

struct InspectOptions {
  std::vector<std::string> traces;
  bool json = false;
  bool replay_only = false;
};

struct TraceSet {
  std::string name;
  bool all_ranks = false;
  std::map<RankId, std::string> files;  // by rank
};

std::string file_of_rank(const std::string& prefix, RankId rank) {
  return prefix + "." + std::to_string(rank.value()) + ".et";
}

class TraceSets {
 public:
  // The argument is a prefix, a file of a rank, or a file of all ranks, which counts as that of rank 0.
  void add(const std::string& argument) {
    if (is_there(file_of_rank(argument, RankId(0)))) return add_prefix(argument);
    for (const std::string& path : {argument, argument + ".et"}) {
      if (is_there(path)) return add_file(path);
    }
    if (const std::string json = json_beside(argument); !json.empty()) throw InputError({argument}, json);
    throw InputError({argument}, "there is no such trace, nor " + file_of_rank(argument, RankId(0)) +
                                     "; name a file, or what stands in front of `.0.et`");
  }
  const std::vector<TraceSet>& sets() const { return sets_; }

 private:
  void add_prefix(const std::string& prefix) {
    TraceSet& set = named(prefix);
    set.all_ranks = true;
    for (RankId rank; is_there(file_of_rank(prefix, rank)); ++rank)
      set.files[rank] = file_of_rank(prefix, rank);
  }
  void add_file(const std::string& path) {
    const std::size_t end = path.size() - std::min<std::size_t>(path.size(), 3);  // of "prefix.rank"
    const std::size_t dot = path.substr(0, end).rfind('.');
    std::uint32_t number = 0;
    if (dot != std::string::npos) {
      std::from_chars(path.data() + dot + 1, path.data() + end, number);
      const std::string prefix = path.substr(0, dot);
      if (const RankId rank(number); path == file_of_rank(prefix, rank)) {
        named(prefix).files[rank] = path;
        return;
      }
    }
    named(path).files[RankId(0)] = path;
  }
  TraceSet& named(const std::string& name) {
    const auto found = std::ranges::find(sets_, name, &TraceSet::name);
    return found != sets_.end() ? *found : sets_.emplace_back(TraceSet{name, false, {}});
  }

  std::vector<TraceSet> sets_;  // in the order in which they are named
};

InspectedSet inspect_set(const TraceSet& set, bool replay_only, const StepListener& told) {
  InspectedSet inspected;
  inspected.name = set.name;
  inspected.all_ranks = set.all_ranks;
  for (const auto& [rank, file] : set.files) inspected.traces.push_back({file, rank, {}});
  std::vector<chakra::MessageCheck> of_rank(inspected.traces.size());
  chakra::MessageCheck messages;
  const auto read = [&](std::size_t index) {
    InspectedTrace& inspects = inspected.traces[index];
    chakra::Trace trace = chakra::read_trace_file(inspects.file, {.tensors = false});
    of_rank[index].add(inspects.rank, trace.nodes);
    inspects.check = chakra::check_trace(std::move(trace));
  };
  run_in_order(of_rank.size(), default_threads(), read, [&](std::size_t index) {
    messages.add(std::exchange(of_rank[index], {}));
    told(index + 1, of_rank.size(), "traces");
  });
  inspected.judge(messages, replay_only);
  return inspected;
}

int inspect(const InspectOptions& options) {
  const auto models = std::ranges::count_if(options.traces, [](const std::string& argument) {
    return std::filesystem::is_regular_file(argument) && describes_transformer(argument);
  });
  if (models == std::ssize(options.traces)) {
    print_transformers(options.traces, options.json);
    return success;
  }
  if (models > 0)
    throw InputError({options.traces[0]},
                     "execution traces and files of transformers are inspected by themselves: name either");
  TraceSets named;
  for (const std::string& argument : options.traces) named.add(argument);
  std::vector<InspectedSet> sets;
  {
    ProgressLine progress("inspect");
    for (const TraceSet& set : named.sets())
      sets.push_back(inspect_set(set, options.replay_only, progress.steps()));
  }
  if (options.json)
    print_json(inspection_json(sets) + "\n");
  else
    print(inspection_text(sets));
  return ok(sets) ? success : bad_input;
}

}  // namespace

Command add_inspect_command(CLI::App& command) {
  auto options = std::make_shared<InspectOptions>();
  command
      .add_option("trace", options->traces,
                  "Execution traces (.et), or what stands in front of .0.et, .1.et and so on; or files of "
                  "transformers, such as config.json")
      ->required();
  command.add_flag("--json", options->json, "Print everything as JSON");
  command.add_flag("--replay-only", options->replay_only,
                   "Do not judge messages: a run that replays durations sends none");
  return [options](const CommandLine&) { return inspect(*options); };
}

}  // namespace orrery::core
