// Headings of pages of the documentation, and links to them.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace orrery::core::test {

// The anchors that renderers of Markdown give the headings of this file: small letters, digits, hyphens for
// spaces.
std::set<std::string> anchors_of(const std::string& page);

// The page that has a heading with this anchor.
using HeadingPlaces = std::map<std::string, std::filesystem::path>;

// Says where the headings of several pages are. It is a failed test if two pages have the same heading.
HeadingPlaces places_of_headings(const std::vector<std::string>& pages);

// Declarations of keys and columns write links as if docs/ had one page: "#anchor" for what is on any of
// these pages, other pages by their names in docs/. Returns the text with links as they are written on
// `page`.
std::string with_links(const std::string& text, const std::filesystem::path& page,
                       const HeadingPlaces& places);

}  // namespace orrery::core::test
