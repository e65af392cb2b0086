#include "network/fluid/flow_progress.hpp"

#include <gtest/gtest.h>

namespace orrery::core::flow_progress_test {
namespace {

std::vector<FlowProgress::End> run(FlowProgress& flows) {
  std::vector<FlowProgress::End> ends;
  flows.advance(1e12, ends);
  return ends;
}

TEST(FlowProgress, TwoFlowsShareALinkUntilTheShorterEnds) {
  FlowProgress flows;
  const MaxMinRates::Use link{flows.add_resource(10)};
  const std::uint32_t route = flows.add_route({&link, 1});
  flows.start(route, 7, 100, 0);
  flows.start(route, 8, 300, 0);
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
  const MaxMinRates::Use link{flows.add_resource(10)};
  const std::uint32_t route = flows.add_route({&link, 1}), other = flows.add_route({&link, 1});
  flows.start(route, 0, 100, 0);
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
  const MaxMinRates::Use link{flows.add_resource(3)};
  const std::uint32_t route = flows.add_route({&link, 1});
  for (std::uint32_t flow = 0; flow < 5; ++flow) flows.start(route, flow, 7, 0);
  flows.settle(0);
  const auto ends = run(flows);
  ASSERT_EQ(ends.size(), 5u);
  for (std::uint32_t flow = 0; flow < 5; ++flow) {
    EXPECT_EQ(ends[flow].flow, flow);
    EXPECT_DOUBLE_EQ(ends[flow].at, 35.0 / 3);
  }
}

TEST(FlowProgress, FlowsThatStopKeepTheirRest) {
  FlowProgress flows;
  const MaxMinRates::Use together[] = {{flows.add_resource(2)}}, in_line[] = {{flows.add_resource(1)}};
  const std::uint32_t a = flows.add_route(together),
                      b = flows.add_route(in_line, FlowProgress::Order::in_line);
  flows.start(a, 0, 10, 0);
  flows.start(a, 1, 20, 0);
  flows.start(b, 2, 6, 0);
  flows.start(b, 3, 5, 0);
  flows.settle(0);
  const std::vector<FlowProgress::Rest> rests = flows.stop_all(4);
  ASSERT_EQ(rests.size(), 4u);
  const double bytes[] = {6, 16, 2, 5};
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rests[i].flow, i);
    EXPECT_EQ(rests[i].bytes, bytes[i]);
  }
  EXPECT_EQ(flows.next_end(), FlowProgress::never);
  flows.start(a, 1, rests[1].bytes, 4);
  flows.settle(4);
  EXPECT_EQ(flows.next_end(), 12);
}

}  // namespace
}  // namespace orrery::core::flow_progress_test
