// Traces whose collectives are worked out in one go, and one rank that stands for all, end as when every
// message is simulated. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>

#include "base/diagnostics/diagnostics.hpp"
#include "support/random_traces.hpp"

namespace orrery::core::test::trace_folding_test {
namespace {

struct Folded {
  int phases = 0, one_rank = 0, in_step = 0;
};

bool starts_with(const std::string& text, const char* words) {
  return text.rfind(words, 0) == 0;
}

void expect_same(const Recording& folded, const Recording& every, std::size_t ranks) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(folded.finish_of(RankId(rank)), every.finish_of(RankId(rank))) << "rank " << rank;
    for (std::size_t n = 0; n < every.operations_of(RankId(rank)).size(); ++n) {
      EXPECT_EQ(folded.operations_of(RankId(rank))[n].start, every.operations_of(RankId(rank))[n].start)
          << rank << " node " << n;
      EXPECT_EQ(folded.operations_of(RankId(rank))[n].end, every.operations_of(RankId(rank))[n].end)
          << rank << " node " << n;
    }
  }
  EXPECT_EQ(folded.messages, every.messages);
  const auto uses_of = [](const Recording& recording, std::size_t part) {
    return std::get<std::vector<DimensionUse>>(recording.parts[part].collectives);
  };
  ASSERT_EQ(folded.parts.size(), every.parts.size());
  for (std::size_t part = 0; part < every.parts.size(); ++part)
    for (std::size_t d = 0; d < uses_of(every, part).size(); ++d) {
      const DimensionUse one = uses_of(folded, part)[d], other = uses_of(every, part)[d];
      EXPECT_EQ(one.payload, other.payload) << "part " << part << " dimension " << d;
      EXPECT_EQ(one.busy, other.busy) << "part " << part << " dimension " << d;
    }
  ASSERT_EQ(folded.links.size(), every.links.size());
  for (std::size_t i = 0; i < every.links.size(); ++i) {
    EXPECT_EQ(folded.links[i].from, every.links[i].from) << "set " << i;
    EXPECT_EQ(folded.links[i].links, every.links[i].links) << "set " << i;
    EXPECT_EQ(folded.links[i].load, every.links[i].load) << "set " << i;
    EXPECT_EQ(folded.links[i].busy, every.links[i].busy) << "set " << i;
  }
}

struct Outcome {
  Recording recording;
  std::string stall;  // why there is none: ranks may put chunks into different orders and wait for ever
};

Outcome run(const TraceCase& made) {
  try {
    return {simulate_traces(made.traces, made.machine), ""};
  } catch (const StallError& error) {
    return {{}, error.what()};
  }
}

// `few`: the order in which ranks end in the same instant has to be that of their events.
void fold(TraceMachine& machine, bool few, bool in_step) {
  constexpr double all = 1e18;
  machine.fold = true;
  machine.few_messages = few ? all : 0;
  machine.few_messages_of_rank = in_step ? all : 0;
}

Folded compare(bool equal, bool few, bool in_step) {
  Folded folded;
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? 20'000 : 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    TraceCase made = random_traces(seed, equal);
    made.machine.fold = false;
    const Outcome every = run(made);
    fold(made.machine, few, in_step);
    const Outcome with = run(made);
    EXPECT_EQ(with.stall, every.stall);
    if (every.stall.empty()) expect_same(with.recording, every.recording, made.traces.size());
    folded.phases += starts_with(with.recording.simulated, "phases");
    const bool is_in_step =
        starts_with(with.recording.simulated, "one rank was simulated message by message");
    folded.in_step += is_in_step;
    folded.one_rank += !is_in_step && starts_with(with.recording.simulated, "one rank");
    if (every.stall.empty() && (few || is_in_step)) {
      EXPECT_EQ(with.recording.finish_order, every.recording.finish_order);
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed << ": " << with.recording.simulated;
      break;
    }
  }
  return folded;
}

// The order in which ranks end in an instant is not known.
int compare_on_behalf() {
  int on_behalf = 0;
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? 20'000 : 400;
  for (std::uint64_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TraceCase made = random_traces(seed, true);
    made.machine.dialect = native_dialect;
    made.machine.network.model = &fluid_model;
    for (Dimension& dimension : made.machine.topology.dimensions)
      dimension.links = min_links(dimension.block, dimension.size);
    if (seed % 4 > 0) made.machine.system.chunks = 1;
    made.machine.fold = false;
    Outcome every = run(made);
    made.machine.fold = true;
    Outcome with = run(made);
    EXPECT_EQ(with.stall, every.stall);
    // Links that are equally busy are in no particular order.
    for (Recording* const recording : {&every.recording, &with.recording})
      std::ranges::sort(recording->links, {}, [](const LinkUse& use) {
        return std::tuple(use.busy, use.dimension, use.from, use.to, use.links);
      });
    if (every.stall.empty()) expect_same(with.recording, every.recording, made.traces.size());
    on_behalf += starts_with(with.recording.simulated, "one rank was simulated on behalf of all");
  }
  return on_behalf;
}

TEST(TraceFolding, OneRankSendsOnBehalfOfAllWhereMessagesMeetSlow) {
  EXPECT_GT(compare_on_behalf(), 100);
}

TEST(TraceFolding, EqualTracesEndAsWithEveryMessageSlow) {
  EXPECT_GT(compare(true, false, false).one_rank, 100);
}

TEST(TraceFolding, OneRankMessageByMessageKeepsTheOrderOfRanksSlow) {
  EXPECT_GT(compare(true, false, true).in_step, 100);
}

TEST(TraceFolding, TracesThatDifferEndAsWithEveryMessageSlow) {
  EXPECT_GT(compare(false, false, false).phases, 100);
}

// Mostly some of them end in the same instant, so that every message is simulated after all.
TEST(TraceFolding, FewMessagesOfTracesThatDifferKeepTheOrderOfRanksSlow) {
  EXPECT_GT(compare(false, true, true).phases, 0);
}

}  // namespace
}  // namespace orrery::core::test::trace_folding_test
