#include "study/astra2/trace_loader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <tuple>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/chakra_bytes.hpp"

namespace orrery::core::trace_loader_test {
namespace {

using namespace test;

class TraceLoaderThreads : public testing::Test {
 protected:
  static constexpr int ranks = 40;

  // Ranks of the same `kind` have equal traces.
  std::string content(int kind) const {
    std::string nodes;
    for (std::uint64_t id = 0; id < 50; ++id)
      nodes += record(number_field(1, id) + number_field(3, 4) +
                      number_field(7, 1000 + static_cast<std::uint64_t>(kind)));
    return trace_bytes(nodes);
  }
  std::string path(int rank) const {
    return (folder.path() / ("t." + std::to_string(rank) + ".et")).string();
  }
  void write(int rank, const std::string& bytes) const { write_file_atomically(path(rank), bytes); }
  void SetUp() override {
    for (int rank = 0; rank < ranks; ++rank) write(rank, content(rank % 7));
  }

  // The duration of each rank's nodes, which rank's graph it shares, and the error.
  using Loaded = std::tuple<std::vector<std::uint64_t>, std::vector<std::size_t>, std::string>;
  Loaded load(int threads) const {
    std::vector<std::string> paths;
    for (int rank = 0; rank < ranks; ++rank) paths.push_back(path(rank));
    Loaded loaded;
    auto& [durations, first, error] = loaded;
    std::vector<SharedTraceGraph> graphs;
    try {
      load_traces(paths, threads,
                  [&, &durations = durations](std::size_t rank, const SharedTraceGraph& graph) {
                    EXPECT_EQ(rank, graphs.size());
                    graphs.push_back(graph);
                    durations.push_back(graph->nodes[0].duration_us);
                  });
    } catch (const InputError& refused) {
      error = refused.what();
    }
    for (const SharedTraceGraph& graph : graphs)
      first.push_back(static_cast<std::size_t>(std::ranges::find(graphs, graph) - graphs.begin()));
    return loaded;
  }
  // The same with any number of threads.
  Loaded load_any_route() const {
    Loaded alone = load(1);
    for (const int threads : {2, 3, 16}) EXPECT_EQ(load(threads), alone) << threads << " threads";
    return alone;
  }

  const TemporaryFolder folder;
};

TEST_F(TraceLoaderThreads, GraphsThatDifferInTimesShareTheirEdges) {
  write(3, trace_bytes(record(number_field(1, 7) + number_field(3, 4))));
  std::vector<SharedTraceGraph> graphs;
  load_traces({path(0), path(1), path(2), path(3), path(7)}, 2,
              [&](std::size_t, const SharedTraceGraph& graph) { graphs.push_back(graph); });
  EXPECT_NE(graphs[0], graphs[1]);
  EXPECT_EQ(graphs[0]->parents, graphs[1]->parents);
  EXPECT_EQ(graphs[0]->parents, graphs[2]->parents);
  EXPECT_NE(graphs[0]->parents, graphs[3]->parents);
  EXPECT_EQ(graphs[0], graphs[4]);
}

// Progress over several files counts files, and progress over a single file counts its megabytes.
TEST_F(TraceLoaderThreads, TellHowFarTheyAre) {
  std::vector<std::string> told;
  const auto tell = [&](std::size_t done, std::size_t of, std::string_view what) {
    told.push_back(std::to_string(done) + "/" + std::to_string(of) + " " + std::string(what));
  };
  const auto ignore = [](std::size_t, const SharedTraceGraph&) {};
  load_traces({path(0), path(1)}, 2, ignore, tell);
  EXPECT_EQ(told, (std::vector<std::string>{"1/2 traces read", "2/2 traces read"}));
  told.clear();
  std::string nodes;
  for (std::uint64_t id = 0; nodes.size() < 2'500'000; ++id)
    nodes += record(number_field(1, id) + number_field(3, 4) + number_field(7, 1));
  write(0, trace_bytes(nodes));
  load_traces({path(0)}, 2, ignore, tell);
  ASSERT_GT(told.size(), 2u);
  EXPECT_EQ(told.front(), "0/2 MB read");
  EXPECT_EQ(told.back(), "2/2 MB read");
}

TEST_F(TraceLoaderThreads, GiveTheSameOnAnyNumberAndShareEqualFiles) {
  const auto [durations, first, error] = load_any_route();
  EXPECT_EQ(error, "");
  ASSERT_EQ(durations.size(), std::size_t{ranks});
  for (std::size_t rank = 0; rank < durations.size(); ++rank) {
    EXPECT_EQ(durations[rank], 1000 + rank % 7);
    EXPECT_EQ(first[rank], rank % 7);
  }
}

// The later file is wrong in its first record, the earlier one in its last.
TEST_F(TraceLoaderThreads, ReportTheErrorOfTheLowestRank) {
  write(30, "");
  write(11, content(4) + "\x05");
  std::filesystem::remove(path(12));
  const auto [durations, first, error] = load_any_route();
  EXPECT_EQ(durations.size(), 11u);
  EXPECT_EQ(error.rfind(path(11) + ": error: byte ", 0), 0u) << error;
}

TEST_F(TraceLoaderThreads, SayWhichFileCannotBeRead) {
  std::filesystem::remove(path(12));
  EXPECT_EQ(std::get<2>(load_any_route()).rfind(path(12) + ": error: cannot open file: ", 0), 0u);
  std::filesystem::create_directory(path(12));
  EXPECT_EQ(std::get<2>(load_any_route()).rfind(path(12) + ": error: cannot read file: ", 0), 0u);
}

TEST_F(TraceLoaderThreads, CompareFilesByteByByte) {
  write(0, std::string(200'000, 'x'));
  write(1, std::string(200'000, 'x'));
  EXPECT_TRUE(are_equal_files(path(0), path(1)));
  for (const std::size_t size : {0u, 199'999u, 200'001u, 65'536u}) {
    write(1, std::string(size, 'x'));
    EXPECT_FALSE(are_equal_files(path(0), path(1))) << size;
  }
  for (const std::size_t at : {0u, 65'535u, 65'536u, 199'999u}) {
    std::string other(200'000, 'x');
    other[at] = 'y';
    write(1, other);
    EXPECT_FALSE(are_equal_files(path(0), path(1))) << at;
  }
  write(0, "");
  write(1, "");
  EXPECT_TRUE(are_equal_files(path(0), path(1)));
}

}  // namespace
}  // namespace orrery::core::trace_loader_test
