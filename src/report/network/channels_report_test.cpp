#include "report/network/channels_report.hpp"

#include <gtest/gtest.h>

#include "support/built_network.hpp"

namespace orrery::core::channels_report_test {
namespace {

std::string channels_of_boxes(const std::string& boxes) {
  const BuiltNetwork network = test::built(boxes);
  return ChannelsReport(network.graph, "net.yaml").text();
}

const std::string box =
    "{ build: nvlink, size: 4, switches: 2, links: 4, link: { bandwidth: 25 GB/s, latency: 0 ns },"
    "  nics: { count: 4, link: { bandwidth: 32 GB/s, latency: 0 ns } } }";

TEST(ChannelsReport, SpeaksOfNicsWhereChannelsLeaveTheMachine) {
  EXPECT_EQ(channels_of_boxes(box).find("traffic of the NIC"), std::string::npos);
  EXPECT_NE(channels_of_boxes(
                "{ build: fat-tree, link: { bandwidth: 25 GB/s, latency: 0 ns }, levels: [ { size: 2 } ],"
                "  inside: " +
                box + " }")
                .find("traffic of the NIC"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::channels_report_test
