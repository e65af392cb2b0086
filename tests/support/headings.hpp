// Headings of pages of the documentation.
#pragma once

#include <set>
#include <string>

namespace orrery::test {

// The anchors that renderers of Markdown give the headings of this file: small letters, digits, hyphens for
// spaces.
std::set<std::string> anchors_of(const std::string& page);

}  // namespace orrery::test
