// Reads what pages of the documentation say: only what stands there as `code` counts, outside of code blocks.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core::test {

using Words = std::set<std::string>;

Words codes_in(const std::string& text);

// The pages about inputs, as paths: docs/inputs/*.md, in the order of their names.
std::vector<std::string> input_pages();
Words codes_of_inputs();

// The pages about outputs, as paths: docs/outputs/*.md, and docs/outputs.md, which leads to them.
std::vector<std::string> output_pages();
Words codes_of_outputs();

// Names those of `words` that `others` lack.
testing::AssertionResult all_among(const Words& words, const Words& others);

Words strings(const std::vector<std::string_view>& words);
Words with_prefix(const Words& words, std::string_view prefix);

}  // namespace orrery::core::test
