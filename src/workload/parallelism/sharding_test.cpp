#include "workload/parallelism/sharding.hpp"

#include <gtest/gtest.h>

#include "workload/parallelism/gradient_exchange.hpp"

namespace orrery::core::sharding_test {
namespace {

constexpr Dim rows{0}, columns{1}, inner{2};

TEST(Sharding, transitions) {
  EXPECT_EQ(transition(duplicated, duplicated), Transition::none);
  EXPECT_EQ(transition(duplicated, sharded(rows)), Transition::slice);
  EXPECT_EQ(transition(duplicated, partial), std::nullopt);
  EXPECT_EQ(transition(sharded(rows), duplicated), Transition::all_gather);
  EXPECT_EQ(transition(sharded(rows), sharded(rows)), Transition::none);
  EXPECT_EQ(transition(sharded(rows), sharded(columns)), Transition::all_to_all);
  EXPECT_EQ(transition(sharded(rows), partial), std::nullopt);
  EXPECT_EQ(transition(partial, duplicated), Transition::all_reduce);
  EXPECT_EQ(transition(partial, sharded(rows)), Transition::reduce_scatter);
  EXPECT_EQ(transition(partial, partial), Transition::none);
}

TEST(Sharding, only_what_sends_is_a_collective) {
  EXPECT_EQ(collective_of(Transition::none), std::nullopt);
  EXPECT_EQ(collective_of(Transition::slice), std::nullopt);
  EXPECT_EQ(collective_of(Transition::all_gather), CollectiveKind::all_gather);
  EXPECT_EQ(collective_of(Transition::all_reduce), CollectiveKind::all_reduce);
  EXPECT_EQ(collective_of(Transition::reduce_scatter), CollectiveKind::reduce_scatter);
  EXPECT_EQ(collective_of(Transition::all_to_all), CollectiveKind::all_to_all);
}

// rows x inner times inner x columns.
std::optional<ShardState> product(ShardState left, ShardState right) {
  const std::vector<Dim> a{rows, inner}, b{inner, columns}, result{rows, columns};
  const std::vector<PlacedOperand> operands{{a, left}, {b, right}};
  return state_of_result(operands, result);
}

TEST(Sharding, results_of_products) {
  EXPECT_EQ(product(duplicated, duplicated), duplicated);
  EXPECT_EQ(product(sharded(rows), duplicated), sharded(rows));
  EXPECT_EQ(product(duplicated, sharded(columns)), sharded(columns));
  EXPECT_EQ(product(sharded(inner), sharded(inner)), partial);
  EXPECT_EQ(product(partial, duplicated), partial);
  EXPECT_EQ(product(duplicated, partial), partial);
}

TEST(Sharding, operands_that_do_not_belong_together) {
  EXPECT_EQ(product(sharded(inner), duplicated), std::nullopt);
  EXPECT_EQ(product(duplicated, sharded(inner)), std::nullopt);
  EXPECT_EQ(product(sharded(rows), sharded(columns)), std::nullopt);
  EXPECT_EQ(product(partial, partial), std::nullopt);
  EXPECT_EQ(product(partial, sharded(columns)), std::nullopt);
}

TEST(Sharding, gradients_are_placed_like_their_tensors_but_for_sums) {
  EXPECT_EQ(state_of_gradient(duplicated), duplicated);
  EXPECT_EQ(state_of_gradient(sharded(rows)), sharded(rows));
  EXPECT_EQ(state_of_gradient(partial), duplicated);
}

// Rajbhandari et al., 2020, section 7: an all-reduce counts two, the others one each.
double volume(int zero) {
  double sum = 0;
  for (const GradientExchange& exchange : gradient_exchanges(zero))
    sum += exchange.kind == CollectiveKind::all_reduce ? 2 : 1;
  return sum;
}

TEST(GradientExchange, volumes_of_zero_in_parameters) {
  EXPECT_EQ(volume(0), 2);
  EXPECT_EQ(volume(1), 2);
  EXPECT_EQ(volume(2), 2);
  EXPECT_EQ(volume(3), 3);
}

TEST(GradientExchange, moments) {
  const auto plain = gradient_exchanges(0);
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain[0].kind, CollectiveKind::all_reduce);
  EXPECT_EQ(plain[0].moment, ExchangeMoment::after_backward);
  EXPECT_FALSE(plain[0].of_weights);
  const auto optimizer = gradient_exchanges(1);
  ASSERT_EQ(optimizer.size(), 2u);
  EXPECT_EQ(optimizer[0].kind, CollectiveKind::reduce_scatter);
  EXPECT_EQ(optimizer[1].kind, CollectiveKind::all_gather);
  EXPECT_EQ(optimizer[1].moment, ExchangeMoment::after_optimizer);
  EXPECT_TRUE(optimizer[1].of_weights);
  const auto gradients = gradient_exchanges(2);  // kept in parts, so each micro-batch's are reduced
  ASSERT_EQ(gradients.size(), 2u);
  EXPECT_TRUE(gradients[0].every_micro_batch);
  EXPECT_EQ(gradients[0].kind, CollectiveKind::reduce_scatter);
  EXPECT_FALSE(gradients[1].every_micro_batch);

  const auto all = gradient_exchanges(3);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].moment, ExchangeMoment::before_forward);
  EXPECT_EQ(all[1].moment, ExchangeMoment::before_backward);
  EXPECT_EQ(all[2].kind, CollectiveKind::reduce_scatter);
  for (const GradientExchange& exchange : all) EXPECT_TRUE(exchange.every_micro_batch);
}

// Zhao et al., "PyTorch FSDP", VLDB 2023, section 3.2.2: hybrid sharding.
TEST(GradientExchange, copies_of_what_is_shared_out_reduce_their_parts) {
  const auto all = gradient_exchanges(3, true);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].kind, CollectiveKind::reduce_scatter);
  EXPECT_EQ(all[3].kind, CollectiveKind::all_reduce);
  EXPECT_TRUE(all[3].among_copies);
  EXPECT_EQ(all[3].moment, ExchangeMoment::after_backward);
  EXPECT_EQ(gradient_exchanges(0, true).size(), 1u) << "nothing is shared out";
}

}  // namespace
}  // namespace orrery::core::sharding_test
