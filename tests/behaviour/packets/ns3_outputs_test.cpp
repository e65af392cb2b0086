// The files that ns-3's back end writes when its config.txt names them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::ns3_outputs_test {
namespace {

class Ns3Outputs : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  std::string text(const std::string& name) const { return read_file_of_any_kind(path(name)); }
  // Flows are as in a flow file without its number of flows.
  void run(const std::string& topology, const std::vector<std::string>& flows, const std::string& config) {
    std::string list = fmt::format("{}\n", flows.size());
    for (const std::string& flow : flows) list += flow + '\n';
    write_file_atomically(path("topology.txt"), topology);
    write_file_atomically(path("flow.txt"), list);
    write_file_atomically(path("config.txt"), config);
    const Outcome outcome =
        call_orrery({"flows", "--topology=" + path("topology.txt"), "--flows=" + path("flow.txt"),
                     "--config=" + path("config.txt"), "--network-model=packet"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  }

  TemporaryFolder scratch_;
};

const std::string plain = "CC_MODE 12 HAS_WIN 0\n";

// 83 ns for each of 1000 packets and 4174 - 83 ns on the way there and back, as ns-3's back end says. Alone
// it would take a round trip of 4160 ns and all bytes with 48 per packet at 100 Gbit/s. The second flow of
// the pair has the next port, and host 1 another address than host 0.
TEST_F(Ns3Outputs, CompletionsAreALinePerFlow) {
  run(ns3_star(2), {"0 1 3 100 1000000 0.000001000", "0 1 3 100 1000 0.001", "1 0 3 100 1 0.002"},
      "FCT_OUTPUT_FILE " + path("fct.txt") + " CC_MODE 12\n");
  EXPECT_EQ(text("fct.txt"),
            "0b000001 0b000101 10000 100 1000000 1000 87091 88000\n"
            "0b000001 0b000101 10001 100 1000 1000000 4174 4243\n"
            "0b000101 0b000001 10000 100 1 2000000 4014 4163\n");
}

// The first pauses are those of ns-3's back end for the same flows. Hosts are of type 0.
TEST_F(Ns3Outputs, PausesStandWhereTheyAreObeyed) {
  std::vector<std::string> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(fmt::format("{} 7 3 100 5000000 0", sender));
  run(ns3_star(8), flows, plain + "BUFFER_SIZE 1 PFC_OUTPUT_FILE " + path("pfc.txt") + "\n");
  const std::string pauses = text("pfc.txt");
  const std::string first =
      "6899 2 0 1 1\n6899 3 0 1 1\n6899 4 0 1 1\n6899 5 0 1 1\n6899 6 0 1 1\n6982 0 0 1 1\n6982 1 0 1 1\n"
      "22586 2 0 1 0\n22669 3 0 1 0\n";
  EXPECT_EQ(pauses.substr(0, first.size()), first);
  // 867 pauses, and each ends.
  EXPECT_EQ(std::ranges::count(pauses, '\n'), 2 * 867);
}

// Two hosts send a packet of 1036 bytes each in every 83 ns, and one of both goes on; the third port of the
// switch is that of host 2.
TEST_F(Ns3Outputs, QueuesAreLookedAtEvery100Ns) {
  constexpr int packets = 200, packet_ns = 83, first_ns = 1083, from_ns = 4000;
  run(ns3_star(3), {"0 2 3 100 200000 0", "1 2 3 100 200000 0"},
      plain + fmt::format("QLEN_MON_FILE {} QLEN_MON_START {}\n", path("qlen.txt"), from_ns));
  std::istringstream lines(text("qlen.txt"));
  std::string line;
  for (int at = from_ns; at < first_ns + packets * packet_ns; at += 100) {
    ASSERT_TRUE(std::getline(lines, line));
    const int waiting = (at - first_ns - 1) / packet_ns + 1;
    EXPECT_EQ(line, fmt::format("time {} 3 j 3 {}", at, waiting * 1036));
  }
}

// Numbers are written with the lowest byte first.
std::uint64_t number_at(const std::string& bytes, std::size_t place, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes.at(place + i));
  return number;
}

// A packet of 1036 bytes takes 83 ns on a link of 1 us, and its acknowledgement of 48 bytes 4 ns.
TEST_F(Ns3Outputs, TheTraceHasARecordPerEvent) {
  write_file_atomically(path("nodes.txt"), "3\n0 2 1\n");
  run(ns3_star(2), {"0 1 3 100 1000 0"},
      plain + fmt::format("ENABLE_TRACE 1 TRACE_FILE {} TRACE_OUTPUT_FILE {}\n", path("nodes.txt"),
                          path("trace.bin")));
  const std::string trace = text("trace.bin");
  constexpr std::size_t head = 4 + 4 * 11 + 4, record = 56;
  ASSERT_EQ(trace.size(), head + 10 * record);
  EXPECT_EQ(number_at(trace, 0, 4), 4u);  // ports, the last of which is the second one of the switch
  EXPECT_EQ(number_at(trace, 4 + 3 * 11, 2), 2u);
  EXPECT_EQ(number_at(trace, 4 + 3 * 11 + 2, 1), 2u);
  EXPECT_EQ(number_at(trace, 4 + 3 * 11 + 3, 8), 100'000'000'000u);
  EXPECT_EQ(number_at(trace, head - 4, 4), 52'000u);  // the window: 4160 ns at 100 Gbit/s
  struct Event {
    std::uint64_t ns, node, port, queue_bytes, bytes, protocol, what, node_type;
  };
  constexpr std::uint64_t data = 0x11, ack = 0xfc, received = 0, queued = 1, sent = 2;
  constexpr Event events[] = {
      {0, 0, 1, 0, 1036, data, sent, 0},         {1083, 2, 1, 0, 1036, data, received, 1},
      {1083, 2, 2, 1036, 1036, data, queued, 1}, {1083, 2, 2, 0, 1036, data, sent, 1},
      {2166, 1, 1, 0, 1036, data, received, 0},  {2166, 1, 1, 0, 48, ack, sent, 0},
      {3170, 2, 2, 0, 48, ack, received, 1},     {3170, 2, 1, 48, 48, ack, queued, 1},
      {3170, 2, 1, 0, 48, ack, sent, 1},         {4174, 0, 1, 0, 48, ack, received, 0}};
  for (std::size_t i = 0; i < std::size(events); ++i) {
    const std::string of = trace.substr(head + i * record, record);
    const Event& event = events[i];
    EXPECT_EQ(number_at(of, 0, 8), event.ns) << i;
    EXPECT_EQ(number_at(of, 8, 2), event.node) << i;
    EXPECT_EQ(number_at(of, 10, 1), event.port) << i;
    EXPECT_EQ(number_at(of, 11, 1), 3u) << i;  // the priority
    EXPECT_EQ(number_at(of, 12, 4), event.queue_bytes) << i;
    const bool is_data = event.protocol == data;
    EXPECT_EQ(number_at(of, 16, 4), is_data ? 0x0b000001u : 0x0b000101u) << i;
    EXPECT_EQ(number_at(of, 20, 4), is_data ? 0x0b000101u : 0x0b000001u) << i;
    EXPECT_EQ(number_at(of, 24, 2), event.bytes) << i;
    EXPECT_EQ(number_at(of, 26, 1), event.protocol) << i;
    EXPECT_EQ(number_at(of, 27, 1), event.what) << i;
    EXPECT_EQ(number_at(of, 29, 1), event.node_type) << i;
    EXPECT_EQ(number_at(of, 32, 2), is_data ? 10'000u : 100u) << i;  // ports of the flow
    EXPECT_EQ(number_at(of, 34, 2), is_data ? 100u : 10'000u) << i;
    EXPECT_EQ(number_at(of, is_data ? 36 : 40, 4), is_data ? 0u : 1000u) << i;  // the sequence
    if (is_data) {
      EXPECT_EQ(number_at(of, 50, 2), 1000u) << i;  // the payload
    }
  }
}

// Only what happens at the listed nodes is traced, and the run is the same.
TEST_F(Ns3Outputs, TheTraceHasListedNodesAlone) {
  write_file_atomically(path("nodes.txt"), "1 3");
  const std::vector<std::string> flows{"0 2 3 100 200000 0", "1 2 3 100 200000 0"};
  run(ns3_star(3), flows, plain + "FCT_OUTPUT_FILE " + path("fct.txt"));
  const std::string completions = text("fct.txt");
  run(ns3_star(3), flows,
      plain + fmt::format("ENABLE_TRACE 1 TRACE_FILE {} TRACE_OUTPUT_FILE {} FCT_OUTPUT_FILE {}\n",
                          path("nodes.txt"), path("trace.bin"), path("fct.txt")));
  EXPECT_EQ(text("fct.txt"), completions);
  const std::string trace = text("trace.bin");
  constexpr std::size_t head = 4 + 6 * 11 + 4, record = 56;
  // The switch receives 400 packets and as many acknowledgements, and each goes into a queue and out of it.
  ASSERT_EQ(trace.size(), head + std::size_t{800} * 3 * record);
  for (std::size_t i = head; i < trace.size(); i += record) EXPECT_EQ(number_at(trace, i + 8, 2), 3u);
}

// Switches mark data, which the trace says of data alone.
TEST_F(Ns3Outputs, TheTraceSaysWhichDataIsMarked) {
  write_file_atomically(path("nodes.txt"), "1 2");
  run(ns3_star(3), {"0 2 3 100 400000 0", "1 2 3 100 400000 0"},
      "CC_MODE 1 ENABLE_QCN 1 HAS_WIN 0 KMIN_MAP 1 100000000000 10 KMAX_MAP 1 100000000000 20 PMAX_MAP 1 "
      "100000000000 "
      "1.0 " +
          fmt::format("ENABLE_TRACE 1 TRACE_FILE {} TRACE_OUTPUT_FILE {}\n", path("nodes.txt"),
                      path("trace.bin")));
  const std::string trace = text("trace.bin");
  constexpr std::size_t head = 4 + 6 * 11 + 4, record = 56, protocol = 26, mark = 28;
  constexpr std::uint64_t data = 0x11, congestion_experienced = 3;
  std::size_t marked = 0, others = 0;
  for (std::size_t i = head; i < trace.size(); i += record) {
    const std::uint64_t of_record = number_at(trace, i + mark, 1);
    const bool is_data = number_at(trace, i + protocol, 1) == data;
    EXPECT_TRUE(of_record == 0 || (is_data && of_record == congestion_experienced)) << i;
    (of_record == 0 ? others : marked) += is_data ? 1 : 0;
  }
  EXPECT_GT(marked, 50u);
  EXPECT_GT(others, 5u);
}

// Files that are named hold nothing when nothing happens, and others are not written.
TEST_F(Ns3Outputs, AreWrittenWhenTheyAreNamed) {
  run(ns3_star(2), {"0 1 3 100 1000 0"},
      "PFC_OUTPUT_FILE " + path("pfc.txt") + " QLEN_MON_FILE " + path("qlen.txt") + "\n");
  EXPECT_EQ(text("pfc.txt"), "");
  EXPECT_EQ(text("qlen.txt"), "");
  EXPECT_EQ(files_below(scratch_.path()).size(), 5u);  // the inputs and these
}

}  // namespace
}  // namespace orrery::core::test::ns3_outputs_test
