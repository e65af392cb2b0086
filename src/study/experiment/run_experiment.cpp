#include "orrery/experiment.hpp"

#include "report/summary/summary.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery {

using namespace core;

namespace {

Outcome outcome_of(const Summary& summary) {
  Outcome outcome{summary.name,
                  summary.npus,
                  summary.iterations,
                  summary.total.us(),
                  summary.time.compute.us(),
                  summary.time.bubble.us(),
                  summary.time.exposed.us(),
                  summary.time.idle.us(),
                  summary.time.update.us(),
                  {},
                  summary.network_cost,
                  summary.messages,
                  summary.rank_0_total.us()};
  for (const LayerSummary& layer : summary.layers) {
    outcome.layers.push_back({layer.name, layer.compute.us(), layer.communication.us(), layer.exposed.us()});
  }
  return outcome;
}

}  // namespace

std::vector<Outcome> run_experiment(const std::string& file, const std::vector<std::string>& overrides,
                                    std::vector<std::string>* warnings) {
  Warnings found;
  std::vector<Outcome> outcomes;
  const InputLog inputs(InputLog::Holds::paths);
  for (const RunSpec& spec : read_experiment(inputs.read(file), file, overrides, found, inputs).runs) {
    const RunResult result = carry_out(spec, found);
    outcomes.push_back(outcome_of(spec.workload->summary(spec, result)));
  }
  if (warnings) warnings->insert(warnings->end(), found.lines().begin(), found.lines().end());
  return outcomes;
}

}  // namespace orrery
