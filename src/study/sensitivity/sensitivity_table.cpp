#include "study/sensitivity/sensitivity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"

namespace orrery::core {

namespace {

constexpr double min_shown = 0.0005;  // share of the run's time
constexpr std::size_t bar_width = 5;

std::optional<Real> limit_of(const SensitivityRow& row) {
  return row.helps_until > 0 ? std::optional(Real{row.helps_until, 3}) : std::nullopt;
}

// "3.4x", or ">16x" where the largest factor is not enough.
std::string limit_text(const SensitivityRow& row) {
  if (row.helps_until == 0) return {};
  if (row.helps_until == 1) return "-";
  return row.helps_further ? fmt::format(">{:.0f}x", largest_factor)
                           : fmt::format("{:.3g}x", row.helps_until);
}

constexpr Column<SensitivityRow> sensitivity_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return std::string_view(row.run); }},
    {"key", "", "Parameter, as `--set` takes it. `*` stands for all links of a graph that have that value.",
     [](auto& row) { return std::string_view(row.key); }, "parameter"},
    {"kind", "",
     "How somebody gets a better value. `hardware`: it can be bought. `layout`: by sharing the training "
     "otherwise among the same hardware. `software`: programs or their settings decide it. `fitted`: it is a "
     "constant of a model that was fitted to measurements, which nobody can buy or choose.",
     [](auto& row) { return word_of(parameter_kind_words, row.kind); }},
    {"from", "", "Value of the parameter in the run.", [](auto& row) { return std::string_view(row.from); }},
    {"to", "", "Better value of the parameter, or another word in its place.",
     [](auto& row) { return std::string_view(row.to); }, "to"},
    {"total_us", "us", "Time that the run takes with the better value, until the last NPU ends.",
     [](auto& row) { return row.is_possible() ? std::optional(row.after) : std::nullopt; }},
    {"", "us", "", [](auto& row) { return row.saved(); }, "saves"},
    {"gain", "share",
     "Share of its time by which the run is shorter. The number is negative where the run is longer.",
     [](auto& row) {
       return row.is_possible() ? std::optional(Real{row.gain(), 6}) : std::nullopt;
     },
     "gain"},
    {"helps_until", "",
     "Factor from which on a still better value, up to a factor of 16, saves less than 1 % of the run's "
     "time. It is 16 where even the step from 8 to 16 saves more than that. The cell is empty for words, and "
     "where `gain` is not above 0.",
     [](auto& row) { return limit_of(row); }},
    {"limit_us", "us", "Time that the run takes with that factor.", [](auto& row) { return row.at_that; }},
    {"", "", "", [](auto& row) { return limit_text(row); }, "up to"},
    {"cost", "", "Cost of the change, where `--costs` gives it.",
     [](auto& row) { return row.cost ? std::optional(Real{*row.cost}) : std::nullopt; }, "cost"},
    {"why_not", "", "Why the run cannot have it.", [](auto& row) { return std::string_view(row.why_not); }},
};

// These headings stand above the parameters of each kind.
constexpr std::array<EnumName<ParameterKind>, 4> heads{{
    {"hardware, which can be bought", ParameterKind::hardware},
    {"layout: how the training is shared among the hardware", ParameterKind::layout},
    {"software and its settings", ParameterKind::software},
    {"constants fitted to measurements, which nobody can buy", ParameterKind::fitted},
}};

// Shows the parameters below the heads of their kinds. There has to be one.
std::string table_of(const std::vector<SensitivityRow>& rows, bool unicode) {
  TextTable table = text_table_of(sensitivity_table, rows);
  std::vector<std::string> bars;
  const double best = std::ranges::max_element(rows, {}, &SensitivityRow::gain)->gain();
  for (const SensitivityRow& row : rows)
    bars.push_back(bar_of(best > 0 ? row.gain() / best : 0, bar_width, unicode));
  table.insert(table.columns.size() - 1, {"", true}, std::move(bars));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_first = i == 0 || rows[i].kind != rows[i - 1].kind;
    table.heads.emplace_back(is_first ? word_of(heads, rows[i].kind) : std::string_view());
  }
  return table.text();
}

bool helps(const SensitivityRow& row) {
  return row.is_possible() && row.gain() >= min_shown;
}

void add_to_list(std::string_view what, std::string& list) {
  list.append(list.empty() ? "" : ", ").append(what);
}

// Lists each name once; of many, lists only the first ones.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::vector<std::string_view> different;
  for (const std::string& name : names)
    if (std::ranges::find(different, name) == different.end()) different.push_back(name);
  const std::size_t shown = different.size() > most + 1 ? most : different.size();
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) add_to_list(different[i], list);
  if (shown < different.size()) list += fmt::format(" and {} more", different.size() - shown);
  return list;
}

