// What it takes to add a kind of something: a class or a value here, and a line where these are listed.
#include <gtest/gtest.h>

#include <algorithm>

#include "program/graph_builder.hpp"
#include "study/run.hpp"
#include "study/workloads/whole_machine.hpp"
#include "support/one_collective.hpp"

namespace orrery::test::extension_test {
namespace {

// A network model: every message takes a microsecond, whatever its size and its way.
class Carrier final : public Transport {
 public:
  explicit Carrier(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override {
    loop_.after(loop_.clock().span(Time::from_ns(1000)), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};
const NetworkModelKind microsecond_model{
    .name = "microsecond",
    .carries_collectives = true,
    .make = [](const TransportMachine&, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<Carrier>(loop);
    }};

// A workload: every rank computes, then all add something up.
class OneSum final : public Workload {
 public:
  RunKind kind(const RunSpec&) const override { return RunKind::collectives; }
  std::size_t size() const override { return 1; }
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override {
    result.machine = machine_of(spec, warnings);
    GraphBuilder graph({"sum"});
    graph.append({.kind = OperationKind::compute, .layer = 0, .duration = Time::from_ns(500)});
    graph.wait_for(
        graph.beside({.kind = OperationKind::collective,
                      .layer = 0,
                      .collective = {CollectiveKind::all_reduce, Bytes(4000), DimensionSet().set()}}));
    graph.end_iteration(0);
    result.program = whole_machine_program(graph.end(), *spec.topology, {});
  }
};

RunSpec ring_of_four(NetworkModel model) {
  const Machine machine = make_machine({make_dimension(Block::ring, 4, 2, Bandwidth::from_gb_per_s(1), 100)},
                                       {AlgorithmChoice{}}, native_dialect);
  RunSpec spec;
  spec.name = "run";
  spec.dialect = native_dialect;
  spec.workload = std::make_shared<const OneSum>();
  spec.topology = machine.topology;
  spec.system = machine.system;
  spec.network_model = model;
  return spec;
}

TEST(Extension, ANetworkModelIsAValueAndAWorkloadIsAClass) {
  Warnings warnings;
  const RunSpec spec = ring_of_four(&microsecond_model);
  const RunResult result = carry_out(spec, warnings);
  // Behind the compute, six messages one after the other, with an endpoint delay before each and after the
  // last.
  EXPECT_EQ(result.recording.end(), Time::from_ns(500 + 6 * (10 + 1000) + 10));
  EXPECT_EQ(result.recording.messages, 24u);
  const Summary summary = spec.workload->summary(spec, result);
  EXPECT_EQ(summary.compute, Time::from_ns(500));
  EXPECT_EQ(summary.network_model->name, "microsecond");
}

TEST(Extension, AWorkloadRunsOnEveryModelAndFolds) {
  for (const auto& [word, model] : network_model_words) {
    Warnings warnings;
    const RunResult result = carry_out(ring_of_four(model), warnings);
    EXPECT_GT(result.recording.end(), Time::from_ns(500)) << word;
    EXPECT_EQ(result.recording.folded, !model->carries_collectives) << word;
  }
}

}  // namespace
}  // namespace orrery::test::extension_test
