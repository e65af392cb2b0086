// Links between pages lead somewhere, and so do the pages that comments cite.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "base/files/file.hpp"
#include "support/documented_words.hpp"
#include "support/headings.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::links_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
      found.push_back(entry.path());
  return found;
}

TEST(Documentation, LinksLeadToPagesAndHeadings) {
  const fs::path root = source_dir();
  std::vector<fs::path> pages = files_below(root / "docs", {".md"});
  for (const char* folder : {"src", "web"})
    for (const fs::path& page : files_below(root / folder, {".md"})) pages.push_back(page);
  pages.push_back(root / "README.md");
  pages.push_back(root / "CONTRIBUTING.md");
  const std::regex link(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  std::size_t links = 0;
  for (const fs::path& page : pages) {
    const std::string text = read_file_of_any_kind(page.string());
    for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i) {
      const std::string path = (*i)[1], anchor = (*i)[2];
      if (path.find("://") != std::string::npos) continue;
      const fs::path target = path.empty() ? page : page.parent_path() / path;
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << path;
      if (!anchor.empty() && fs::exists(target)) {
        EXPECT_TRUE(anchors_of(target.string()).contains(anchor.substr(1)))
            << page << " links to " << path << anchor;
      }
      ++links;
    }
  }
  EXPECT_GT(links, 100u);
}

TEST(Documentation, EveryPageOfInputsIsInTheTableOfContents) {
  const std::string contents = read_file_of_any_kind(source_dir() + std::string("/docs/inputs.md"));
  for (const std::string& page : input_pages())
    EXPECT_NE(contents.find("](inputs/" + fs::path(page).filename().string()), std::string::npos) << page;
}

TEST(Documentation, EveryPageOfOutputsIsInTheTableOfContents) {
  const std::string contents = read_file_of_any_kind(source_dir() + std::string("/docs/outputs.md"));
  for (const std::string& page : output_pages()) {
    const std::string name = fs::path(page).filename().string();
    EXPECT_TRUE(name == "outputs.md" || contents.find("](outputs/" + name) != std::string::npos) << page;
  }
}

TEST(Documentation, CommentsCitePagesThatAreThere) {
  const fs::path root = source_dir();
  const std::regex citation(R"(docs/[\w/-]+\.md)");
  std::size_t citations = 0;
  for (const char* folder : {"src", "tests", "fuzz", "bench", "include"}) {
    for (const fs::path& file : files_below(root / folder, {".hpp", ".cpp"})) {
      const std::string text = read_file_of_any_kind(file.string());
      for (std::sregex_iterator i(text.begin(), text.end(), citation), end; i != end; ++i) {
        EXPECT_TRUE(fs::exists(root / i->str())) << file << " cites " << i->str();
        ++citations;
      }
    }
  }
  EXPECT_GT(citations, 50u);
}

}  // namespace
}  // namespace orrery::core::test::links_test
