#include "network/fluid/flow_progress.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

std::vector<FlowProgress::End> run(FlowProgress& flows) {
  std::vector<FlowProgress::End> ends;
  flows.advance(1e12, ends);
  return ends;
}

TEST(FlowProgress, TwoFlowsShareALinkUntilTheShorterEnds) {
  FlowProgress flows;
  const FairShares::Use link{flows.add_resource(10)};
  const std::uint32_t way = flows.add_way({&link, 1});
  flows.start(way, 7, 100, 0);
  flows.start(way, 8, 300, 0);
  flows.settle(0);
  EXPECT_DOUBLE_EQ(flows.next_end(), 20);
  const auto ends = run(flows);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].flow, 7u);
  EXPECT_DOUBLE_EQ(ends[0].at, 20);
  EXPECT_EQ(ends[1].flow, 8u);
  EXPECT_DOUBLE_EQ(ends[1].at, 40);  // 400 bytes at 10 bytes per ns
  EXPECT_EQ(flows.next_end(), FlowProgress::never);
}

TEST(FlowProgress, AFlowThatStartsLaterSlowsTheOthersFromThenOn) {
  FlowProgress flows;
  const FairShares::Use link{flows.add_resource(10)};
  const std::uint32_t way = flows.add_way({&link, 1}), other = flows.add_way({&link, 1});
  flows.start(way, 0, 100, 0);
  flows.settle(0);
  std::vector<FlowProgress::End> ends;
  flows.advance(5, ends);
  EXPECT_TRUE(ends.empty());
  flows.start(other, 1, 10, 5);
  flows.settle(5);
  ends = run(flows);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_DOUBLE_EQ(ends[0].at, 7);
  EXPECT_DOUBLE_EQ(ends[1].at, 11);
}

TEST(FlowProgress, EqualFlowsEndTogetherInTheOrderOfTheirStarts) {
  FlowProgress flows;
  const FairShares::Use link{flows.add_resource(3)};
  const std::uint32_t way = flows.add_way({&link, 1});
  for (std::uint32_t flow = 0; flow < 5; ++flow) flows.start(way, flow, 7, 0);
  flows.settle(0);
  const auto ends = run(flows);
  ASSERT_EQ(ends.size(), 5u);
  for (std::uint32_t flow = 0; flow < 5; ++flow) {
    EXPECT_EQ(ends[flow].flow, flow);
    EXPECT_DOUBLE_EQ(ends[flow].at, 35.0 / 3);
  }
}

}  // namespace
}  // namespace orrery
