#include "study/experiment/yaml_comparisons.hpp"

#include <string_view>
#include <unordered_map>

#include "base/diagnostics/words.hpp"
#include "base/input/keys.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

constexpr double max_work = 1e9;

struct ComparisonDraft : RunComparison {
  const std::unordered_map<std::string_view, std::size_t>& runs;  // by name
};

template <std::size_t RunComparison::*member>
void read_run(const InputNode& node, const KeyFacts& key, ComparisonDraft& draft) {
  const std::string& name = scalar_of(node, key.name);
  const auto found = draft.runs.find(name);
  if (found == draft.runs.end())
    throw InputError(node.where, "the experiment has no run " + backquoted(name) + "; give the name of one");
  draft.*member = found->second;
}

// Reads, for example, "1.62" or "< 1.5".
Measured measured(const InputNode& node, const KeyFacts&) {
  const std::string& text = scalar_of(node, "measured");
  const std::size_t behind = text.find_first_not_of("<>=");
  Measured read;
  if (behind != 0 && behind != std::string::npos) {
    const auto relation = value_of(relation_words, std::string_view(text).substr(0, behind));
    if (!relation) reject_word(node, "measured", words_of(relation_words));
    read.relation = *relation;
  }
  const std::size_t number = text.find_first_not_of("<>= ");
  const auto value =
      number == std::string::npos ? std::nullopt : parse_real(std::string_view(text).substr(number));
  if (!value) reject_value(node, "measured", "a number, or a bound such as `\"< 1.5\"`");
  read.value = *value;
  return read;
}

constexpr Key<ComparisonDraft> comparison_keys[] = {
    key::custom<read_run<&RunComparison::run>>("run", "name of a run", "required",
                                               "the run that is compared"),
    key::custom<read_run<&RunComparison::baseline>>("baseline", "name of a run", "required",
                                                    "the run with which it is compared"),
    key::positive<&RunComparison::work>("work", max_work, "above 0, up to 10⁹", "1",
                                        "how many times as much work the run does as the baseline: 8 where "
                                        "eight NPUs train on a batch each and the baseline on one")
        .trying("3"),
    key::word<compared_quantity_words, &RunComparison::quantity>(
        "quantity", "speedup",
        "quantity that is compared, from the times T of both until the last NPU ends, or those of their "
        "epochs where "
        "both have an [`epoch`](workloads.md#epochs): work · T(baseline) / "
        "T(run), or by how many percent T(run) is longer, or shorter, than work · T(baseline)"),
    key::declared<measured, KeyType::other, &RunComparison::measured>(
        "measured", "none", "measured value of the quantity, with `<`, `<=`, `>`, `>=` or `=` in front")
        .of("number, or a bound such as `\"< 1.5\"`")
        .trying("1.5"),
};

}  // namespace

std::vector<RunComparison> read_yaml_comparisons(const InputNode& node,
                                                 const std::vector<std::string>& runs) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < runs.size(); ++i) index.emplace(runs[i], i);
  std::vector<RunComparison> comparisons;
  for (const InputNode& item : list_of(node, "comparisons")) {
    ComparisonDraft draft{{}, index};
    read_map(item, "a comparison", comparison_keys, draft);
    comparisons.push_back(draft);
  }
  return comparisons;
}

std::vector<KeyPath> yaml_comparison_keys() {
  return keys_of_list<comparison_keys>();
}

}  // namespace orrery::core
