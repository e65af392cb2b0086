#include "study/space/yaml_sweep.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "report/summary/run_tables.hpp"
#include "study/space/value_ranges.hpp"

namespace orrery::core {

namespace {

constexpr std::int64_t most_drawn = 10'000'000;

constexpr std::array<EnumName<SampleMethod>, 2> method_words{
    {{"random", SampleMethod::random}, {"latin-hypercube", SampleMethod::latin_hypercube}}};

constexpr Key<SweepSample> sample_keys[] = {
    key::word<method_words, &SweepSample::method>(
        "method", "random",
        "`random` draws each combination by itself and takes so many different ones that meet the "
        "conditions. `latin-hypercube` cuts each key's values into as many parts as there are runs and takes "
        "one of each; combinations that do not meet the conditions are left out"),
    key::integer<&SweepSample::runs>("runs", 1, most_drawn, "required", "number of runs that are drawn"),
    key::integer<&SweepSample::seed>("seed", 0, std::int64_t{1} << 53, "0", "seed of the random numbers"),
};

struct SweepDraft {
  const InputNode *grid = nullptr, *zip = nullptr, *where = nullptr;
  std::optional<SweepSample> sample;
};

constexpr Key<SweepDraft> sweep_keys[] = {
    key::kept<&SweepDraft::grid>("grid", "map from keys to values", "none",
                                 "keys, as paths with dots like those of `--set`, each with a list of values "
                                 "or a [range](#ranges). Every combination is a run")
        .open(),
    key::kept<&SweepDraft::zip>("zip", "map, or list of maps, from keys to values", "none",
                                "keys whose values belong together: the first of one to the first of the "
                                "others, and so on. The whole is one axis of the grid")
        .open(),
    key::kept<&SweepDraft::where>("where", "expression, or list of these", "none",
                                  "[conditions](#conditions) over the keys that a "
                                  "combination has to meet, such as `tensor * data == 1024`")
        .trying("1 < 2"),
    key::map<sample_keys, &SweepDraft::sample>("sample", "a sample", "none",
                                               "[how many combinations are drawn](#samples) "
                                               "in place of all"),
};

class SpaceReader {
 public:
  SweepSpace read(const InputNode& node) {
    SweepDraft draft;
    read_map(node, "a sweep", sweep_keys, draft);
    space_.where = node.where;
    space_.sample = draft.sample;
    if (draft.zip)
      for (const InputNode& zipped : maps_of(*draft.zip)) read_zip(zipped);
    if (draft.grid) read_grid(*draft.grid);
    if (space_.keys.empty())
      throw InputError(node.where, "a sweep varies nothing; give it a `grid` of keys with their values");
    set_shown_names();
    if (draft.where) read_conditions(*draft.where);
    return std::move(space_);
  }

 private:
  static std::vector<InputNode> maps_of(const InputNode& node) {
    return node.kind == InputNode::Kind::list ? node.items : std::vector<InputNode>{node};
  }

  void read_grid(const InputNode& grid) {
    require_map(grid, "`grid`");
    for (std::size_t i = 0; i < grid.names.size(); ++i) {
      SweepAxis axis;
      axis.where = grid.names[i].where;
      add_key(axis, grid.names[i], grid.items[i], false);
      space_.axes.push_back(std::move(axis));
    }
  }

  void read_zip(const InputNode& zipped) {
    require_map(zipped, "`zip`");
    SweepAxis axis;
    axis.where = zipped.where;
    for (std::size_t i = 0; i < zipped.names.size(); ++i) {
      add_key(axis, zipped.names[i], zipped.items[i], true);
      if (axis.range)
        throw InputError(zipped.items[i].where,
                         "keys of a `zip` need a list of values, or a range with steps");
      if (axis.values.back().size() != axis.size())
        throw InputError(zipped.names[i].where,
                         fmt::format("{} has {} values and {} has {}, but those of a `zip` belong together; "
                                     "give them equally many",
                                     backquoted(zipped.names[0].text), axis.size(),
                                     backquoted(zipped.names[i].text), axis.values.back().size()));
    }
    if (axis.keys.empty()) throw InputError(zipped.where, "a `zip` is empty; give it keys with their values");
    refuse_equal_rows(zipped, axis);
    space_.axes.push_back(std::move(axis));
  }

