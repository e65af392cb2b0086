#include "report/compare/run_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text/readable.hpp"
#include "report/table/signed_bars.hpp"

namespace orrery::core {

namespace {

// Returns what a terminal shows of a value that may be missing.
std::string_view or_none(std::string_view value) {
  return value.empty() ? "none" : value;
}

constexpr Column<InputChange> input_change_columns[] = {
    {"key", "", "Key of the experiment, name of a file, or property of the run.",
     [](auto& row) { return std::string_view(row.key); }, "input"},
    {"before", "", "Value that the first run has. It is empty where that run has none.",
     [](auto& row) { return std::string_view(row.before); }},
    {"after", "", "Value that the other run has. It is empty where that run has none.",
     [](auto& row) { return std::string_view(row.after); }},
    {"", "", "", [](auto& row) { return or_none(row.before); }, "before"},
    {"", "", "", [](auto& row) { return or_none(row.after); }, "after"},
};

constexpr Column<TimeChange> time_change_columns[] = {
    {"what", "",
     "What the time goes to: `compute`, `bubble`, `exposed communication`, `idle`, or exposed communication "
     "along "
     "one axis.",
     [](auto& row) { return std::string_view(row.what); }, "time"},
    {"before_us", "us", "Time that it takes in the first run.", [](auto& row) { return row.before; },
     "before"},
    {"after_us", "us", "Time that it takes in the other run.", [](auto& row) { return row.after; }, "after"},
    {"change_us", "us",
     "How much longer it takes in the other run. The number is negative where it is shorter.",
     [](auto& row) { return row.after - row.before; }},
    {"", "", "", [](auto& row) { return with_sign(row.after - row.before); }, "change"},
};

constexpr Column<LayerChange> layer_change_columns[] = {
    {"layer", "", "Name of the layer.", [](auto& row) { return std::string_view(row.layer); }, "layer"},
    {"compute_before_us", "us", "Compute of the layer in the first run.",
     [](auto& row) { return row.compute_before; }},
    {"compute_after_us", "us", "Compute of the layer in the other run.",
     [](auto& row) { return row.compute_after; }},
    {"exposed_before_us", "us", "Exposed communication of the layer in the first run.",
     [](auto& row) { return row.exposed_before; }},
    {"exposed_after_us", "us", "Exposed communication of the layer in the other run.",
     [](auto& row) { return row.exposed_after; }},
    {"change_us", "us",
     "How much longer both together take in the other run. The number is negative where they are shorter.",
     [](auto& row) { return row.change(); }},
    {"", "", "", [](auto& row) { return with_sign(row.compute_after - row.compute_before); }, "compute"},
    {"", "", "", [](auto& row) { return with_sign(row.exposed_after - row.exposed_before); }, "exposed"},
    {"", "", "", [](auto& row) { return with_sign(row.change()); }, "change"},
};

// Returns the links as a terminal shows them: those of one run, if they are the same in both or the other run
// lacks them.
std::string links_of(const LinkUseChange& change) {
  if (change.before == change.after || change.after.empty()) return change.before;
  return change.before.empty() ? change.after : change.before + ", then " + change.after;
}

std::optional<Time> known_time(Time time) {
  return time > Time() ? std::optional(time) : std::nullopt;
}

constexpr Column<LinkUseChange> link_change_columns[] = {
    {"dimension", "", "Name of the dimension.", [](auto& row) { return std::string_view(row.dimension); },
     "links of"},
    {"link_before", "", "Link in the first run. It is empty where that run lacks the link.",
     [](auto& row) { return std::string_view(row.before); }},
    {"link_after", "", "Link in the other run. It is empty where that run lacks the link.",
     [](auto& row) { return std::string_view(row.after); }},
    {"", "", "", [](auto& row) { return links_of(row); }, "link"},
    {"use_before", "share",
     "Share of the time in which the link of the first run is busy. It is empty where that run lacks the "
     "link.",
     [](auto& row) { return row.before.empty() ? std::nullopt : std::optional(row.use_before); },
     "use before"},
    {"use_after", "share",
     "Share of the time in which the link of the other run is busy. It is empty where that run lacks the "
     "link.",
     [](auto& row) { return row.after.empty() ? std::nullopt : std::optional(row.use_after); }, "use after"},
    {"busy_before_us", "us",
     "Time for which the link of the first run is busy. It is empty where that run lacks links.csv.",
     [](auto& row) { return known_time(row.busy_before); }},
    {"busy_after_us", "us",
     "Time for which the link of the other run is busy. It is empty where that run lacks links.csv.",
     [](auto& row) { return known_time(row.busy_after); }},
};

std::vector<TimeChange> time_changes(const Summary& before, const Summary& after) {
  std::vector<TimeChange> changes{{"compute", before.time.compute, after.time.compute}};
  if (before.time.bubble > Time() || after.time.bubble > Time())
    changes.push_back({"bubble", before.time.bubble, after.time.bubble});
  changes.push_back({"exposed communication", before.time.exposed, after.time.exposed});
  if (before.training && after.training)
    for (const TrainingSummary::Axis& axis : before.training->axes)
      for (const TrainingSummary::Axis& other : after.training->axes)
        if (axis.name == other.name && std::max(axis.exposed, other.exposed) > Time())
          changes.push_back({"- along " + axis.name, axis.exposed, other.exposed});
  if (before.time.idle > Time() || after.time.idle > Time())
    changes.push_back({"idle", before.time.idle, after.time.idle});
  return changes;
}

std::vector<LayerChange> layer_changes(const Summary& before, const Summary& after) {
  std::vector<LayerChange> changes;
  std::map<std::string_view, std::size_t> places;
  const auto change_of = [&](const LayerSummary& layer) -> LayerChange& {
    const auto [known, is_new] = places.emplace(layer.name, changes.size());
    if (is_new) changes.push_back({layer.name, {}, {}, {}, {}});
    return changes[known->second];
  };
  for (const LayerSummary& layer : before.layers) {
    LayerChange& change = change_of(layer);
    change.compute_before = layer.compute;
    change.exposed_before = layer.exposed;
  }
  for (const LayerSummary& layer : after.layers) {
    LayerChange& change = change_of(layer);
    change.compute_after = layer.compute;
    change.exposed_after = layer.exposed;
  }
  std::erase_if(changes, [](const LayerChange& change) {
    return change.compute_before == change.compute_after && change.exposed_before == change.exposed_after;
  });
  std::ranges::stable_sort(changes, std::greater<>(),
                           [](const LayerChange& change) { return std::abs(change.change().ps()); });
  return changes;
}

std::string ends_of(const BusiestLinks& links) {
  return fmt::format("{} to {}", links.from, links.to);
}

std::vector<LinkUseChange> changes_of_busiest_links(const std::vector<BusiestLinks>& before,
                                                    const std::vector<BusiestLinks>& after) {
  std::vector<LinkUseChange> changes;
  for (const BusiestLinks& links : before)
    changes.push_back({links.dimension, ends_of(links), {}, links.utilization, 0});
  for (const BusiestLinks& links : after) {
    auto change = std::ranges::find(changes, links.dimension, &LinkUseChange::dimension);
    if (change == changes.end())
      change = changes.insert(change, LinkUseChange{links.dimension, {}, {}, 0, 0});
    change->after = ends_of(links);
    change->use_after = links.utilization;
  }
  return changes;
}

// The links of each dimension, as the lines of a file have them: their ends and how many they are.
using LinesByDimension = std::map<std::string, std::set<std::pair<std::string, std::uint64_t>>>;

LinesByDimension lines_of(const std::vector<BusiestLinks>& links) {
  LinesByDimension lines;
  for (const BusiestLinks& line : links) lines[line.dimension].emplace(ends_of(line), line.links);
  return lines;
}

// Where links carry equally much, a line may stand for all of them. So if such lines stand for other sets of
// links in one run than in the other, the links of a dimension cannot be told apart in both runs. Then the
// busiest links of both runs stand side by side.
std::set<std::string> dimensions_with_other_lines(const std::vector<BusiestLinks>& before,
                                                  const std::vector<BusiestLinks>& after) {
  std::set<std::string> dimensions;
  const LinesByDimension lines_after = lines_of(after);
  for (const auto& [dimension, lines] : lines_of(before)) {
    const auto found = lines_after.find(dimension);
    if (found == lines_after.end() || found->second == lines) continue;
    const auto stands_for_several = [](const auto& line) { return line.second > 1; };
    if (std::ranges::any_of(lines, stands_for_several) ||
        std::ranges::any_of(found->second, stands_for_several))
      dimensions.insert(dimension);
  }
  return dimensions;
}

std::vector<BusiestLinks> busiest_of_these(const std::set<std::string>& dimensions,
                                           const std::vector<BusiestLinks>& links) {
  std::map<std::string_view, BusiestLinks> busiest;
  for (const BusiestLinks& line : links) {
    if (!dimensions.contains(line.dimension)) continue;
    const auto [found, is_new] = busiest.try_emplace(line.dimension, line);
    if (line.utilization > found->second.utilization) found->second = line;
  }
  std::vector<BusiestLinks> list;
  for (auto& [dimension, line] : busiest) list.push_back(std::move(line));
  return list;
}

// Links that are as busy in both runs are left out.
std::vector<LinkUseChange> changes_of_links(std::vector<BusiestLinks> before,
                                            std::vector<BusiestLinks> after) {
  const std::set<std::string> others = dimensions_with_other_lines(before, after);
  std::vector<LinkUseChange> changes =
      changes_of_busiest_links(busiest_of_these(others, before), busiest_of_these(others, after));
  for (std::vector<BusiestLinks>* links : {&before, &after})
    std::erase_if(*links, [&](const BusiestLinks& line) { return others.contains(line.dimension); });
  std::map<std::pair<std::string, std::string>, LinkUseChange> by_ends;
  const auto change_of = [&](const BusiestLinks& links) -> LinkUseChange& {
    LinkUseChange& change = by_ends[{links.dimension, ends_of(links)}];
    change.dimension = links.dimension;
    return change;
  };
  for (const BusiestLinks& links : before) {
    LinkUseChange& change = change_of(links);
    change.before = ends_of(links);
    change.use_before = links.utilization;
    change.busy_before = links.busy;
  }
  for (const BusiestLinks& links : after) {
    LinkUseChange& change = change_of(links);
    change.after = ends_of(links);
    change.use_after = links.utilization;
    change.busy_after = links.busy;
  }
  for (auto& [ends, change] : by_ends)
    if (change.change() != 0) changes.push_back(std::move(change));
  std::ranges::stable_sort(changes, std::greater<>(),
                           [](const LinkUseChange& change) { return std::abs(change.change()); });
  std::stable_partition(changes.begin(), changes.end(),
                        [](const LinkUseChange& change) { return !change.is_as_busy(); });
  constexpr std::size_t most = 1000;
  if (changes.size() > most) changes.resize(most);
  return changes;
}

constexpr std::size_t max_lines_of_changes = 12;

std::string left_out(std::size_t rows) {
  return rows <= max_lines_of_changes
             ? ""
             : fmt::format("and {} more, which --json tells\n", rows - max_lines_of_changes);
}

template <class Row>
std::vector<Row> first_rows(const std::vector<Row>& rows) {
  const std::size_t shown = std::min(rows.size(), max_lines_of_changes);
  return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown)};
}

