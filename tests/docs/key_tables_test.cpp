// The tables of keys in docs/inputs.md are those that the declarations give. scripts/write-key-tables has
// this test write them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/file.hpp"
#include "support/key_tables.hpp"
#include "support/source_dir.hpp"

namespace orrery::test {
namespace {

TEST(KeyTables, follow_from_the_declarations) {
  const std::string file = source_dir() + "/docs/inputs.md", page = read_text_file(file);
  const std::string expected = with_key_tables(page);
  if (std::getenv("ORRERY_WRITE_PAGES")) {
    std::ofstream(file) << expected;
    return;
  }
  EXPECT_EQ(page, expected) << "run scripts/write-key-tables";
}

}  // namespace
}  // namespace orrery::test
