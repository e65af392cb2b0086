// Shows what it takes to add a kind of something: a class or a value here, and a line where these are listed.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "network/carried_transport.hpp"
#include "program/graph_builder.hpp"
#include "study/run/exporters.hpp"
#include "study/run/run.hpp"
#include "study/workloads/whole_machine.hpp"
#include "support/cases.hpp"
#include "support/one_collective.hpp"

namespace orrery::core::test::extension_test {
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

// An option of the network: every message has twice its bytes. Nobody says what that does to symmetry.
class TwiceTheBytes final : public CarriedTransport {
 public:
  explicit TwiceTheBytes(std::unique_ptr<Transport> carrier) : CarriedTransport(std::move(carrier)) {}
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override {
    carrier().send_with(service, source, destination, bytes * 2, delivered);
  }
};
constexpr NetworkOptionKind twice_kind{
    .key = {.name = "twice-the-bytes", .fallback = "none", .meaning = "what it says"}};
class TwiceOption final : public NetworkOption {
 public:
  const NetworkOptionKind& kind() const override { return twice_kind; }
  std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology&, EventLoop&,
                                    bool) const override {
    return std::make_unique<TwiceTheBytes>(std::move(carrier));
  }
};

// A workload: every rank computes, then all add something up.
class OneSum final : public Workload {
 public:
  std::string work() const override { return "one sum"; }
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
  spec.network.model = model;
  return spec;
}

// An algorithm: everyone sends all it has to the member before it, once around.
const AlgorithmKind backward_algorithm{.name = "backward",
                                       .make = [](const PhaseRequest& request) -> Schedule {
                                         ExchangeSchedule schedule;
                                         schedule.kind = request.kind;
                                         schedule.steps = {{request.members - 1, request.input}};
                                         schedule.messages = request.members - 1;
                                         schedule.relayed = request.members - 1;
                                         return schedule;
                                       },
                                       .carries_all = true};

// An exporter: when each rank ends.
const Exporter ends_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return std::vector<std::string>{folder + "ends.csv"}; },
    .write =
        [](const RunOutput& run) {
          std::string text = "rank,end_ns\n";
          for (std::uint32_t rank = 0; rank < run.result.recording.classes.ranks(); ++rank)
            text += fmt::format("{},{}\n", rank, run.result.recording.finish_of(RankId(rank)).ns());
          write_file_atomically(run.folder + "ends.csv", text);
        }};

TEST(Extension, AnAlgorithmIsAValue) {
  RunSpec spec = ring_of_four(&analytical_model);
  spec.system.edit().algorithms.fill({{&backward_algorithm}});
  for (const auto& [word, model] : network_model_words) {
    if (model == &packet_model) continue;  // which needs a graph
    spec.network.model = model;
    Warnings warnings;
    const RunResult result = carry_out(spec, warnings);
    // Three messages of 4000 bytes over both links of 1 GB/s after 500 ns of compute.
    EXPECT_EQ(result.recording.end(), Time::from_ns(500 + 3 * (10 + 2000 + 100) + 10)) << word;
    EXPECT_EQ(result.recording.messages, 12u) << word;
  }
}

// A message of 4000 bytes takes 4000 ns instead of 2000. All ranks are simulated, because the kind does not
// say that they stay equal.
TEST(Extension, AnOptionOfTheNetworkIsAValue) {
  RunSpec spec = ring_of_four(&fluid_model);
  spec.system.edit().algorithms.fill({{&backward_algorithm}});
  for (const bool is_set : {false, true}) {
    if (is_set) spec.network.options = {std::make_shared<const TwiceOption>()};
    Warnings warnings;
    const Recording recording = carry_out(spec, warnings).recording;
    EXPECT_EQ(recording.end(), Time::from_ns(500 + 3 * (10 + (is_set ? 4000 : 2000) + 100) + 10));
    EXPECT_EQ(recording.folded, !is_set);
  }
}

TEST(Extension, AnExporterIsAValue) {
  const TemporaryFolder folder;
  Warnings warnings;
  const RunSpec spec = ring_of_four(&microsecond_model);
  const RunResult result = carry_out(spec, warnings);
  const Exporter* const exporters[] = {&ends_exporter, &links_exporter};
  write_reports({spec, result, spec.workload->summary(spec, result), folder.path().string() + "/", warnings},
                exporters);
  EXPECT_EQ(read_file_of_any_kind((folder.path() / "ends.csv").string()),
            "rank,end_ns\n0,6570\n1,6570\n2,6570\n3,6570\n");
  remove_reports(folder.path(), spec.name, exporters);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
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
  EXPECT_EQ(summary.time.compute, Time::from_ns(500));
  EXPECT_EQ(summary.network_model, "microsecond");
}

TEST(Extension, AWorkloadRunsOnEveryModelAndFolds) {
  for (const auto& [word, model] : network_model_words) {
    if (model == &packet_model) continue;  // which needs a graph
    Warnings warnings;
    const RunResult result = carry_out(ring_of_four(model), warnings);
    EXPECT_GT(result.recording.end(), Time::from_ns(500)) << word;
    EXPECT_EQ(result.recording.folded, !model->carries_collectives || model->make_folded) << word;
  }
}

}  // namespace
}  // namespace orrery::core::test::extension_test
