// This is the example in docs/models/reports.md, EndToEnd.csv, as one of several runs in a folder.
#include "report/astra1/astra1_reports.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include "support/whole_machine.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "workload/astra1/training_loops.hpp"

namespace orrery::core::astra1_reports_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

// fwd 100, hop, wg 300 -> 401, all-reduce issued; hop; it completes at 1758.
class Astra1Reports : public testing::Test {
 protected:
  Astra1Reports() {
    LayerTable table;
    table.layers.push_back({"only",
                            {ns(100), {}, false, {}},
                            {},
                            {ns(300), CollectiveKind::all_reduce, false, Bytes(8)},
                            ns(7),
                            {},
                            {}});
    graph = training_graph(table, {}, 1, astra_sim_1_dialect, {});
    const std::int64_t starts_and_ends[][2] = {{0, 0},      {0, 100},   {100, 101}, {101, 401},
                                               {401, 1758}, {401, 401}, {401, 402}, {1758, 1758}};
    for (const auto& [start, end] : starts_and_ends) operations.push_back({ns(start), ns(end)});
    const RankClasses one = RankClasses::all_distinct(1);
    recording.set_ranks(one, RankParts(one), {ns(1758)}, {operations});
    PhaseRecords records;
    records.payload = {Bytes(65536)};
    records.logical_dimensions = 1;
    recording.parts[0].collectives = records;
    machine.topology.dimensions.resize(1);
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = testing::TempDir() + "orrery_" + test + std::to_string(getpid()) + "/";
    std::filesystem::create_directory(folder);
  }
  ~Astra1Reports() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, int row, int total = 3) const {
    Warnings warnings;
    const FolderLock lock(folder, FolderLock::WhenTaken::wait);
    write_astra1_reports(test::on_all_ranks(graph, machine.topology), machine, recording,
                         {folder, name, total, row}, warnings);
  }
  std::string file(const std::string& name) const { return read_file_of_any_kind(folder + name); }
  std::string line(const std::string& name, std::size_t number) const {
    std::string text = file(name);
    for (; number > 0; --number) text.erase(0, text.find('\n') + 1);
    return text.substr(0, text.find('\n'));
  }

  ExecutionGraph graph;
  Machine machine;
  Recording recording;
  std::vector<Interval> operations;
  std::string folder;
};

TEST_F(Astra1Reports, PrintTheSpecsExample) {
  ASSERT_EQ(graph.size(), operations.size());
  write("one", 0, 1);
  EXPECT_EQ(file("tutorial_result.csv"),
            "Name,TotalTime(us),ComputeTime(us),ExposedCommunicationTime(us),TotalMessageSize(MB)\n"
            "one,1.758000,0.400000,1.358000,0.062500\n");
  const std::string commas(36, ',');
  EXPECT_EQ(line("EndToEnd.csv", 0),
            ",,fwd compute,wg compute,ig compute,fwd exposed comm,wg exposed comm,"
            "ig exposed comm,fwd total comm,wg total comm,ig total comm,workload finished at,"
            "total comp,total exposed comm" +
                commas);
  EXPECT_EQ(line("EndToEnd.csv", 1),
            "only,one,0.100000,0.300000,0.000000,0.000000,1.356000,0.000000,0.000000,"
            "1.357000,0.000000,1.758000,0.400000,1.358000" +
                commas);
  EXPECT_EQ(file("one_dimension_utilization.csv"), " time (us) ,dim1 util,\n,\n");
  EXPECT_EQ(line("backend_dim_info.csv", 1), "one,0,-nan");
  EXPECT_EQ(line("backend_end_to_end.csv", 1),
            "one,1.758000,0.400000,1.358000,0.000000,0.062500,1.356000,0.002000,0.062500,-1,-1,-1,-1,-1,-1");
}

TEST_F(Astra1Reports, EachRunHasItsLinksAlsoWhereFilesAreShared) {
  recording.links = {{"npu0", "npu1", 0, 4, {Bytes(24), 3}, ns(1758)}};
  const std::string expected = "from,to,dimension,links,busy_ns,utilization,bytes,messages\nnpu0,npu1,";
  write("one", 0, 1);
  EXPECT_EQ(file("links.csv").substr(0, expected.size()), expected);
  EXPECT_NE(file("links.csv").find(",4,1758,1.000000,24,3\n"), std::string::npos);
  write("first", 0, 2);
  write("second", 1, 2);
  EXPECT_EQ(file("first_links.csv"), file("links.csv"));
  EXPECT_EQ(file("second_links.csv"), file("links.csv"));
}

