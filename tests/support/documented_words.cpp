#include "support/documented_words.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test {
namespace {

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += "\n  " + word;
  return out;
}

std::vector<std::string> pages_below(const std::string& folder) {
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/" + folder))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
  std::ranges::sort(pages);
  return pages;
}

Words codes_of(const std::vector<std::string>& pages) {
  Words words;
  for (const std::string& page : pages) words.merge(codes_in(read_file_of_any_kind(page)));
  return words;
}

}  // namespace

Words codes_in(const std::string& text) {
  const std::regex code("`([^`]+)`");
  Words words;
  bool in_block = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    in_block ^= fence;
    if (in_block || fence) continue;
    for (std::sregex_iterator i(line.begin(), line.end(), code), end; i != end; ++i) words.insert((*i)[1]);
  }
  return words;
}

std::vector<std::string> input_pages() {
  return pages_below("inputs");
}

Words codes_of_inputs() {
  return codes_of(input_pages());
}

std::vector<std::string> output_pages() {
  std::vector<std::string> pages = pages_below("outputs");
  pages.push_back(source_dir() + std::string("/docs/outputs.md"));
  return pages;
}

Words codes_of_outputs() {
  return codes_of(output_pages());
}

testing::AssertionResult all_among(const Words& words, const Words& others) {
  Words missing;
  std::set_difference(words.begin(), words.end(), others.begin(), others.end(),
                      std::inserter(missing, missing.end()));
  if (missing.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "missing:" << joined(missing);
}

Words strings(const std::vector<std::string_view>& words) {
  return {words.begin(), words.end()};
}

Words with_prefix(const Words& words, std::string_view prefix) {
  Words found;
  for (const std::string& word : words) {
    if (word.starts_with(prefix)) found.insert(word);
  }
  return found;
}

}  // namespace orrery::core::test
