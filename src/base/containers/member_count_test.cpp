#include "base/containers/member_count.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace orrery::core::member_count_test {
namespace {

struct None {};
struct Inner {
  int x = 1, y = 2;
};
struct Several {
  Inner inner;
  std::vector<Inner> list = {};
  std::shared_ptr<const Inner> shared = nullptr;
  bool flag = false;
  std::string text = "text";
};

TEST(MemberCount, CountsAMemberOnceWhateverItHolds) {
  EXPECT_EQ(members_of<None>(), 0u);
  EXPECT_EQ(members_of<Inner>(), 2u);
  EXPECT_EQ(members_of<Several>(), 5u);
}

}  // namespace
}  // namespace orrery::core::member_count_test
