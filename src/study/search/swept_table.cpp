#include "study/search/swept_table.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text/readable.hpp"
#include "report/table/table.hpp"
#include "study/search/layout_row.hpp"
#include "study/search/layout_table.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

namespace {

LayoutRow row_of(const SweptSearch& search, const SweptSearch::Candidate& one, std::size_t rank) {
  const TrainingSetup& base = search.base(one.start);
  const double tokens = static_cast<double>(base.plan.global_batch * base.model.sequence);
  return {*one.found, rank, tokens, usable_memory(base), nullptr, one.start + 1, search.name_of(one.start)};
}

std::vector<LayoutRow> rows_of(const SweptSearch& search, bool simulated_only) {
  std::vector<LayoutRow> rows;
  std::size_t rank = 0;
  for (const SweptSearch::Candidate& one : search.ranked()) {
    const bool is_simulated = one.found->verdict == LayoutVerdict::simulated;
    if (is_simulated || !simulated_only) rows.push_back(row_of(search, one, is_simulated ? ++rank : 0));
  }
  return rows;
}

std::string time_of(const SearchedLayout& found) {
  return found.verdict == LayoutVerdict::simulated
             ? readable_seconds(found.step.count())
             : fmt::format("{} (estimate)", readable_seconds(found.estimate.count()));
}

std::string why_none(const SweptSearch& search, std::size_t start) {
  const LayoutSearch& there = search.search(start);
  const auto failed = std::ranges::find(there.layouts, LayoutVerdict::failed, &SearchedLayout::verdict);
  return failed == there.layouts.end() ? why_none_fits(search.base(start), there) : failed->failure;
}

std::string point_line(const SweptSearch& search, std::size_t start) {
  const std::optional<SweptSearch::Candidate> best = search.best_at(start);
  const std::string what =
      best ? fmt::format("{} with {}", time_of(*best->found), layout_text(best->found->layout.plan))
           : why_none(search, start);
  return wrapped(fmt::format("{:>4} {}: {}", start + 1, search.name_of(start), what), 6) + '\n';
}

// Returns how many candidates were not simulated whose estimates are shorter than the last step that was.
std::size_t open_candidates(const SweptSearch& search) {
  Seconds last;
  std::size_t open = 0;
  for (const SweptSearch::Candidate& one : search.ranked()) {
    if (one.found->verdict == LayoutVerdict::simulated) last = one.found->step;
    open += one.found->verdict == LayoutVerdict::estimated && one.found->estimate < last;
  }
  return open;
}

nlohmann::ordered_json to_json(const SweptSearch& search, const SweptSearch::Candidate& one) {
  const SearchedLayout& found = *one.found;
  nlohmann::ordered_json layout;
  set_layout(layout, found);
  nlohmann::ordered_json json{{"point", search.name_of(one.start)},
                              {"verdict", word_of(layout_verdict_words, found.verdict)},
                              {"gpus", found.layout.plan.ranks()},
                              {"layout", layout},
                              {"keys", layout_keys(search.base(one.start), found.layout)}};
  if (found.verdict == LayoutVerdict::simulated) json["step_us"] = found.step.count() * 1e6;
  json["estimated_step_us"] = found.estimate.count() * 1e6;
  json["memory_bytes"] = found.memory;
  return json;
}

}  // namespace

std::string best_of_sweep_sentence(const SweptSearch& search) {
  const SweptSearch::Candidate best = search.ranked().front();
  if (best.found->verdict != LayoutVerdict::simulated)
    return fmt::format("None of {} layouts could be simulated.", search.count(LayoutVerdict::failed));
  const std::size_t simulated = search.count(LayoutVerdict::simulated), open = open_candidates(search);
  std::string text = fmt::format(
      "The best of {} points is {}, with {}, on {} GPUs: {} per step. It is the best of {} that were "
      "simulated, those "
      "with the shortest estimates",
      search.starts(), search.name_of(best.start), layout_text(best.found->layout.plan),
      best.found->layout.plan.ranks(), readable_seconds(best.found->step.count()), simulated);
  return text + (open == 0
                     ? "."
                     : fmt::format("; {} more may be among the best, which more runs would tell.", open));
}

std::string swept_report(const SweptSearch& search) {
  const std::vector<LayoutRow> rows = rows_of(search, true);
  std::string text = wrapped(best_of_sweep_sentence(search), 2) + "\n\n";
  if (!rows.empty())
    text += text_of(layout_table, rows) +
            "\nestimate: a step in which each exchange has the network for itself\n\n";
  text += "the best at each point:\n";
  for (std::size_t start = 0; start < search.starts(); ++start) text += point_line(search, start);
  text += '\n' +
          wrapped(fmt::format(
                      "{} layouts of all points: {} simulated, {} estimated, {} take longer than these at "
                      "least, {} need more memory than there is{}",
                      search.count(LayoutVerdict::simulated) + search.count(LayoutVerdict::estimated) +
                          search.count(LayoutVerdict::beaten) + search.count(LayoutVerdict::out_of_memory) +
                          search.count(LayoutVerdict::failed),
                      search.count(LayoutVerdict::simulated), search.count(LayoutVerdict::estimated),
                      search.count(LayoutVerdict::beaten), search.count(LayoutVerdict::out_of_memory),
                      search.count(LayoutVerdict::failed) == 0
                          ? std::string()
                          : fmt::format(", {} cannot be run", search.count(LayoutVerdict::failed))),
                  2) +
          '\n';
  if (rows.empty()) return text;
  const SweptSearch::Candidate best = search.ranked().front();
  return text + "\nthe best as keys of `workload`:\n" +
         layout_keys(search.base(best.start), best.found->layout);
}

TableRows swept_rows(const SweptSearch& search) {
  return {layout_table, rows_of(search, false)};
}

std::string swept_csv(const SweptSearch& search) {
  return csv_of(layout_table, rows_of(search, false));
}

nlohmann::ordered_json swept_to_json(const SweptSearch& search) {
  nlohmann::ordered_json json{{"verdict", best_of_sweep_sentence(search)},
                              {"name", search.name()},
                              {"simulated", search.count(LayoutVerdict::simulated)},
                              {"estimated", search.count(LayoutVerdict::estimated)},
                              {"beaten", search.count(LayoutVerdict::beaten)},
                              {"out_of_memory", search.count(LayoutVerdict::out_of_memory)},
                              {"failed", search.count(LayoutVerdict::failed)}};
  for (const char* key : {"best", "points"}) json[key] = nlohmann::ordered_json::array();
  for (const SweptSearch::Candidate& one : search.ranked())
    if (one.found->verdict == LayoutVerdict::simulated) json["best"].push_back(to_json(search, one));
  for (std::size_t start = 0; start < search.starts(); ++start)
    if (const auto best = search.best_at(start)) json["points"].push_back(to_json(search, *best));
  return json;
}

}  // namespace orrery::core
