// Algorithms from files of MSCCL against closed forms and against the same algorithms of Orrery's.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/files/file.hpp"
#include "collective/algorithms/written/msccl_file.hpp"
#include "collective/algorithms/written/written_source.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/one_collective.hpp"
#include "support/source_dir.hpp"
#include "support/written_ring.hpp"

namespace orrery::core::test::written_algorithms_test {
namespace {

WrittenAlgorithm read(const std::string& text) {
  Warnings warnings;
  WrittenAlgorithm algorithm = read_msccl_file(text, "a.xml", warnings);
  EXPECT_TRUE(warnings.lines().empty());
  return algorithm;
}

constexpr double delay = 10, latency = 100, bytes_per_ns = 2;

Recording run(const WrittenAlgorithm& written, std::vector<Dimension> dimensions, Bytes size) {
  const WrittenFile file(written);
  const AlgorithmChoice choice{.algorithm = &msccl_algorithm, .whole_machine = true, .written = &file};
  return simulate_one(make_machine(std::move(dimensions), {choice}, native_dialect), written.kind, size);
}

Dimension ring_of(int n) {
  return make_dimension(Block::ring, n, 2, Bandwidth::from_gb_per_s(bytes_per_ns / 2), latency);
}

// docs/models/collectives.md, Closed forms.
TEST(WrittenAlgorithms, RingsTakeWhatTheClosedFormsSay) {
  constexpr double chunk = 4000, l = latency + chunk / bytes_per_ns;
  for (const int n : {2, 3, 4, 5, 8}) {
    const Bytes all(static_cast<std::uint64_t>(n) * 4000);
    EXPECT_EQ(run(read(written_ring("allreduce", n)), {ring_of(n)}, all).end(),
              Time::from_ns_rounded((2 * n - 1) * delay + 2 * (n - 1) * l))
        << n;
    EXPECT_EQ(run(read(written_ring("reducescatter", n)), {ring_of(n)}, all).end(),
              Time::from_ns_rounded(n * delay + (n - 1) * l))
        << n;
    EXPECT_EQ(run(read(written_ring("allgather", n)), {ring_of(n)}, Bytes(4000)).end(),
              Time::from_ns_rounded(n * delay + (n - 1) * l))
        << n;
  }
}

// As in MSCCL: limits are included, 0 and 2^64 - 1 are none, and an all-gather counts all members' parts.
TEST(WrittenAlgorithms, LimitsAreThoseOfMscclsRuntimes) {
  const auto runs = [](const std::string& coll, const std::string& limits, std::uint64_t bytes) {
    std::string text = written_ring(coll, 2);
    text.insert(text.find("<algo ") + 6, limits + " ");
    try {
      run(read(text), {ring_of(2)}, Bytes(bytes));
    } catch (const InputError&) {
      return false;
    }
    return true;
  };
  EXPECT_TRUE(runs("allreduce", "minBytes=\"4096\" maxBytes=\"8192\"", 8192));
  EXPECT_TRUE(runs("allreduce", "minBytes=\"4096\" maxBytes=\"8192\"", 4096));
  EXPECT_FALSE(runs("allreduce", "minBytes=\"4096\" maxBytes=\"8192\"", 8194));
  EXPECT_TRUE(runs("allreduce", "maxBytes=\"0\"", 1 << 20));
  EXPECT_TRUE(runs("allreduce", "maxBytes=\"18446744073709551615\"", 1 << 20));
  EXPECT_TRUE(runs("allgather", "minBytes=\"8192\" maxBytes=\"16384\"", 4096));
  EXPECT_FALSE(runs("allgather", "minBytes=\"4096\" maxBytes=\"8191\"", 4096));
  EXPECT_FALSE(runs("allreduce", "", 4097));  // no multiple of the chunks
}

// GPU 0 sums up three chunks, swaps the sum with the other host, and sends it to three; each message is a
// quarter.
TEST(WrittenAlgorithms, TwoStepsTakeWhatTheirMessagesTake) {
  const WrittenAlgorithm written = read(
      read_file_of_any_kind(std::string(source_dir()) + "/examples/algorithms/two-step-all-reduce-8.xml"));
  const Dimension inside =
      make_dimension(Block::fully_connected, 4, 3, Bandwidth::from_gb_per_s(bytes_per_ns), latency);
  const Recording recording = run(written, {inside, ring_of(2)}, Bytes(16000));
  constexpr double l = latency + 4000 / bytes_per_ns;
  EXPECT_EQ(recording.end(), Time::from_ns_rounded(8 * delay + 3 * l));
  EXPECT_EQ(recording.messages, 8U * (3 + 1 + 3));
}

const std::string head =
    "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 4 MiB } } ] }\n";
const std::string line =
    "network: [ { name: x, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns } ]\n";
const std::string graph =
    "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns }, levels: [ { size: 2 }, { "
    "size: 2 } ] }\n";

Time time_of(const std::string& text) {
  Warnings warnings;
  const Experiment experiment = read_experiment(text, "e.yaml", {}, warnings, [](const std::string& path) {
    return written_ring("allreduce", path == "two.xml" ? 2 : 4, path == "channels.xml" ? 3 : 1);
  });
  return carry_out(experiment.runs.at(0), warnings).recording.end();
}
std::string all_reduce(const std::string& algorithm) {
  return "system: { collectives: { all-reduce: " + algorithm + " } }\n";
}

TEST(WrittenAlgorithms, RingsTakeAsLongAsOrrerysOnEveryNetwork) {
  for (const std::string& network :
       {line, line + "network-model: link\n", line + "network-model: fluid\n", graph})
    EXPECT_EQ(time_of(head + network + all_reduce("{ algorithm: msccl, file: four.xml, span: machine }")),
              time_of(head + network + all_reduce("{ algorithm: ring, span: machine }")))
        << network;
}

// Three rings with a third of the bytes each carry as much over every link as one ring, and hide the
// latencies of each other's steps: six of 500 ns, and delays of 10 ns. The bytes are a multiple of their
// twelve chunks.
TEST(WrittenAlgorithms, ChannelsShareLinks) {
  const std::string of_twelve =
      "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 6 MiB } } ] }\n";
  for (const std::string& network : {line, line + "network-model: fluid\n", graph}) {
    const double one = time_of(of_twelve + network + all_reduce("{ algorithm: ring, span: machine }")).ns();
    const double three =
        time_of(of_twelve + network + all_reduce("{ algorithm: msccl, file: channels.xml, span: machine }"))
            .ns();
    EXPECT_LT(three, one) << network;
    EXPECT_GT(three, one - 6 * (2 * 4 * 500 + 10)) << network;
  }
}

// Each algorithm of a list runs in its dimension. The one of the second dimension is an all-reduce.
TEST(WrittenAlgorithms, RunInOneDimension) {
  const std::string two =
      "network:\n  - { name: x, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns }\n"
      "  - { name: y, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns }\n";
  EXPECT_EQ(time_of(head + two + all_reduce("[ ring, \"msccl:two.xml\" ]")),
            time_of(head + two + all_reduce("[ ring, ring ]")));
}

// Phases and groups that the file is not for are run by the other algorithm.
TEST(WrittenAlgorithms, LeaveTheRestToAnother) {
  const std::string two =
      "network:\n  - { name: x, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns }\n"
      "  - { name: y, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns }\n";
  EXPECT_EQ(time_of(head + two + all_reduce("{ algorithm: msccl, file: two.xml, otherwise: direct }")),
            time_of(head + two + all_reduce("[ direct, ring ]")));
}

}  // namespace
}  // namespace orrery::core::test::written_algorithms_test