TEST_F(Astra1Reports, GridsHaveTheirSizes) {
  write("one", 0, 2);
  const auto lines = [&](const char* name) {
    const std::string text = file(name);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("EndToEnd.csv"), 22);  // 1 layer * 2 + 20
  EXPECT_EQ(lines("detailed.csv"), 22);
  EXPECT_EQ(lines("tutorial_result.csv"), 3);
  EXPECT_EQ(lines("backend_end_to_end.csv"), 3);
  EXPECT_EQ(lines("backend_dim_info.csv"), 21);
}

TEST_F(Astra1Reports, WithoutSeparateLogExposedIsTheSumOfTheLayers) {
  machine.system.separate_log = false;
  write("one", 0, 1);
  EXPECT_EQ(line("tutorial_result.csv", 1), "one,1.758000,0.400000,1.356000,0.062500");
  EXPECT_FALSE(std::filesystem::exists(folder + "EndToEnd.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder + "detailed.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder + "one_dimension_utilization.csv"));
}

TEST_F(Astra1Reports, RunsShareFilesRowByRow) {
  write("first", 0);
  write("third", 2);
  EXPECT_EQ(line("tutorial_result.csv", 1).substr(0, 6), "first,");
  EXPECT_EQ(line("tutorial_result.csv", 2), ",,,,");
  EXPECT_EQ(line("tutorial_result.csv", 3).substr(0, 6), "third,");
  EXPECT_EQ(line("EndToEnd.csv", 3).substr(0, 16), ",third,0.100000,");  // only row 0 names layers
  EXPECT_EQ(line("backend_dim_info.csv", 21), "third,0,-nan");
}

TEST_F(Astra1Reports, ARepeatedRunReplacesItsRow) {
  write("first", 0);
  write("second", 1);
  recording.ranks[0].finish = ns(2000);
  write("again", 1);
  EXPECT_EQ(line("tutorial_result.csv", 2), "again,2.000000,0.400000,1.600000,0.062500");
  EXPECT_EQ(line("backend_end_to_end.csv", 2).substr(0, 15), "again,2.000000,");
  EXPECT_EQ(line("EndToEnd.csv", 2).substr(0, 16), ",again,0.100000,");
  EXPECT_EQ(line("detailed.csv", 2).substr(0, 7), ",again,");
  EXPECT_EQ(line("backend_dim_info.csv", 11), "again,0,-nan");
  EXPECT_EQ(line("tutorial_result.csv", 1), "first,1.758000,0.400000,1.358000,0.062500");
}

TEST_F(Astra1Reports, ThreadsThatAddRowsKeepEachOthers) {
  constexpr int rows = 5;
  const auto name = [](int row) { return "row" + std::to_string(row); };
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    write(name(0), 0, rows);
    {
      std::vector<std::jthread> threads;
      for (int row = 1; row < rows; ++row) threads.emplace_back([&, row] { write(name(row), row, rows); });
    }
    for (int row = 0; row < rows; ++row) {
      const auto number = static_cast<std::size_t>(row) + 1;
      EXPECT_EQ(line("tutorial_result.csv", number).substr(0, 5), name(row) + ",");
      EXPECT_EQ(line("backend_end_to_end.csv", number).substr(0, 5), name(row) + ",");
      EXPECT_NE(line("EndToEnd.csv", number).find(name(row) + ","), std::string::npos);
    }
  }
}

TEST_F(Astra1Reports, RefuseMoreLayersThanRow0MadeRoomFor) {
  write("first", 0, 2);
  for (int i = 0; i < 11; ++i) graph.layer_names.push_back("more");  // 12 layers, the last on line 24 of 22
  EXPECT_THROW(write("second", 1, 2), InputError);
}

TEST_F(Astra1Reports, LeaveOutAUtilizationFileOfMoreThanTenMillionLines) {
  recording.ranks[0].operations.back() = {ns(1758), ns(200'000'000'000)};
  recording.ranks[0].finish = ns(200'000'000'000);  // 200 s in windows of 10 us
  Warnings warnings;
  write_astra1_reports(test::on_all_ranks(graph, machine.topology), machine, recording,
                       {folder, "long", 1, 0}, warnings);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_NE(warnings.lines()[0].find("long_dimension_utilization.csv: warning: left out: 200 s"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder + "long_dimension_utilization.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder + "tutorial_result.csv"));
}

}  // namespace
}  // namespace orrery::core::astra1_reports_test
