#include "cli/sweeps/search_of_sweep.hpp"

#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/stop_signals.hpp"
#include "study/search/stored_search.hpp"
#include "study/search/swept_table.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

Origin origin_of(const SearchOfSweep& asked, const InputNode& document, const InputLog& inputs,
                 const CommandLine& written) {
  Origin origin;
  origin.command = written;
  origin.overrides = asked.overrides;
  origin.inputs = inputs.files();
  origin.seeds = seeds_of(document);
  return origin;
}

SweepWishes wishes_of_search(const SearchOptions& options, const std::vector<std::string>& plugins) {
  SweepWishes wishes;
  wishes.threads = options.threads;
  wishes.common_files = plugins;
  wishes.stop = [] { return StopSignals::asked(); };
  return wishes;
}

void print_found(const SweptSearch& search, const SearchOfSweep& asked, const std::string& store,
                 const std::string& table) {
  if (asked.json) {
    nlohmann::ordered_json json = swept_to_json(search);
    json["files"] = {table, store};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    return;
  }
  print(swept_report(search) + "files: " + table + "\nstore: " + store +
        "; `orrery results` shows its runs, `orrery report` makes a page of them\n");
}

}  // namespace

int search_sweep(const SearchOfSweep& asked, const InputNode& document, const InputLog& inputs,
                 const FileLoader& load, const SearchOptions& options, const CommandLine& written) {
  SweptSearch search(document, asked.file, load, options);
  Experiment experiment;
  experiment.name = search.name();
  const TableOutput table(asked.output, experiment, layouts_file, inputs, asked.json);
  const fs::path folder = table.is_standard_output() || fs::path(table.path()).parent_path().empty()
                              ? fs::path(".")
                              : fs::path(table.path()).parent_path();
  const std::string store = asked.store.empty() ? (folder / "search.sqlite").string() : asked.store;
  bool ended = false;
  {
    ProgressLine progress(search.name());
    search.estimate(progress.steps());
    const StopSignals signals;
    const auto told = [&progress](const SweepProgress& so_far, std::size_t of) {
      progress.set_steps(so_far.reused + so_far.simulated, of, "layouts simulated", so_far.failed);
    };
    ended = simulate_search(search, {store, asked.file, fs::path(asked.file).parent_path().string(),
                                     origin_of(asked, document, inputs, written), load,
                                     wishes_of_search(options, asked.plugins), told});
  }
  if (!ended) {
    std::cerr << "stopped; the same command goes on where this one was\n";
    return StopSignals::exit_code;
  }
  table.write(swept_csv(search));
  if (!table.is_standard_output()) print_found(search, asked, store, table.path());
  return success;
}

}  // namespace orrery::core
