#include "base/containers/shared.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::shared_test {
namespace {

TEST(Shared, CopiesHoldTheSameObject) {
  const Shared<std::string> first(std::string("ring"));
  const Shared<std::string> second = first;
  EXPECT_EQ(&*first, &*second);
  EXPECT_EQ(second->size(), 4);
}

TEST(Shared, AnEditIsSeenByItsHolderOnly) {
  const Shared<std::string> first(std::string("ring"));
  Shared<std::string> second = first;
  second.edit() += "s";
  EXPECT_EQ(*first, "ring");
  EXPECT_EQ(*second, "rings");
}

TEST(Shared, TheOnlyHolderEditsWithoutACopy) {
  Shared<std::string> only(std::string("ring"));
  const std::string* const object = &*only;
  only.edit() += "s";
  EXPECT_EQ(&*only, object);
  EXPECT_EQ(*only, "rings");
}

TEST(Shared, StartsAsADefaultValue) {
  EXPECT_EQ(*Shared<int>(), 0);
}

}  // namespace
}  // namespace orrery::core::shared_test
