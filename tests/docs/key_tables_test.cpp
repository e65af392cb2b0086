// The tables of keys in docs/inputs/ are those that the declarations give, and links between these pages lead
// to the page that has the heading. scripts/write-key-tables has this test write both.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "base/file.hpp"
#include "support/documented_words.hpp"
#include "support/headings.hpp"
#include "support/key_tables.hpp"
#include "support/source_dir.hpp"

namespace orrery::test::key_tables_test {
namespace {

namespace fs = std::filesystem;

// The page that has a heading with this anchor.
using Places = std::map<std::string, std::string>;

// Declarations write links as if docs/ had one page: "#anchor" for what is anywhere in docs/inputs/, other
// pages by their names in docs/.
std::string with_links(const std::string& text, const fs::path& page, const Places& places) {
  const fs::path docs = fs::path(source_dir()) / "docs";
  const std::regex link(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  std::string out;
  auto rest = text.begin();
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i) {
    const std::string path = (*i)[1], anchor = (*i)[2];
    std::string to = path;
    if (path.empty()) {
      const auto place = places.find(anchor.substr(1));
      if (place != places.end() && place->second != page.filename()) to = place->second;
    } else if (!fs::exists(page.parent_path() / path) && fs::exists(docs / path)) {
      to = "../" + path;
    }
    out.append(rest, (*i)[0].first).append("](" + to + anchor + ")");
    rest = (*i)[0].second;
  }
  return out.append(rest, text.end());
}

TEST(KeyTables, follow_from_the_declarations) {
  Places places;
  for (const std::string& page : input_pages())
    for (const std::string& anchor : anchors_of(page))
      EXPECT_TRUE(places.emplace(anchor, fs::path(page).filename().string()).second)
          << page << " has the heading #" << anchor << ", as another page of docs/inputs/ has";
  for (const std::string& file : input_pages()) {
    const std::string page = read_text_file(file);
    std::string expected = with_links(with_key_tables(page), file, places);
    while (expected.ends_with("\n\n")) expected.pop_back();
    if (std::getenv("ORRERY_WRITE_PAGES") != nullptr)
      std::ofstream(file) << expected;
    else
      EXPECT_EQ(page, expected) << "run scripts/write-key-tables";
  }
}

}  // namespace
}  // namespace orrery::test::key_tables_test
