#include "workload/pipeline/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace orrery::core::pipeline_schedule_test {
namespace {

std::string text_of(const std::vector<PipelineSlot>& slots) {
  std::string text;
  for (const PipelineSlot& slot : slots) {
    text += slot.backward ? " B" : " F";
    text += std::to_string(slot.micro_batch);
    if (slot.virtual_stage > 0) text += "'" + std::to_string(slot.virtual_stage);
  }
  return text;
}

TEST(PipelineSchedule, OneForwardOneBackwardRunsAheadByTheStagesBehind) {
  const PipelineShape shape{PipelineSchedule::one_forward_one_backward, 4, 6, 1};
  EXPECT_EQ(text_of(pipeline_slots(shape, 0)), " F0 F1 F2 F3 B0 F4 B1 F5 B2 B3 B4 B5");
  EXPECT_EQ(text_of(pipeline_slots(shape, 2)), " F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 B5");
  EXPECT_EQ(text_of(pipeline_slots(shape, 3)), " F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5");
}

TEST(PipelineSchedule, InferenceGoesForwardOnly) {
  const PipelineShape shape{PipelineSchedule::forward_only, 2, 3, 1};
  EXPECT_EQ(pipeline_passes(shape), 3);
  EXPECT_EQ(text_of(pipeline_slots(shape, 0)), " F0 F1 F2");
  EXPECT_EQ(micro_batches_in_flight(shape, 1), 1);
}

TEST(PipelineSchedule, GPipeDoesAllForwardPassesFirst) {
  const PipelineShape shape{PipelineSchedule::gpipe, 2, 3, 1};
  EXPECT_EQ(text_of(pipeline_slots(shape, 0)), " F0 F1 F2 B0 B1 B2");
  EXPECT_EQ(text_of(pipeline_slots(shape, 1)), " F0 F1 F2 B0 B1 B2");
}

// Huang et al., 2019, figure 2c: F0,0 to F0,3, then B0,3 to B0,0.
TEST(PipelineSchedule, ReversedGPipeGoesBackwardFromTheLastMicroBatch) {
  const PipelineShape shape{PipelineSchedule::gpipe_reversed, 4, 4, 1};
  for (int stage = 0; stage < 4; ++stage)
    EXPECT_EQ(text_of(pipeline_slots(shape, stage)), " F0 F1 F2 F3 B3 B2 B1 B0");
  EXPECT_EQ(shape.last_backward_micro_batch(), 0);
}

// Narayanan et al., 2021, figure 4: devices 1 and 4 of four, two chunks each, eight micro-batches.
TEST(PipelineSchedule, InterleavingTakesTurnsBetweenChunks) {
  const PipelineShape shape{PipelineSchedule::interleaved, 4, 8, 2};
  EXPECT_EQ(text_of(pipeline_slots(shape, 0)),
            " F0 F1 F2 F3 F0'1 F1'1 F2'1 F3'1 F4 F5 F6 B0'1 F7 B1'1 F4'1 B2'1 F5'1 B3'1 F6'1 B0 F7'1 B1 B2 "
            "B3 B4'1 B5'1 B6'1 B7'1 B4 B5 B6 B7");
  EXPECT_EQ(text_of(pipeline_slots(shape, 3)),
            " F0 F1 F2 F3 F0'1 B0'1 F1'1 B1'1 F2'1 B2'1 F3'1 B3'1 F4 B0 F5 B1 F6 B2 F7 B3 F4'1 B4'1 F5'1 "
            "B5'1 F6'1 B6'1 F7'1 B7'1 B4 B5 B6 B7");
}

TEST(PipelineSchedule, EveryPassComesOnceAndForwardFirst) {
  for (const auto schedule : {PipelineSchedule::gpipe, PipelineSchedule::gpipe_reversed,
                              PipelineSchedule::one_forward_one_backward, PipelineSchedule::interleaved}) {
    const int v = schedule == PipelineSchedule::interleaved ? 3 : 1;
    for (const int p : {1, 2, 5}) {
      const PipelineShape shape{schedule, p, 3 * p, v};
      for (int stage = 0; stage < p; ++stage) {
        const auto slots = pipeline_slots(shape, stage);
        ASSERT_EQ(slots.size(), static_cast<std::size_t>(2 * 3 * p * v));
        EXPECT_EQ(slots.back().micro_batch, shape.last_backward_micro_batch());
        for (std::size_t i = 0; i < slots.size(); ++i) {
          ASSERT_EQ(std::count(slots.begin(), slots.end(), slots[i]), 1);
          if (!slots[i].backward) continue;
          PipelineSlot forward = slots[i];
          forward.backward = false;
          ASSERT_LT(std::find(slots.begin(), slots.end(), forward) - slots.begin(),
                    static_cast<std::ptrdiff_t>(i));
        }
      }
    }
  }
}

// Counts them slot by slot.
double in_flight_of(const PipelineShape& shape, int stage) {
  int now = 0, most = 0;
  for (const PipelineSlot& slot : pipeline_slots(shape, stage)) {
    now += slot.backward ? -1 : 1;
    most = std::max(most, now);
  }
  return most / double(shape.virtual_stages);
}

// The numbers are the last column of the table in docs/models/training-loops.md, Pipelines.
TEST(PipelineSchedule, MicroBatchesInFlight) {
  for (const int p : {1, 2, 4, 8}) {
    for (const int m : {p, 3 * p, 8 * p}) {
      for (int stage = 0; stage < p; ++stage) {
        const PipelineShape gpipe{PipelineSchedule::gpipe, p, m, 1},
            reversed{PipelineSchedule::gpipe_reversed, p, m, 1},
            in_turn{PipelineSchedule::one_forward_one_backward, p, m, 1};
        EXPECT_EQ(micro_batches_in_flight(gpipe, stage), m);
        EXPECT_EQ(micro_batches_in_flight(reversed, stage), m);
        EXPECT_EQ(in_flight_of(reversed, stage), m);
        EXPECT_EQ(micro_batches_in_flight(in_turn, stage), std::min(m, p - stage));
        EXPECT_EQ(in_flight_of(gpipe, stage), m);
        EXPECT_EQ(in_flight_of(in_turn, stage), std::min(m, p - stage));
      }
      for (const int v : {1, 2, 4}) {
        const PipelineShape shape{PipelineSchedule::interleaved, p, m, v};
        // p (1 + (p - 1) / (p v)) whole stages, as far as there are that many micro-batches.
        EXPECT_EQ(micro_batches_in_flight(shape, 0), std::min(m * v, p * v + p - 1) / double(v));
        for (int stage = 0; stage < p; ++stage)
          EXPECT_EQ(micro_batches_in_flight(shape, stage), in_flight_of(shape, stage));
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::pipeline_schedule_test
