// The expected loads are worked out by hand, in MiB over the bandwidth ratio to dimension 0, by
// docs/models/themis.md, Loads.
#include "collective/plan/themis.hpp"

#include <gtest/gtest.h>

namespace orrery::core::themis_test {
namespace {

using enum CollectiveKind;
using Order = std::vector<int>;

constexpr Bytes mib{1 << 20};
const DimensionSet both{3};

// Dimension 0: 4 NPUs; dimension 1: 2 NPUs at half the bandwidth.
Themis example(int gap_denominator = 16, bool flexible = false) {
  return Themis({4, 2}, {40, 20}, gap_denominator, flexible, astra_sim_1_dialect);
}

Order next_order(Themis& themis, CollectiveKind kind = all_reduce) {
  return themis.next_chunk(kind, both, mib * 100, mib).order;
}

TEST(Themis, BalancesTheLoads) {
  Themis themis = example();
  // Even loads: in ascending order. Dimension 0: 1 * 3/4 = 0.75; dimension 1: 1/4 * 1/2 / 0.5 = 0.25
  EXPECT_EQ(next_order(themis), (Order{0, 1}));
  // The gap of 0.5 is worth 0.5 * 0.5 / (1/2) = 0.5 MiB, more than 1/16. Dimension 1: 0.25 + 1/2 / 0.5
  // = 1.25; dimension 0: 0.75 + 1/2 * 3/4 = 1.125
  EXPECT_EQ(next_order(themis), (Order{1, 0}));
  // The gap of 0.125 is worth 0.125 / (3/4) = 0.167 MiB. Dimension 0: 1.125 + 0.75 = 1.875; dimension 1: 1.25
  // + 0.25
  EXPECT_EQ(next_order(themis), (Order{0, 1}));
  // 0.375 * 0.5 / (1/2) = 0.375 MiB
  EXPECT_EQ(next_order(themis, reduce_scatter), (Order{1, 0}));
}

TEST(Themis, AscendsWhenTheGapIsNotWorthIt) {
  Themis themis = example(1);
  EXPECT_EQ(next_order(themis), (Order{0, 1}));
  EXPECT_EQ(next_order(themis), (Order{0, 1}));  // 0.5 MiB < 1 MiB / 1
}

TEST(Themis, ForgetsLoadsAtAReset) {
  Themis themis = example();
  next_order(themis);
  themis.reset();
  EXPECT_EQ(next_order(themis), (Order{0, 1}));
  EXPECT_EQ(next_order(themis), (Order{1, 0}));
}

TEST(Themis, CutsTheLastChunkButBooksAWholeOne) {
  Themis themis = example();
  EXPECT_EQ(themis.next_chunk(all_reduce, both, Bytes(100), mib).bytes, Bytes(100));
  // Booked as a whole MiB, as in BalancesTheLoads; 100 bytes would leave no gap worth a change.
  EXPECT_EQ(next_order(themis), (Order{1, 0}));
}

TEST(Themis, NeverExceedsThePreferredSize) {
  Themis themis = example();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(themis.next_chunk(all_reduce, both, mib * 100, mib).bytes, mib);
}

// Bandwidths 20 and 40. The ascending order books a gather's loads on mirrored entries: dimension 1's grows
// by dimension 0's work 1 * 3, dimension 0's by dimension 1's 4 * 1 / 2 = 2.
TEST(Themis, GathersFromTheHighestLoadAndBookMirroredAtFirst) {
  for (int gap_denominator : {5, 6}) {
    Themis themis({4, 2}, {20, 40}, gap_denominator, false, astra_sim_1_dialect);
    EXPECT_EQ(next_order(themis, all_gather), (Order{0, 1}));
    // The gap of 1 from dimension 1 to the last, dimension 0: 1 * 1 / 3 MiB, halved in dimension 1: 1/6 MiB.
    EXPECT_EQ(next_order(themis, all_gather), gap_denominator == 5 ? (Order{0, 1}) : (Order{1, 0}));
  }
}

// This is the case above, with a dimension between the two that does not take part and has a load of 3.75 *
// 2/3 = 2.5.
TEST(Themis, GathersDoNotShrinkInDimensionsThatDoNotTakePart) {
  Themis themis({4, 3, 2}, {20, 20, 40}, 6, false, astra_sim_1_dialect);
  themis.next_chunk(reduce_scatter, DimensionSet{2}, mib * 9, mib * 15 / 4);
  EXPECT_EQ(themis.next_chunk(all_gather, DimensionSet{5}, mib * 9, mib).order,
            (Order{0, 1, 2}));  // 2, 2.5 and 3
  EXPECT_EQ(themis.next_chunk(all_gather, DimensionSet{5}, mib * 9, mib).order, (Order{2, 1, 0}));
}

TEST(Themis, SkipsDimensionsThatDoNotTakePart) {
  Themis themis({4, 1, 2}, {40, 40, 20}, 16, false, astra_sim_1_dialect);
  const DimensionSet outer{6};  // 1 and 2, of which 1 has one NPU
  // First chunk: only dimension 2 works: 1/2 / 0.5 = 1.
  EXPECT_EQ(themis.next_chunk(reduce_scatter, outer, mib * 9, mib).order, (Order{0, 1, 2}));
  // Sorted 0, 1, 2. The first that takes part is the last of all: no gap, ascending again, the load is now 2.
  EXPECT_EQ(themis.next_chunk(reduce_scatter, outer, mib * 9, mib).order, (Order{0, 1, 2}));
  // All dimensions take part now. Dimension 0 has the least load, far below the 2 of the last one.
  EXPECT_EQ(themis.next_chunk(reduce_scatter, DimensionSet{7}, mib * 9, mib).order, (Order{0, 1, 2}));
  // Dimension 0: 0.75; dimension 2: 2 + 1/4 * 1/2 / 0.5 = 2.25; dimension 1 still nothing, and in front.
  EXPECT_EQ(themis.next_chunk(reduce_scatter, DimensionSet{7}, mib * 9, mib).order, (Order{1, 0, 2}));
}

// Natively a gather descends where there is nothing to gain: 4 * 2 = 8 MiB more pass dimension 0, whose links
// are the faster ones, than would in ascending order pass dimension 1.
TEST(Themis, NativeGathersDescendAtFirst) {
  Themis themis({4, 2}, {40, 20}, 16, false, native_dialect);
  EXPECT_EQ(next_order(themis, all_gather), (Order{1, 0}));
}

// Without the dimension of one NPU in front it would choose the same.
TEST(Themis, NativeOrdersIgnoreDimensionsOfOneNpu) {
  for (const CollectiveKind kind : {reduce_scatter, all_gather, all_reduce}) {
    Themis without({4, 2}, {40, 20}, 16, false, native_dialect);
    Themis with({1, 4, 1, 2}, {7, 40, 3, 20}, 16, false, native_dialect);
    for (int chunk = 0; chunk < 20; ++chunk) {
      Order order = with.next_chunk(kind, DimensionSet{15}, mib * 100, mib).order;
      std::erase_if(order, [](int d) { return d == 0 || d == 2; });
      for (int& d : order) d /= 2;
      EXPECT_EQ(order, without.next_chunk(kind, both, mib * 100, mib).order) << chunk;
    }
  }
}

TEST(ThemisFlex, LetsTheGapSetTheSize) {
  Themis themis = example(16, true);
  const auto next = [&](Bytes rest, Bytes preferred) {
    return themis.next_chunk(all_reduce, both, rest, preferred);
  };
  EXPECT_EQ(next(mib * 10, mib).order, (Order{0, 1}));  // no gap; loads 0.75 and 0.25
  const Themis::Choice even = next(mib * 10, mib);      // worth 0.5 MiB, less than a chunk: loads 1.5 and 0.5
  EXPECT_EQ(even.order, (Order{0, 1}));
  EXPECT_EQ(even.bytes, mib);
  const Themis::Choice wide = next(mib * 10, mib / 2);  // 1 * 0.5 / (1/2) = 1 MiB, two chunks
  EXPECT_EQ(wide.order, (Order{1, 0}));
  EXPECT_EQ(wide.bytes, mib);
  // Booked as what it was: 0.5 + 1/2 / 0.5 = 1.5 and 1.5 + 1/2 * 3/4 = 1.875; the gap is worth only 0.375
  // MiB.
  EXPECT_EQ(next(mib * 9, mib / 2).order, (Order{0, 1}));
}

TEST(ThemisFlex, TakesNoMoreThanTheRest) {
  Themis themis = example(16, true);
  for (int i = 0; i < 2; ++i) themis.next_chunk(all_reduce, both, mib * 10, mib);
  EXPECT_EQ(themis.next_chunk(all_reduce, both, Bytes(300), mib / 2).bytes, Bytes(300));
}

TEST(ThemisFlex, BooksOnlyTheShortLastChunkWhenAscending) {
  Themis themis = example(16, true);
  themis.next_chunk(all_reduce, both, Bytes(100), mib);
  // Nothing to speak of was booked: the next ascends as from the start and is booked, 0.75 and 0.25; a gap of
  // 0.5 MiB is then enough for a chunk of half a MiB.
  EXPECT_EQ(next_order(themis), (Order{0, 1}));
  EXPECT_EQ(themis.next_chunk(all_reduce, both, mib * 10, Bytes(500'000)).order, (Order{1, 0}));
}

}  // namespace
}  // namespace orrery::core::themis_test
