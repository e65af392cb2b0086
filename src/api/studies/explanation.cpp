#include "orrery/explanation.hpp"

#include <nlohmann/json.hpp>

#include "api/studies/findings_state.hpp"
#include "api/studies/repeated_run.hpp"
#include "study/explain/run_explanation.hpp"

namespace orrery {

Result<Findings> explain(const Run& run, const StudyOptions& options) {
  if (run.problem()) return *run.problem();
  return core::found_by([&] {
    core::Warnings warnings;
    const auto record_all = [](core::RunSpec& spec) { spec.every_class = true; };
    const core::RepeatedRun repeated = core::repeat(run, options, warnings, record_all);
    const core::RunExplanation explained(repeated.spec, repeated.result);
    return core::findings_of(explained.tables(), explained.json(), explained.text(true), warnings);
  });
}

}  // namespace orrery
