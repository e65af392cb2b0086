#include "study/sensitivity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/readable.hpp"

namespace orrery {

namespace {

constexpr double least_shown = 0.0005;  // share of the run's time

Cell limit_of(const SensitivityRow& row) {
  return row.helps_until > 0 ? Cell(Real{row.helps_until, 0}) : Cell();
}

// "4x", or ">16x" where the largest factor still helps.
std::string limit_text(const SensitivityRow& row) {
  if (row.helps_until == 0) return {};
  if (row.helps_until == 1) return "-";
  return fmt::format("{}{:.0f}x", row.helps_until >= largest_factor ? ">" : "", row.helps_until);
}

constexpr Column<SensitivityRow> sensitivity_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return std::string_view(row.run); }},
    {"key", "", "The parameter, as `--set` takes it; `*` stands for all links of a graph with that value.",
     [](auto& row) { return std::string_view(row.key); }, "parameter"},
    {"from", "", "Its value in the run.", [](auto& row) { return std::string_view(row.from); }},
    {"to", "", "The better value, or another word.", [](auto& row) { return std::string_view(row.to); },
     "to"},
    {"total_us", "us", "What the run takes with it, until the last NPU ends.",
     [](auto& row) { return row.is_possible() ? Cell(row.after) : Cell(); }},
    {"", "us", "", [](auto& row) { return row.saved(); }, "saves"},
    {"gain", "share", "By which share of its time the run is shorter; negative: longer.",
     [](auto& row) {
       return row.is_possible() ? Cell(Real{row.gain(), 6}) : Cell();
     },
     "gain"},
    {"helps_until", "",
     "Factor up to which each doubling of the value gains 1 % of the run's time at least: 1, 2, 4, 8 or 16, "
     "where the search ends. Empty for words and where `gain` is not above 0.",
     [](auto& row) { return limit_of(row); }},
    {"limit_us", "us", "What the run takes then.", [](auto& row) { return Cell(row.at_that); }},
    {"", "", "", [](auto& row) { return limit_text(row); }, "up to"},
    {"why_not", "", "Why the run cannot have it.", [](auto& row) { return std::string_view(row.why_not); }},
};

std::string bar(double share_of_best, bool unicode) {
  constexpr int width = 5;
  std::string text;
  for (int i = 0; i < std::lround(share_of_best * width); ++i) text += unicode ? "█" : "#";
  return text;
}

std::string table_of(const std::vector<SensitivityRow>& rows, bool unicode) {
  TextTable table = text_table_of(sensitivity_table, rows);
  std::vector<std::string> bars;
  const double best = rows.front().gain();
  for (const SensitivityRow& row : rows)
    bars.push_back(bar(best > 0 ? std::max(0.0, row.gain()) / best : 0, unicode));
  table.insert(table.columns.size() - 1, {"", true}, std::move(bars));
  return table.text();
}

bool helps(const SensitivityRow& row) {
  return row.is_possible() && row.gain() >= least_shown;
}

void add_to_list(std::string_view what, std::string& list) {
  list.append(list.empty() ? "" : ", ").append(what);
}

// Says how many choices the run leaves to their defaults, and names the others.
std::string unchanged(const std::vector<SensitivityRow>& rows) {
  std::string list;
  std::size_t defaults = 0;
  for (const SensitivityRow& row : rows) {
    if (!row.is_possible() || std::abs(row.gain()) >= least_shown) continue;
    if (row.is_written)
      add_to_list(row.key, list);
    else
      ++defaults;
  }
  if (defaults > 0) add_to_list(fmt::format("{} choices in place of defaults", defaults), list);
  return list;
}

std::string longer(const std::vector<SensitivityRow>& rows) {
  std::string list;
  for (const SensitivityRow& row : rows)
    if (row.is_possible() && row.gain() <= -least_shown)
      add_to_list(fmt::format("{} = {} ({})", row.key, row.to, readable_share(-row.gain())), list);
  return list;
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
  std::string text = fmt::format("{}", fmt::join(change.settings, ", "));
  if (change.factor > 1) text += fmt::format(" ({:.2f}x)", change.factor);
  return text + fmt::format(": {}", readable(change.after));
}

std::string target_text(const Sensitivity& found) {
  if (!found.target) return {};
  const std::string target = readable(*found.target);
  if (found.total <= *found.target)
    return fmt::format("\n{} is not more than {} already.\n", found.run, target);
  if (!found.single && !found.pair)
    return paragraph(
        fmt::format("To take no more than {}: ", target),
        fmt::format("no parameter that is up to {:.0f} times better does it, nor do two of the {} "
                    "that gain most",
                    largest_factor, paired_parameters));
  const auto line = [](const char* what, const std::optional<TargetChange>& change) {
    return wrapped(fmt::format("  {}: {}", what, change ? change_text(*change) : "none does it"), 4) + "\n";
  };
  return fmt::format("\nTo take no more than {}, the least change is\n", target) +
         line("of one parameter", found.single) + line("of two by one factor", found.pair);
}

nlohmann::ordered_json change_json(const TargetChange& change) {
  return {{"settings", change.settings}, {"factor", change.factor}, {"total_us", change.after.us()}};
}

}  // namespace

const Table<SensitivityRow> sensitivity_table = sensitivity_columns;

std::string sensitivity_text(const Sensitivity& found, bool unicode) {
  std::string text = wrapped(fmt::format("{} takes {}. One parameter better by {} saves", found.run,
                                         readable(found.total), readable_share(found.share)),
                             2);
  std::vector<SensitivityRow> shorter;
  std::ranges::copy_if(found.rows, std::back_inserter(shorter), helps);
  text += "\n\n" + (shorter.empty() ? "  nothing, whichever it is\n" : table_of(shorter, unicode));
  text += paragraph("These change less than 0.05 %: ", unchanged(found.rows));
  text += paragraph("These make it longer: ", longer(found.rows));
  for (const auto& [reason, keys] : impossible(found.rows))
    text += paragraph("Not possible: " + keys + ", as ", reason);
  return text + target_text(found);
}

nlohmann::ordered_json sensitivity_to_json(const std::string& experiment, const Sensitivity& found) {
  nlohmann::ordered_json json{
      {"experiment", experiment}, {"run", found.run}, {"total_us", found.total.us()}, {"share", found.share}};
  json["parameters"] = json_of<nlohmann::ordered_json>(sensitivity_table, found.rows);
  if (found.target) json["target_us"] = found.target->us();
  if (found.single) json["single"] = change_json(*found.single);
  if (found.pair) json["pair"] = change_json(*found.pair);
  return json;
}

}  // namespace orrery