template <class Row>
std::string first_lines(Table<Row> table, const std::vector<Row>& rows) {
  return text_of(table, first_rows(rows)) + left_out(rows.size());
}

// Shows the links that are busy for longer or shorter, and says how many others there are, whose shares
// change only with the length of the run.
std::string lines_of_links(const std::vector<LinkUseChange>& links) {
  const auto as_busy = std::ranges::find_if(links, &LinkUseChange::is_as_busy);
  const auto others = links.end() - as_busy;
  std::string text;
  if (as_busy != links.begin()) text = "\n" + first_lines(link_change_table, {links.begin(), as_busy});
  if (others > 0)
    text +=
        wrapped(fmt::format("\n{} {}link{} busy for as long as before, but for another share of the run, "
                            "because the run is longer or shorter; --json tells which\n",
                            others, as_busy == links.begin() ? "" : "other ", others == 1 ? " is" : "s are"),
                2);
  return text;
}

// Returns a table of the first rows with a bar for the change of each, and how many others there are.
template <class Row>
std::string table_with_bars(Table<Row> table, const std::vector<Row>& rows, auto change_of, bool unicode) {
  const std::vector<Row> shown = first_rows(rows);
  std::vector<Time> changes;
  for (const Row& row : shown) changes.push_back(change_of(row));
  TextTable text = text_table_of(table, shown);
  for (std::size_t i = 1; i < text.columns.size(); ++i) text.columns[i].words = false;
  text.insert(text.columns.size(), {"  less | more", true}, signed_bars(changes, unicode));
  return text.text() + left_out(rows.size());
}

