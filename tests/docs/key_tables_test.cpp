// The tables of keys in docs/inputs/ are those that the declarations give, and links between these pages lead
// to the page that has the heading. scripts/write-key-tables has this test write both.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files/file.hpp"
#include "support/documented_words.hpp"
#include "support/headings.hpp"
#include "support/key_tables.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::key_tables_test {
namespace {

namespace fs = std::filesystem;

TEST(KeyTables, follow_from_the_declarations) {
  const HeadingPlaces places = places_of_headings(input_pages());
  for (const std::string& file : input_pages()) {
    const std::string page = read_file_of_any_kind(file);
    std::string expected = with_links(with_key_tables(page), file, places);
    while (expected.ends_with("\n\n")) expected.pop_back();
    if (std::getenv("ORRERY_WRITE_PAGES") != nullptr)
      std::ofstream(file) << expected;
    else
      EXPECT_EQ(page, expected) << "run scripts/write-key-tables";
  }
}

}  // namespace
}  // namespace orrery::core::test::key_tables_test
