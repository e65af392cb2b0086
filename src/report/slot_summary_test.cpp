#include "report/slot_summary.hpp"

#include <gtest/gtest.h>

namespace orrery::slot_summary_test {
namespace {

Time micro(std::int64_t count) {
  return Time::from_ps(count * 1'000'000);
}

// Two ranks do different things: each computes for 10 us, and the second one ends after 12 us.
Program two_ranks() {
  Program program;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    ProgramPart& part = program.parts.emplace_back();
    part.name = rank == 0 ? "first" : "second";
    part.ranks = {rank};
    part.graph.add({.kind = OperationKind::compute, .duration = micro(10)}, {});
  }
  return program;
}

Summary summary_without_communication(Time ends) {
  Recording recording;
  recording.classes = RankClasses::all_distinct(2);
  recording.finish = {micro(10), micro(12)};
  recording.of_classes = {{{micro(0), micro(10)}}, {{micro(2), micro(12)}}};
  recording.without_communication = ends;
  Summary summary;
  add_slots(summary, two_ranks(), recording);
  return summary;
}

TEST(SlotSummary, BubbleIsWhatFreeCommunicationDoesNotEnd) {
  const Summary summary = summary_without_communication(micro(11));
  EXPECT_EQ(summary.total, micro(12));
  EXPECT_EQ(summary.compute, micro(10));
  EXPECT_EQ(summary.bubble, micro(1));
  EXPECT_EQ(summary.exposed, micro(1));
}

// Free communication may change the order of operations in slots, so that it makes the run longer.
TEST(SlotSummary, BubbleIsAtMostTheIdleTime) {
  const Summary summary = summary_without_communication(micro(15));
  EXPECT_EQ(summary.bubble, micro(2));
  EXPECT_EQ(summary.exposed, Time());
}

}  // namespace
}  // namespace orrery::slot_summary_test