// Says how many choices the run leaves to their defaults, and names the others.
std::string unchanged(const std::vector<SensitivityRow>& rows) {
  std::vector<std::string> names;
  std::size_t defaults = 0;
  for (const SensitivityRow& row : rows) {
    if (!row.is_possible() || std::abs(row.gain()) >= min_shown) continue;
    if (row.is_written)
      names.push_back(row.key);
    else
      ++defaults;
  }
  std::string list = listed(names);
  if (defaults > 0) add_to_list(fmt::format("{} choices in place of defaults", defaults), list);
  return list;
}

std::string longer(const std::vector<SensitivityRow>& rows) {
  std::vector<std::string> names;
  for (const SensitivityRow& row : rows)
    if (row.is_possible() && row.gain() <= -min_shown)
      names.push_back(fmt::format("{} = {} ({})", row.key, row.to, readable_share(-row.gain())));
  return listed(names);
}

// Returns the keys of those not possible, by reason.
std::map<std::string, std::string> impossible(const std::vector<SensitivityRow>& rows) {
  std::map<std::string, std::string> keys;
  for (const SensitivityRow& row : rows)
    if (!row.is_possible())
      add_to_list(row.to == row.from ? "a better " + row.key : row.key + " = " + row.to, keys[row.why_not]);
  return keys;
}

std::string paragraph(const std::string& begin, const std::string& list) {
  return list.empty() ? std::string() : "\n" + wrapped(begin + list, 2) + "\n";
}

std::string change_text(const TargetChange& change) {
  std::vector<std::string> parts = change.settings;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (change.factors[i] > 1) parts[i] += fmt::format(" ({:.2f}x)", change.factors[i]);
  std::string text = fmt::format("{}: {}", fmt::join(parts, ", "), readable(change.after));
  return change.cost ? text + fmt::format(", at a cost of {}", readable_count(*change.cost)) : text;
}

// Names the parameters that help but for which no costs are given.
std::string without_cost(const std::vector<SensitivityRow>& rows) {
  std::set<std::string> keys;
  for (const SensitivityRow& row : rows)
    if (helps(row) && !row.cost) keys.insert(row.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::string target_text(const Sensitivity& found) {
  if (!found.target) return {};
  const std::string target = readable(*found.target);
  if (found.total <= *found.target)
    return fmt::format("\n{} is not more than {} already.\n", found.run, target);
  if (!found.single && !found.pair)
    return paragraph(
        fmt::format("To take no more than {}: ", target),
        fmt::format("no parameter that is up to {:.0f} times better does it, nor do two of those that gain "
                    "most; constants that were fitted to measurements do not count",
                    largest_factor));
  const auto line = [](const char* what, const std::optional<TargetChange>& change) {
    return wrapped(fmt::format("  {}: {}", what, change ? change_text(*change) : "none does it"), 4) + "\n";
  };
  if (found.by_cost)
    return fmt::format("\nTo take no more than {}, at the least cost\n", target) +
           line("of one parameter", found.single) + line("of two", found.pair);
  return fmt::format("\nTo take no more than {}, by the smallest factor, as there are no --costs\n", target) +
         line("of one parameter", found.single) + line("of two by one factor", found.pair);
}

nlohmann::ordered_json change_json(const TargetChange& change) {
  nlohmann::ordered_json json{{"settings", change.settings},
                              {"factor", change.factor()},
                              {"factors", change.factors},
                              {"total_us", change.after.us()}};
  if (change.cost) json["cost"] = *change.cost;
  return json;
}

}  // namespace

const Table<SensitivityRow> sensitivity_table = sensitivity_columns;

std::string sensitivity_text(const Sensitivity& found, bool unicode) {
  std::vector<SensitivityRow> by_effect = found.rows;
  std::ranges::stable_sort(by_effect, {}, &SensitivityRow::after);
  std::string text = wrapped(fmt::format("{} takes {}. One parameter better by {} saves", found.run,
                                         readable(found.total), readable_share(found.share)),
                             2);
  std::vector<SensitivityRow> shorter;
  std::ranges::copy_if(found.rows, std::back_inserter(shorter), helps);
  text += "\n\n" + (shorter.empty() ? "  nothing, whichever it is\n" : table_of(shorter, unicode));
  text += paragraph("These change less than 0.05 %: ", unchanged(by_effect));
  text += paragraph("These make it longer: ", longer(by_effect));
  for (const auto& [reason, keys] : impossible(found.rows))
    text += paragraph("Not possible: " + keys + ", as ", reason);
  text += target_text(found);
  if (found.by_cost) text += paragraph("Nobody says what these cost: ", without_cost(found.rows));
  return text;
}

nlohmann::ordered_json sensitivity_to_json(const std::string& experiment, const Sensitivity& found) {
  nlohmann::ordered_json json{
      {"experiment", experiment}, {"run", found.run}, {"total_us", found.total.us()}, {"share", found.share}};
  json["parameters"] = json_of<nlohmann::ordered_json>(sensitivity_table, found.rows);
  if (found.target) json["target_us"] = found.target->us();
  if (found.target) json["least_by"] = found.by_cost ? "cost" : "factor";
  if (found.single) json["single"] = change_json(*found.single);
  if (found.pair) json["pair"] = change_json(*found.pair);
  return json;
}

}  // namespace orrery::core