  void add_key(SweepAxis& axis, const InputName& name, const InputNode& values, bool zipped) {
    constexpr std::array<std::string_view, 6> of_the_document{"name",        "runs",    "sweep",
                                                              "comparisons", "reports", "objectives"};
    const std::string first = name.text.substr(0, name.text.find('.'));
    if (std::ranges::find(of_the_document, first) != of_the_document.end())
      throw InputError(name.where,
                       backquoted(name.text) + " is no key that runs can differ in; name another");
    for (const SweptKey& other : space_.keys)
      if (other.path == name.text)
        throw InputError(name.where, backquoted(name.text) + " is varied twice; leave one out");
    axis.keys.push_back(space_.keys.size());
    SweptKey key{name.text, name.text, name.where, {}};
    if (values.kind == InputNode::Kind::map) {
      ValueRange range = read_value_range(values);
      if (range.range) return add_range(axis, std::move(key), *range.range);
      return add_steps(axis, std::move(key), *range.steps);
    }
    add_values(axis, std::move(key), list_of(values, name.text), zipped);
  }

  void add_range(SweepAxis& axis, SweptKey key, const NumberRange& range) {
    if (!space_.sample)
      throw InputError(key.where,
                       "a range without `step` or `factor` has values without number; give it "
                       "one of these, or the sweep a `sample`");
    axis.range = range;
    std::vector<SweptValue> ends;
    for (const double end : {range.from, range.to}) {
      InputNode node;
      node.kind = InputNode::Kind::scalar;
      node.text = fmt::format("{:.6g}{}", end, range.unit);
      ends.push_back(swept_value(std::move(node), 0));
    }
    key.column = set_plain_values(key.path, ends);
    if (key.column.type == SweptColumn::Type::integer && !range.whole)
      key.column.type = SweptColumn::Type::real;
    space_.keys.push_back(std::move(key));
  }

  // The first values say what all are: whether they are whole, and in which unit.
  void add_steps(SweepAxis& axis, SweptKey key, const NumberSteps& steps) {
    std::vector<SweptValue> first;
    for (std::size_t place = 0; place < std::min<std::size_t>(steps.count, 100); ++place)
      first.push_back(swept_value(steps.value_at(place), place));
    key.column = set_plain_values(key.path, first);
    axis.values.emplace_back(steps, key.path, key.column);
    space_.keys.push_back(std::move(key));
  }

  // In a zip, several rows may have one value of a key.
  void add_values(SweepAxis& axis, SweptKey key, const std::vector<InputNode>& nodes, bool zipped) {
    std::vector<SweptValue> values;
    std::map<std::string, std::size_t> numbers;  // of the values, by their contents
    std::vector<std::size_t> rows;               // numbers of values
    std::set<std::string> labels;
    for (const InputNode& node : nodes) {
      SweptValue value = swept_value(node, values.size());
      const auto [known, is_new] = numbers.emplace(value.content, values.size());
      if (!is_new && !zipped)
        throw InputError(node.where, fmt::format("{} has the value {} twice; leave one out",
                                                 backquoted(key.path), backquoted(value.text)));
      rows.push_back(known->second);
      if (!is_new) continue;
      const bool has_label = !value.label.empty() || value.leaves_out();
      if (!has_label || !labels.insert(value.label).second)
        labels.insert(value.label += fmt::format("{}{}", has_label ? "-" : "", values.size() + 1));
      values.push_back(std::move(value));
    }
    key.column = set_plain_values(key.path, values);
    std::vector<SharedValue> shared;
    for (SweptValue& value : values) shared.push_back(std::make_shared<const SweptValue>(std::move(value)));
    std::vector<SharedValue> by_row;
    for (const std::size_t number : rows) by_row.push_back(shared[number]);
    axis.values.emplace_back(std::move(by_row));
    space_.keys.push_back(std::move(key));
  }

