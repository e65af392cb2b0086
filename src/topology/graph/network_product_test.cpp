#include "topology/graph/network_product.hpp"

#include <gtest/gtest.h>

namespace orrery::core::test::network_product_test {
namespace {

using Form = ProductFactor::Form;

ProductFactor factor(Form form, int size, int cables = 1) {
  ProductFactor made{.form = form, .size = size, .cable = {}};
  made.cable.count = cables;
  return made;
}

TEST(NetworkProduct, CountsTheCablesOfOneFactor) {
  const double circle[] = {0, 1, 3, 4}, full[] = {0, 1, 3, 6}, star[] = {1, 2, 3, 4};
  for (int size = 1; size <= 4; ++size) {
    const auto at = static_cast<std::size_t>(size - 1);
    EXPECT_EQ(cables_of({factor(Form::circle, size)}), circle[at]) << size;
    EXPECT_EQ(cables_of({factor(Form::full, size)}), full[at]) << size;
    EXPECT_EQ(cables_of({factor(Form::star, size)}), star[at]) << size;
  }
}

// Each NPU lies in a circle, and each of these nine in one of three others.
TEST(NetworkProduct, CountsTheCablesOfAllFactors) {
  EXPECT_EQ(cables_of({}), 0);
  EXPECT_EQ(cables_of({factor(Form::circle, 3), factor(Form::full, 3)}), 9 + 9);
  EXPECT_EQ(cables_of({factor(Form::star, 4, 2), factor(Form::circle, 2)}), 8 * 2 + 4);
  EXPECT_EQ(cables_of({factor(Form::circle, 1), factor(Form::circle, 5, 3)}), 15);
}

}  // namespace
}  // namespace orrery::core::test::network_product_test
