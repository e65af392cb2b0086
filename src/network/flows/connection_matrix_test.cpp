#include "network/flows/connection_matrix.hpp"

#include <gtest/gtest.h>

#include "network/flows/flow_file.hpp"

namespace orrery {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_flow_file(text, "flows.cm");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ConnectionMatrix, HasFlowsAndTriggersBetweenThem) {
  const std::vector<Flow> flows = read_flow_file(
      "Nodes 4\nConnections 3\nTriggers 1\n"
      "0->1 id 1 start 2000 size 10 send_done_trigger 7\n"
      "2->3 id 2 start 0 size 20 prio 2 send_done_trigger 7\n"
      "1->2 id 3 trigger 7 size 30\n"
      "trigger id 7 barrier count 2\n",
      "flows.cm");
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[0].start, Time::from_ns(2));
  EXPECT_EQ(flows[1].priority, 2);
  EXPECT_EQ(flows[2].source, 1);
  EXPECT_EQ(flows[2].destination, 2);
  EXPECT_EQ(flows[2].bytes, Bytes(30));
  EXPECT_EQ(flows[2].after, (std::vector<std::uint32_t>{0, 1}));
}

TEST(ConnectionMatrix, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("Nodes 2\nConnections 1\n0->5 id 1 start 0 size 1\n"),
            "flows.cm:3:1: error: `5` is no number of `destination`, which is whole and at most 1");
  EXPECT_EQ(
      error_of("Nodes 2\nConnections 2\n0->1 id 1 start 0 size 1\n"),
      "flows.cm: error: the matrix says that it has 2 connections, and there are 1: correct their number");
  EXPECT_EQ(error_of("Nodes 2\nConnections 1\n0->1 id 1 trigger 3 size 1\n"),
            "flows.cm:3:1: error: the connection waits for trigger 3, which nothing fires");
  EXPECT_EQ(
      error_of("Nodes 2\nConnections 1\n0->1 id 1 begin 3\n"),
      "flows.cm:3:11: error: `begin` is no part of a connection: `id`, `start`, `size`, `prio`, `trigger`, "
      "`send_done_trigger` or `recv_done_trigger`");
  EXPECT_NE(error_of("Nodes 2\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 1 send_done_trigger 1\n"
                     "1->0 id 2 trigger 1 size 1\ntrigger id 1 barrier count 2\n")
                .find("fired by 1 connections and starts others after 2"),
            std::string::npos);
  EXPECT_NE(
      error_of("Nodes 2\nConnections 2\n0->1 id 1 trigger 1 size 1 send_done_trigger 2\n"
               "1->0 id 2 trigger 2 size 1 send_done_trigger 1\ntrigger id 1 oneshot\ntrigger id 2 oneshot\n")
          .find("can never start"),
      std::string::npos);
}

}  // namespace
}  // namespace orrery