// Returns by what factor the longer of two times is longer, with a word for which one it is.
std::string factor_between(Time before, Time after) {
  const bool longer = after > before;
  const double factor = longer ? after.ns() / before.ns() : before.ns() / after.ns();
  return fmt::format("{:.3g} times as {}", factor, longer ? "slow" : "fast");
}

std::string iterations(int passes) {
  return fmt::format("{} training iteration{}", passes, passes == 1 ? "" : "s");
}

// "b takes 2.400 ms for 2 training iterations, a 1 ms for 1: per iteration it is 1.2 times as slow"
std::string headline_per_iteration(const RunChanges& changes) {
  const Time before = Time::from_ns_rounded(changes.total_before.ns() / changes.passes_before);
  const Time after = Time::from_ns_rounded(changes.total_after.ns() / changes.passes_after);
  const bool same = readable(before) == readable(after);
  return fmt::format("{} takes {} for {}, {} {} for {}: per iteration it {}\n", changes.after,
                     readable(changes.total_after), iterations(changes.passes_after), changes.before,
                     readable(changes.total_before), changes.passes_before,
                     same ? "takes as long" : "is " + factor_between(before, after));
}

// "b is 1.25 times as slow as a: 1.250 ms instead of 1 ms"
std::string headline(const RunChanges& changes) {
  if (changes.total_before == Time() || changes.total_after == Time())
    return fmt::format("{} takes {}, {} takes {}\n", changes.before, readable(changes.total_before),
                       changes.after, readable(changes.total_after));
  const bool in_iterations = changes.passes_before > 0 && changes.passes_after > 0;
  if (in_iterations && changes.passes_after != changes.passes_before) return headline_per_iteration(changes);
  if (changes.total_after == changes.total_before)
    return fmt::format("{} takes as long as {}: {}\n", changes.after, changes.before,
                       readable(changes.total_after));
  return fmt::format("{} is {} as {}: {} instead of {}\n", changes.after,
                     factor_between(changes.total_before, changes.total_after), changes.before,
                     readable(changes.total_after), readable(changes.total_before));
}

}  // namespace

