#include "support/headings.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <sstream>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test {
namespace {

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(c));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

}  // namespace

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream text(read_file_of_any_kind(page));
  bool in_block = false;
  for (std::string line; std::getline(text, line);) {
    in_block ^= line.starts_with("```");
    const std::size_t level = line.find_first_not_of('#');
    if (!in_block && level > 0 && level != std::string::npos && line[level] == ' ')
      anchors.insert(anchor_of(line.substr(level + 1)));
  }
  return anchors;
}

HeadingPlaces places_of_headings(const std::vector<std::string>& pages) {
  HeadingPlaces places;
  for (const std::string& page : pages)
    for (const std::string& anchor : anchors_of(page))
      EXPECT_TRUE(places.emplace(anchor, page).second)
          << page << " has the heading #" << anchor << ", as " << places.at(anchor) << " has";
  return places;
}

std::string with_links(const std::string& text, const std::filesystem::path& page,
                       const HeadingPlaces& places) {
  const std::filesystem::path docs = std::filesystem::path(source_dir()) / "docs";
  const std::filesystem::path folder = page.parent_path();
  const std::regex link(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  std::string out;
  auto rest = text.begin();
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i) {
    const std::string path = (*i)[1], anchor = (*i)[2];
    std::string to = path;
    if (path.empty()) {
      const auto place = places.find(anchor.substr(1));
      if (place != places.end() && place->second != page)
        to = place->second.lexically_relative(folder).string();
    } else if (!std::filesystem::exists(folder / path) && std::filesystem::exists(docs / path)) {
      to = (docs / path).lexically_relative(folder).string();
    }
    out.append(rest, (*i)[0].first).append("](" + to + anchor + ")");
    rest = (*i)[0].second;
  }
  return out.append(rest, text.end());
}

}  // namespace orrery::core::test
