#include "study/yaml_comparisons.hpp"

#include <string_view>
#include <unordered_map>

#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr double most_work = 1e9;

struct ComparisonDraft {
  const std::unordered_map<std::string_view, std::size_t>& runs;  // by name
  RunComparison comparison = {};
};

std::size_t run_of(const YamlNode& node, std::string_view key, const ComparisonDraft& draft) {
  const std::string& name = scalar_of(node, key);
  const auto found = draft.runs.find(name);
  if (found == draft.runs.end())
    throw InputError(node.where, "the experiment has no run " + backquoted(name) + "; give the name of one");
  return found->second;
}

// "1.62", "< 1.5".
Measured measured_of(const YamlNode& node) {
  const std::string& text = scalar_of(node, "measured");
  const std::size_t behind = text.find_first_not_of("<>=");
  Measured measured;
  if (behind != 0 && behind != std::string::npos) {
    const auto relation = value_of(relation_words, std::string_view(text).substr(0, behind));
    if (!relation) reject_word(node, "measured", words_of(relation_words));
    measured.relation = *relation;
  }
  const std::size_t number = text.find_first_not_of("<>= ");
  const auto value =
      number == std::string::npos ? std::nullopt : parse_real(std::string_view(text).substr(number));
  if (!value) reject_value(node, "measured", "a number, or a bound such as `\"< 1.5\"`");
  measured.value = *value;
  return measured;
}

constexpr YamlKey<ComparisonDraft> comparison_keys[] = {
    {"run", [](const YamlNode& v, ComparisonDraft& d) { d.comparison.run = run_of(v, "run", d); }},
    {"baseline",
     [](const YamlNode& v, ComparisonDraft& d) { d.comparison.baseline = run_of(v, "baseline", d); }},
    {"work",
     [](const YamlNode& v, ComparisonDraft& d) {
       d.comparison.work = real_of(v, "work", 0, most_work);
       if (d.comparison.work == 0) reject_value(v, "work", "a number above 0");
     }},
    {"quantity",
     [](const YamlNode& v, ComparisonDraft& d) {
       d.comparison.quantity = word_value_of(v, "quantity", compared_quantity_words);
     }},
    {"measured", [](const YamlNode& v, ComparisonDraft& d) { d.comparison.measured = measured_of(v); }},
};

}  // namespace

std::vector<RunComparison> read_yaml_comparisons(const YamlNode& node, const std::vector<std::string>& runs) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < runs.size(); ++i) index.emplace(runs[i], i);
  std::vector<RunComparison> comparisons;
  for (const YamlNode& item : list_of(node, "comparisons")) {
    ComparisonDraft draft{index};
    read_map(item, "a comparison", comparison_keys, draft);
    for (const std::string_view key : {"run", "baseline"}) required(item, "a comparison", key);
    comparisons.push_back(draft.comparison);
  }
  return comparisons;
}

std::vector<std::string> yaml_comparison_keys() {
  return key_paths("[].", comparison_keys);
}

}  // namespace orrery
