#include "memory/memory_profile.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::memory_profile_test {
namespace {

const std::string good =
    "name: x\ncontext: 1 GiB\nworkspace: 2 MB\noptimizer-on: every-device\n"
    "copies: { input: 1, products: 2, pooling: 0.5, concatenation: 4, in-place: 0 }\n";

std::string error_of(const std::string& text) {
  try {
    read_memory_profile(text, "m.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MemoryProfile, reads_every_key) {
  const MemoryProfile profile = read_memory_profile(good, "m.yaml");
  EXPECT_EQ(profile.name, "x");
  EXPECT_EQ(profile.context, Bytes(1u << 30));
  EXPECT_EQ(profile.workspace, Bytes(2'000'000));
  EXPECT_FALSE(profile.store_on_first);
  EXPECT_EQ(profile.copies, (ActivationClasses{1, 2, 0.5, 4, 0}));
}

TEST(MemoryProfile, errors_have_a_place) {
  EXPECT_EQ(error_of("name: x\n"), "m.yaml:1:1: error: a memory file needs the key `context`");
  EXPECT_EQ(error_of(good + "more: 1\n").find("m.yaml:6:1: error: unknown key `more`; "), 0u);
  EXPECT_EQ(error_of("[]").find("m.yaml:1:1: error: a memory file has to be a map"), 0u);
  EXPECT_EQ(error_of("name: x\ncontext: 1 B\nworkspace: 0 B\noptimizer-on: every-device\ncopies: {}\n"),
            "m.yaml:5:9: error: `copies` needs the key `input`");
}

TEST(MemoryProfile, those_of_the_program_can_be_read) {
  ASSERT_FALSE(memory_profile_words().empty());
  for (const std::string_view word : memory_profile_words())
    EXPECT_GT(find_memory_profile(std::string(word), {}, no_files()).copies.products, 0) << word;
  EXPECT_THROW(find_memory_profile("mxnet", {"x.yaml", 1, 2}, no_files()), InputError);
}

}  // namespace
}  // namespace orrery::core::memory_profile_test
