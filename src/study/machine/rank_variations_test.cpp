#include "study/machine/rank_variations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::core::rank_variations_test {
namespace {

using Factors = std::vector<double>;
using Npus = std::vector<int>;

TEST(ComputeSlowdown, is_empty_when_all_ranks_are_alike) {
  EXPECT_EQ(compute_slowdown({}, {}, 4), Factors());
  EXPECT_EQ(compute_slowdown({}, {0, 7}, 4), Factors());
  EXPECT_EQ(compute_slowdown({{{{0, 3}}, 1}}, {}, 4), Factors());
  EXPECT_EQ(compute_slowdown({{{{0, 3}}, 2}, {{{0, 3}}, 0.5}}, {}, 4), Factors());
}

TEST(ComputeSlowdown, multiplies_what_applies_to_a_rank) {
  EXPECT_EQ(compute_slowdown({{{{0, 1}, {3, 3}}, 1.5}, {{{1, 2}}, 4}}, {}, 5), (Factors{1.5, 6, 4, 1.5, 1}));
}

// The first outputs of SplitMix64 for the seed 1234567 as rosettacode.org gives them, "Pseudo-random
// numbers/Splitmix64".
TEST(ComputeSlowdown, jitter_is_the_same_everywhere) {
  const auto drawn = [](std::uint64_t output) { return std::ldexp(static_cast<double>(output >> 11), -53); };
  const Factors factors = compute_slowdown({}, {1, 1234567}, 5);
  EXPECT_EQ(factors, (Factors{1 + drawn(6457827717110365317u), 1 + drawn(3203168211198807973u),
                              1 + drawn(9817491932198370423u), 1 + drawn(4593380528125082431u),
                              1 + drawn(16408922859458223821u)}));
}

TEST(ComputeSlowdown, jitter_depends_on_seed_and_rank_alone) {
  const Factors few = compute_slowdown({}, {0.25, 3}, 10), many = compute_slowdown({}, {0.25, 3}, 1000);
  EXPECT_EQ(few, Factors(many.begin(), many.begin() + 10));
  EXPECT_NE(few, compute_slowdown({}, {0.25, 4}, 10));
  double sum = 0;
  for (const double factor : many) {
    EXPECT_GE(factor, 1.0);
    EXPECT_LT(factor, 1.25);
    sum += factor;
  }
  // The mean of 1000 uniform draws has a standard deviation of 0.25 / sqrt(12 * 1000) = 0.0023.
  EXPECT_NEAR(sum / 1000, 1.125, 5 * 0.0023);
}

TEST(ComputeSlowdown, jitter_and_stragglers_multiply) {
  const Factors jitter = compute_slowdown({}, {0.5, 9}, 3);
  EXPECT_EQ(compute_slowdown({{{{1, 1}}, 2}}, {0.5, 9}, 3), (Factors{jitter[0], jitter[1] * 2, jitter[2]}));
}

TEST(RanksIn, ranges_in_order) {
  EXPECT_EQ(ranks_in({{0, 0}, {2, 4}}), (Npus{0, 2, 3, 4}));
}

TEST(InstanceOf, ranks_differ_in_one_dimension_only) {
  Topology topology;
  for (const int size : {2, 3, 4}) topology.dimensions.emplace_back().size = size;
  // NPU n is at n % 2, n / 2 % 3 and n / 6; 15 at 1, 1 and 2.
  EXPECT_EQ(instance_of(topology, 0, 15), (Npus{14, 15}));
  EXPECT_EQ(instance_of(topology, 1, 15), (Npus{13, 15, 17}));
  EXPECT_EQ(instance_of(topology, 2, 15), (Npus{3, 9, 15, 21}));
}

}  // namespace
}  // namespace orrery::core::rank_variations_test