const Table<InputChange> input_change_table(input_change_columns);
const Table<TimeChange> time_change_table(time_change_columns);
const Table<LayerChange> layer_change_table(layer_change_columns);
const Table<LinkUseChange> link_change_table(link_change_columns);

bool LinkUseChange::is_as_busy() const {
  if (busy_before == Time() || busy_after == Time()) return false;
  constexpr double rounding = 1e-6;
  return std::abs(busy_after.ns() - busy_before.ns()) <= rounding * std::max(busy_before, busy_after).ns();
}

RunChanges changes_between(const Summary& before, const Summary& after, std::vector<InputChange> inputs,
                           const std::vector<BusiestLinks>& links_before,
                           const std::vector<BusiestLinks>& links_after) {
  const bool all_links = !links_before.empty() && !links_after.empty();
  return {before.name,
          after.name,
          before.total,
          after.total,
          before.iterations,
          after.iterations,
          std::move(inputs),
          time_changes(before, after),
          layer_changes(before, after),
          all_links ? changes_of_links(links_before, links_after)
                    : changes_of_busiest_links(before.busiest_links, after.busiest_links)};
}

std::string text_of(const RunChanges& changes, bool unicode) {
  std::string text = wrapped(headline(changes), 2) + "\n";
  text += changes.inputs.empty() ? "Their inputs are the same, as far as the results tell.\n"
                                 : text_of(input_change_table, changes.inputs);
  text += "\n" + table_with_bars(
                     time_change_table, changes.times,
                     [](const TimeChange& row) { return row.after - row.before; }, unicode);
  if (!changes.layers.empty())
    text += "\n" + table_with_bars(
                       layer_change_table, changes.layers,
                       [](const LayerChange& row) { return row.change(); }, unicode);
  return text + lines_of_links(changes.links);
}

nlohmann::ordered_json to_json(const RunChanges& changes) {
  using Ordered = nlohmann::ordered_json;
  return {{"before", changes.before},
          {"after", changes.after},
          {"total_before_us", changes.total_before.us()},
          {"total_after_us", changes.total_after.us()},
          {"inputs", json_of<Ordered>(input_change_table, changes.inputs)},
          {"times", json_of<Ordered>(time_change_table, changes.times)},
          {"layers", json_of<Ordered>(layer_change_table, changes.layers)},
          {"links", json_of<Ordered>(link_change_table, changes.links)}};
}

}  // namespace orrery::core
