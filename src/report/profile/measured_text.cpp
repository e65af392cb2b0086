// A simulated step beside a measured one for people, and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/diagnostics/printable.hpp"
#include "base/text/readable.hpp"
#include "report/profile/measured_comparison.hpp"
#include "report/table/signed_bars.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t max_lines = 14, max_kernels = 8, max_ranks = 16;
constexpr double small_share = 0.002;  // of a step, below which a difference is not worth a sentence

std::string counts(const ActivityUse& simulated, const ActivityUse& measured) {
  const auto text = [](double count) { return count == 0 ? std::string("-") : readable_count(count); };
  const std::string before = text(simulated.count), after = text(measured.count);
  return before == after ? before : before + " / " + after;
}

// A side that lacks an activity has no time for it.
std::string busy(const ActivityUse& use, bool idle = false) {
  return use.count == 0 && !idle ? "-" : readable(use.busy);
}

std::string times(Time simulated, Time measured) {
  if (simulated == Time() || measured == Time()) return "";
  const double factor = measured.ns() / simulated.ns();
  return factor < 100 ? fmt::format("{:.2f}x", factor) : fmt::format("{:.0f}x", factor);
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// "takes 1.2 times as long as simulated"
std::string how_long(const ActivityPair& pair, bool one) {
  if (pair.simulated.busy == Time()) return one ? "takes time" : "take time";
  return fmt::format("{} {:.3g} times as long", one ? "takes" : "take",
                     pair.measured.busy.ns() / pair.simulated.busy.ns());
}

std::string effect(Time change, Time gap) {
  if (change == Time()) return "; the step is as long, as that is hidden";
  std::string text =
      fmt::format(", which makes the step {} {}", readable(Time::from_ps(std::abs(change.ps()))),
                  change > Time() ? "longer" : "shorter");
  const double share = gap == Time() ? 0 : change.ns() / gap.ns();
  if (share >= 0.005 && share < 1.005) text += fmt::format(" ({:.0f}% of the difference)", share * 100);
  return text;
}

bool is_singular(ActivityKind kind) {
  const ActivityKindWords& words = words_of(kind);
  return !words.several.ends_with('s') || words.several == "softmax and loss";
}

std::string late_rank(const MeasuredComparison& comparison) {
  const auto worst = std::ranges::max_element(comparison.ranks, {}, &RankPair::awaited);
  if (worst->late == 0) return "ranks wait for one another longer";
  const std::string name =
      worst->rank ? fmt::format("rank {}", worst->rank->value()) : "the rank in " + worst->file;
  const std::string what = worst->late == 1 ? "one collective" : fmt::format("{} collectives", worst->late);
  return fmt::format("{} comes late to {}, where others wait for it", name, what);
}

std::string finding(const MeasuredComparison& comparison, const ActivityPair& pair) {
  const Time gap = comparison.measured_step() - comparison.simulated_step();
  const bool one = is_singular(pair.kind);
  std::string text;
  if (pair.kind == ActivityKind::idle) {
    text = fmt::format("the device is idle for {} instead of {}", readable(pair.measured.share),
                       readable(pair.simulated.share));
  } else if (pair.kind == ActivityKind::wait) {
    text = late_rank(comparison);
  } else if (!pair.in_both()) {
    text = fmt::format("{} {} {}", label_of(pair), one ? "is" : "are",
                       pair.measured.count > 0 ? "only measured" : "only simulated, not measured");
  } else if (std::abs(pair.measured.count - pair.simulated.count) > 0.005 * pair.simulated.count) {
    text = fmt::format("{} {} {} times instead of {} and {} in all", label_of(pair), one ? "comes" : "come",
                       readable_count(pair.measured.count), readable_count(pair.simulated.count),
                       how_long(pair, one));
  } else {
    text = fmt::format("{} {} as simulated", label_of(pair), how_long(pair, one));
  }
  return capitalized(text + effect(pair.change(), gap) + ".");
}

std::string headline(const MeasuredComparison& comparison) {
  const Time simulated = comparison.simulated_step(), measured = comparison.measured_step();
  std::string whom = comparison.ranks.size() == 1 ? "a measured rank"
                                                  : fmt::format("{} measured ranks", comparison.ranks.size());
  if (comparison.steps > 1) whom += fmt::format(", mean of {} steps", comparison.steps);
  if (comparison.left_out > 0)
    whom += fmt::format(
        ", without {}, whose end is not known",
        comparison.left_out == 1 ? "the last step" : fmt::format("{} steps", comparison.left_out));
  std::string text = fmt::format("{} beside {}: ", comparison.run, whom);
  if (simulated == measured) return text + fmt::format("both steps take {}\n", readable(measured));
  text +=
      fmt::format("the step takes {} instead of the simulated {}", readable(measured), readable(simulated));
  if (simulated > Time()) text += fmt::format(" ({:+.1f}%)", (measured.ns() / simulated.ns() - 1) * 100);
  return text + "\n";
}

std::string parts_text(const MeasuredComparison& comparison, bool unicode) {
  TextTable table = text_table_of(step_part_table, comparison.parts);
  std::vector<std::string> changes;
  std::vector<Time> sizes;
  for (const StepPart& part : comparison.parts) {
    changes.push_back(with_sign(part.measured - part.simulated));
    sizes.push_back(part.measured - part.simulated);
  }
  table.insert(3, {"change"}, std::move(changes));
  table.insert(4, {"  less | more", true}, signed_bars(sizes, unicode));
  return table.text();
}

std::string activities_text(const MeasuredComparison& comparison) {
  TextTable table{{{"activity", true}, {"count"}, {"simulated"}, {"measured"}, {"time"}, {"step"}}, {}};
  const std::size_t shown = std::min(comparison.activities.size(), max_lines);
  for (const ActivityPair& pair : std::span(comparison.activities).first(shown)) {
    const bool idle = pair.kind == ActivityKind::idle;
    table.rows.push_back({label_of(pair), idle ? "" : counts(pair.simulated, pair.measured),
                          busy(pair.simulated, idle), busy(pair.measured, idle),
                          times(pair.simulated.busy, pair.measured.busy), with_sign(pair.change())});
  }
  std::string text = table.text();
  if (shown < comparison.activities.size())
    text += fmt::format("and {} more, which --json tells\n", comparison.activities.size() - shown);
  return text;
}

// Lists kernels of the same name if both sides have some that differ. Otherwise lists measured kernels of
// unknown kinds.
std::string kernels_text(const MeasuredComparison& comparison) {
  const auto table_of = [](std::string_view title, const std::vector<const KernelPair*>& pairs) {
    TextTable table{{{std::string(title), true}, {"count"}, {"simulated"}, {"measured"}, {"time"}}, {}};
    for (const KernelPair* pair : std::span(pairs).first(std::min(pairs.size(), max_kernels))) {
      constexpr std::size_t longest = 36;
      const bool cut = pair->name.size() > longest;
      const std::string name = printable(pair->name.substr(0, longest)) + (cut ? "..." : "");
      table.rows.push_back({name, counts(pair->simulated, pair->measured), busy(pair->simulated),
                            busy(pair->measured), times(pair->simulated.busy, pair->measured.busy)});
    }
    std::string text = "\n" + table.text();
    if (pairs.size() > max_kernels)
      text += fmt::format("and {} more, which --json tells\n", pairs.size() - max_kernels);
    return text;
  };
  std::vector<const KernelPair*> common, unknown;
  for (const KernelPair& pair : comparison.kernels) {
    if (pair.in_both() && pair.busy_change() != Time()) common.push_back(&pair);
    if (pair.kind == ActivityKind::other && !pair.in_both() && pair.measured.count > 0)
      unknown.push_back(&pair);
  }
  std::string text;
  if (!common.empty()) text += table_of("kernel of both", common);
  if (!unknown.empty()) text += table_of("measured, of no known kind", unknown);
  return text;
}

std::string ranks_text(const MeasuredComparison& comparison) {
  if (comparison.ranks.size() < 2) return "";
  const std::size_t shown = std::min(comparison.ranks.size(), max_ranks);
  std::string text =
      "\n" +
      text_of(rank_pair_table, std::vector(comparison.ranks.begin(),
                                           comparison.ranks.begin() + static_cast<std::ptrdiff_t>(shown)));
  if (shown < comparison.ranks.size())
    text += fmt::format("and {} more, which --json tells\n", comparison.ranks.size() - shown);
  return text;
}

}  // namespace

