// A training loop written as a trace, read and simulated gives what the loop itself gives, on random runs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/summary/summary.hpp"
#include "study/run/run.hpp"
#include "study/workloads/layer_table/recorded_workload.hpp"
#include "support/random_run.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::test::recorded_graph_test {
namespace {

class RecordedGraph : public testing::TestWithParam<Dialect> {};

std::string results(const RunSpec& spec, const RunResult& run) {
  return to_json(summarize(spec.name, spec.passes, run.program, run.machine, run.recording,
                           breakdown_of(run.program, run.recording)))
      .dump(1);
}

TEST_P(RecordedGraph, GivesTheResultOfItsLoop) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RunSpec spec = random_run(seed, GetParam());
    Warnings warnings;
    const RunResult run = carry_out(spec, warnings);
    const chakra::Trace trace =
        chakra::trace_of({run.program.parts[0].graph, spec.passes,
                          static_cast<int>(run.program.communicators[0].dimensions.size()), run.split, ""});
    RunSpec again = spec;
    again.compute_scale = again.comm_scale = 1;
    again.workload = std::make_shared<const RecordedWorkload>(
        chakra::recorded_graph(chakra::read_trace(chakra::write_trace(trace), "trace"), "trace"));
    EXPECT_EQ(again.workload->passes(), spec.passes);
    const RunResult reread = carry_out(again, warnings);
    ASSERT_EQ(results(again, reread), results(spec, run)) << describe(spec);
    ASSERT_EQ(reread.recording.phases_of(0)->completed, run.recording.phases_of(0)->completed)
        << describe(spec);
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, RecordedGraph, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

}  // namespace
}  // namespace orrery::core::test::recorded_graph_test
