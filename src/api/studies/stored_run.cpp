#include "api/studies/stored_run.hpp"

#include <algorithm>
#include <utility>

#include "api/experiment_state.hpp"
#include "report/stored/stored_results.hpp"
#include "study/run/exporters.hpp"

namespace orrery::core {

namespace {

std::vector<BusiestLinks> links_of(const Run::State& run) {
  if (!run.ended.result) return {};
  Warnings unheard;
  const std::vector<NamedRows> tables =
      tables_of({run.spec(), *run.ended.result, run.ended.summary, {}, unheard});
  const auto found = std::ranges::find(tables, "links.csv", &NamedRows::file);
  return found == tables.end() ? std::vector<BusiestLinks>()
                               : read_links_csv(csv_text(found->rows), found->file);
}

}  // namespace

StoredRun stored_run_of(const Run::State& run) {
  if (run.loaded) return run.loaded->runs()[run.number].stored;
  const Experiment& experiment = *run.experiment;
  const std::string text = experiment_json_head(experiment.name, experiment.origin) +
                           experiment_json_run(run.ended.json, true) + experiment_json_end();
  StoredRun stored = std::move(read_stored_runs(text, run.ended.summary.name).front());
  stored.summary.varied = run.ended.summary.varied;
  stored.links = links_of(run);
  stored.document = std::make_shared<const InputNode>(run.source->tree());
  // Where the experiment was put together in code, it is none of the files that were read.
  if (run.source->document)
    stored.origin.inputs.insert(stored.origin.inputs.begin(), InputFile{run.source->file, {}});
  return stored;
}

}  // namespace orrery::core
