#include "base/files/embedded_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::embedded_file_test {
namespace {

namespace fs = std::filesystem;

TEST(EmbeddedFile, IsWhatTheRepositoryHolds) {
  const fs::path root = fs::path(test::source_dir()) / "share/orrery";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".yaml" && entry.path().extension() != ".csv") continue;
    ++files;
    const std::string name = fs::relative(entry.path(), root).generic_string();
    const auto text = embedded_file(name);
    ASSERT_TRUE(text) << name;
    EXPECT_EQ(*text, read_file_of_any_kind(entry.path().string())) << name;
  }
  EXPECT_EQ(embedded_files().size(), files);
}

TEST(EmbeddedFile, NamesOfAFolder) {
  const auto names = embedded_names("devices");
  EXPECT_TRUE(std::ranges::is_sorted(names) || names.size() > 1);
  EXPECT_NE(std::ranges::find(names, "a100"), names.end());
  EXPECT_TRUE(embedded_names("device").empty());
  EXPECT_FALSE(embedded_file("devices/a100"));
}

}  // namespace
}  // namespace orrery::core::embedded_file_test
