// The files that ns-3's back end writes when its config.txt names them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "base/file.hpp"
#include "support/cases.hpp"
#include "support/packet_runs.hpp"

namespace orrery::test::ns3_outputs_test {
namespace {

class Ns3Outputs : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  std::string text(const std::string& name) const { return read_text_file(path(name)); }
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

// Files that are named hold nothing when nothing happens, and others are not written.
TEST_F(Ns3Outputs, AreWrittenWhenTheyAreNamed) {
  run(ns3_star(2), {"0 1 3 100 1000 0"},
      "PFC_OUTPUT_FILE " + path("pfc.txt") + " QLEN_MON_FILE " + path("qlen.txt") + "\n");
  EXPECT_EQ(text("pfc.txt"), "");
  EXPECT_EQ(text("qlen.txt"), "");
  EXPECT_EQ(files_below(scratch_.path()).size(), 5u);  // the inputs and these
}

}  // namespace
}  // namespace orrery::test::ns3_outputs_test