std::vector<std::string> findings(const MeasuredComparison& comparison, std::size_t most) {
  std::vector<std::string> texts;
  const double length = std::max(comparison.measured_step().ns(), comparison.simulated_step().ns());
  for (const ActivityPair& pair : comparison.activities) {
    const double change = std::max(std::abs(pair.change().ns()), std::abs(pair.busy_change().ns()));
    const bool differs = change > 0 || (pair.kind != ActivityKind::idle && !pair.in_both());
    if (texts.size() < most && differs && (texts.empty() || change >= small_share * length))
      texts.push_back(finding(comparison, pair));
  }
  return texts;
}

std::string text_of(const MeasuredComparison& comparison, bool unicode) {
  constexpr std::size_t most = 3;
  std::string text = wrapped(headline(comparison), 2);
  const std::vector<std::string> differences = findings(comparison, most);
  if (differences.empty()) text += "Everything is matched, and takes the same time.\n";
  for (std::size_t i = 0; i < differences.size(); ++i)
    text += wrapped(fmt::format("{}. {}\n", i + 1, differences[i]), 3);
  text += "\n" + parts_text(comparison, unicode) + "\n" + activities_text(comparison) +
          kernels_text(comparison) + ranks_text(comparison);
  return text;
}

nlohmann::ordered_json to_json(const MeasuredComparison& comparison) {
  using Ordered = nlohmann::ordered_json;
  std::vector<ActivityRow> activities;
  for (const ActivityPair& pair : comparison.activities) activities.push_back({comparison.run, pair});
  std::vector<KernelRow> kernels;
  for (const KernelPair& pair : comparison.kernels) kernels.push_back({pair});
  return {{"run", comparison.run},
          {"steps", comparison.steps},
          {"steps_left_out", comparison.left_out},
          {"all_matched", comparison.all_matched()},
          {"findings", findings(comparison, 3)},
          {"parts", json_of<Ordered>(step_part_table, comparison.parts)},
          {"activities", json_of<Ordered>(activity_table, activities)},
          {"kernels", json_of<Ordered>(kernel_table, kernels)},
          {"ranks", json_of<Ordered>(rank_pair_table, comparison.ranks)}};
}

}  // namespace orrery::core