  // Two equal rows would be one run twice.
  static void refuse_equal_rows(const InputNode& zipped, const SweepAxis& axis) {
    if (std::ranges::any_of(axis.values, &KeyValues::are_steps)) return;
    std::set<std::string> seen;
    for (std::size_t row = 0; row < axis.size(); ++row) {
      std::string content;
      for (const KeyValues& values : axis.values) content += values.at(row)->content + '\n';
      if (!seen.insert(content).second)
        throw InputError(zipped.where, fmt::format("the rows of a `zip` have to differ, but row {} is as one "
                                                   "before it; leave it out",
                                                   row + 1));
    }
  }

  // A key is shown by as many of the last words of its path as tell it from the others.
  void set_shown_names() {
    for (SweptKey& key : space_.keys) {
      std::size_t begin = key.path.size();
      do {
        begin = begin == 0 ? 0 : key.path.rfind('.', begin - 1);
        begin = begin == std::string::npos ? 0 : begin;
        key.shown = key.path.substr(begin == 0 ? 0 : begin + 1);
      } while (begin > 0 && ends_another(key));
    }
  }

  bool ends_another(const SweptKey& key) const {
    return std::ranges::any_of(space_.keys, [&](const SweptKey& other) {
      return &other != &key && (other.path == key.shown || other.path.ends_with("." + key.shown));
    });
  }

  void read_conditions(const InputNode& where) {
    if (where.kind != InputNode::Kind::list)
      return space_.conditions.push_back({scalar_of(where, "where"), where.where});
    for (const InputNode& item : list_of(where, "where"))
      space_.conditions.push_back({scalar_of(item, "where"), item.where});
  }

  SweepSpace space_;
};

void read_goal(const InputNode& node, const KeyFacts& key, Objective& objective) {
  constexpr std::array<EnumName<bool>, 2> goal_words{{{"minimum", false}, {"maximum", true}}};
  objective.maximum = word_value_of(node, key.name, goal_words);
}

void read_column(const InputNode& node, const KeyFacts& key, Objective& objective) {
  objective.column = scalar_of(node, key.name);
  std::vector<std::string_view> numbers;
  for (const Column<RunRow>& column : run_table)
    if (column.in(Form::csv) && (column.type == ValueType::integer || column.type == ValueType::real))
      numbers.push_back(column.name);
  if (std::ranges::find(numbers, objective.column) == numbers.end()) reject_word(node, key.name, numbers);
}

constexpr Key<Objective> objective_keys[] = {
    key::custom<read_column>("column", "name of a column of numbers in runs.csv", "required",
                             "the column that is to be small or large"),
    key::custom<read_goal>("goal", "`minimum`, `maximum`", "`minimum`", "which of the two"),
};

}  // namespace

SweepSpace read_yaml_sweep(const InputNode& node) {
  return SpaceReader().read(node);
}

std::vector<KeyPath> yaml_sweep_keys() {
  return keys_of_map<sweep_keys>();
}

std::vector<Objective> read_yaml_objectives(const InputNode& node) {
  std::vector<Objective> objectives;
  for (const InputNode& item : list_of(node, "objectives")) {
    Objective& objective = objectives.emplace_back();
    if (item.kind == InputNode::Kind::map)
      read_map(item, "an objective", objective_keys, objective);
    else
      read_column(item, objective_keys[0], objective);
  }
  return objectives;
}

std::vector<KeyPath> yaml_objective_keys() {
  return keys_of_list<objective_keys>();
}

}  // namespace orrery::core
