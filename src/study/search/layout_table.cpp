#include "study/search/layout_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/readable.hpp"
#include "report/training/training_accuracy.hpp"
#include "study/search/best_layout.hpp"
#include "study/search/layout_row.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

namespace {

constexpr double gib = 0x1p30;

std::string_view verdict_word(const LayoutRow& row) {
  return word_of(layout_verdict_words, row.of.verdict);
}

std::optional<double> of_time(const LayoutRow& row, Time time) {
  return row.best ? std::optional(time.ns() / row.best->step.ns()) : std::nullopt;
}

std::optional<double> us_if_known(Seconds time) {
  return time > Seconds() ? std::optional(time.count() * 1e6) : std::nullopt;
}

std::optional<Real> tokens_per_second(const LayoutRow& row) {
  return row.rank > 0 ? std::optional(Real{row.tokens / row.of.step.count(), 0}) : std::nullopt;
}

// In JSON, the columns of `layout` form an object of their own.
constexpr Column<LayoutRow> layout_columns[] = {
    {"rank", "", "Rank of the layout among the simulated ones, from 1 for the best.",
     [](auto& row) { return row.rank > 0 ? std::optional(row.rank) : std::nullopt; }, "rank"},
    {"verdict", "",
     "What the search found. `simulated`: a step was simulated, on the experiment's network if it has one. "
     "`failed`: its run on the network ended with an error, or the network cannot carry its exchanges. "
     "`estimated`: it was not run on the network, where others have shorter estimates or steps. `beaten`: "
     "even "
     "the least time that a step can take is longer than the steps of the best layouts. "
     "`out-of-memory`: a device has too little memory. `not-searched`: a step was simulated of the "
     "experiment's own layout, which is none of those that the search chose from, such as by its number of "
     "GPUs.",
     [](auto& row) { return verdict_word(row); }},
    {"gpus", "", "Number of GPUs that it needs.", [](auto& row) { return row.plan().ranks(); }, "GPUs"},
    {"tensor", "",
     "Ranks of tensor parallelism. This column and those that follow mean what the keys of "
     "`workload.parallelism` mean.",
     [](auto& row) { return row.plan().tensor; }},
    {"sequence", "", "1 if the ranks of tensor parallelism also divide sequences among them, else 0.",
     [](auto& row) { return row.plan().sequence_parallel; }},
    {"context", "", "Ranks of context parallelism.", [](auto& row) { return row.plan().context; }},
    {"expert", "", "Ranks of expert parallelism.", [](auto& row) { return row.plan().expert; }},
    {"pipeline", "", "Stages of the pipeline.", [](auto& row) { return row.plan().pipeline; }},
    {"virtual_stages", "", "Parts of the model on each stage.", [](auto& row) { return row.plan().chunks; }},
    {"data", "", "Ranks of data parallelism.", [](auto& row) { return row.plan().data; }},
    {"zero", "", "Stage of ZeRO.", [](auto& row) { return row.plan().zero; }},
    {"shard", "", "Ranks among which ZeRO shards. 0 stands for all ranks with the same parameters.",
     [](auto& row) { return row.plan().shard; }},
    {"micro", "", "Sequences of a micro-batch.", [](auto& row) { return row.plan().micro_batch; }},
    {"recompute", "", "What the backward pass computes again.",
     [](auto& row) { return word_of(recompute_words, row.plan().recompute); }},
    {"step_us", "us",
     "Time that a training step takes. If the experiment has a network, it is that of a run there. "
     "Otherwise it is what the closed forms of the platform give, for `beaten` layouts the least time that a "
     "step can take.",
     [](auto& row) { return us_if_known(row.of.step); }, "step"},
    {"", "us", "", [](auto& row) { return us_if_known(row.of.estimate); }, "estimate"},
    {"tokens_per_second", "", "Tokens per second of all devices together, for simulated layouts.",
     [](auto& row) { return tokens_per_second(row); }},
    // Where the estimate is shown, there is no room for what follows from the step.
    {"", "", "",
     [](auto& row) { return row.of.estimate > Seconds() ? std::nullopt : tokens_per_second(row); },
     "tokens/s"},
    {"", "share", "",
     [](auto& row) { return row.best ? std::optional(row.best->model_flop_utilization()) : std::nullopt; },
     "MFU"},
    {"", "share", "", [](auto& row) { return row.best ? of_time(row, row.best->time.bubble) : std::nullopt; },
     "bubble"},
    {"", "share", "",
     [](auto& row) { return row.best ? of_time(row, row.best->time.exposed) : std::nullopt; }, "exposed"},
    {"memory_bytes", "bytes", "Memory that the fullest device needs.",
     [](auto& row) {
       return Real{row.of.memory, 0};
     },
     "memory"},
    {"usable_memory_bytes", "bytes",
     "Memory of a device that training can use. This column and `layout` are filled for simulated layouts, "
     "failed ones and the experiment's own.",
     [](auto& row) {
       return row.is_shown() ? std::optional(Real{row.usable, 0}) : std::nullopt;
     }},
    {"loss", "",
     "What a step loses most time to, of bubble, idle time, messages between stages and collectives along "
     "each axis. This column and the next one are filled for the best layouts, of which `--top` says how "
     "many there are.",
     [](auto& row) { return row.best ? std::optional(largest_loss(*row.best).what) : std::nullopt; }},
    {"loss_share", "share", "Share of the step that is lost to it.",
     [](auto& row) {
       return row.best ? std::optional(Real{largest_loss(*row.best).share, 6}) : std::nullopt;
     }},
    {"tie", "",
     "`yes` for simulated layouts that may as well be as fast as the best one, because measurements of "
     "layouts "
     "have differed from predictions [by as much](../models/accuracy.md#ties).",
     [](auto& row) { return row.is_tie ? "yes" : ""; }},
    {"", "", "", [](auto& row) { return row.is_tie ? "tie" : ""; }, "or"},
    {"own", "", "1 for the experiment's own layout, else 0.", [](auto& row) { return row.of.is_own; }},
    {"layout", "", "The layout in words.",
     [](auto& row) { return row.is_shown() ? std::optional(layout_text(row.plan())) : std::nullopt; },
     "layout"},
    {"estimated_step_us", "us",
     "Estimate of the time that a training step takes on the network, which chose the layouts that were run "
     "there; for `beaten` layouts the least time that it can take. This column and the next one are there if "
     "the experiment has a network.",
     [](auto& row) { return us_if_known(row.of.estimate); }},
    {"failure", "", "Why a run on the network ended with an error.",
     [](auto& row) { return std::string_view(row.of.failure); }},
    {"", "", "", [](auto& row) { return row.point > 0 ? std::optional(row.point) : std::nullopt; }, "point"},
    {"point", "",
     "Name of the run that the sweep has at the point where the layout was searched. This column is there if "
     "the experiment has a sweep.",
     [](auto& row) { return row.name_of_point; }},
};
constexpr std::size_t columns_of_sweeps = 2, columns_of_networks = 2;  // the last ones, and those before

Table<LayoutRow> table_of(const LayoutSearch& search) {
  return layout_table.first(layout_table.size() - columns_of_sweeps -
                            (search.on_network ? 0 : columns_of_networks));
}

// The best ones come first and know what their time goes to.
std::vector<LayoutRow> rows_of(const TrainingSetup& base, const LayoutSearch& search) {
  const double tokens = static_cast<double>(base.plan.global_batch * base.model.sequence);
  const double usable = usable_memory(base);
  const ErrorInterval interval = step_accuracy(base).time;
  std::vector<LayoutRow> rows;
  for (const SearchedLayout& one : search.layouts) {
    const std::size_t i = rows.size();
    rows.push_back({one, one.verdict == LayoutVerdict::simulated ? i + 1 : 0, tokens, usable,
                    i < search.best.size() ? &search.best[i] : nullptr});
    rows.back().is_tie =
        i > 0 && rows.back().rank > 0 &&
        is_tie(one.step.count() / search.layouts.front().step.count(), interval, interval, true);
  }
  if (std::ranges::none_of(search.layouts, &SearchedLayout::is_own))
    rows.push_back({search.own, 0, tokens, usable, nullptr});
  return rows;
}

std::string left_out(const LayoutSearch& search, double usable) {
  std::string text =
      fmt::format("{} layouts: {} simulated{}", search.layouts.size(), search.count(LayoutVerdict::simulated),
                  search.on_network ? " on the network" : "");
  if (const auto estimated = search.count(LayoutVerdict::estimated))
    text += fmt::format(", {} estimated", estimated);
  if (const auto beaten = search.count(LayoutVerdict::beaten))
    text += fmt::format(", {} take longer than these at least", beaten);
  if (const auto full = search.count(LayoutVerdict::out_of_memory))
    text += fmt::format(", {} need more than the {} that can be used", full, readable_bytes(usable));
  text += '\n';
  if (const auto failed = search.count(LayoutVerdict::failed)) {
    const SearchedLayout& one =
        *std::ranges::find(search.layouts, LayoutVerdict::failed, &SearchedLayout::verdict);
    text += fmt::format("{} layout{} on the network, such as {}: {}\n", failed,
                        failed == 1 ? " fails" : "s fail", layout_text(one.layout.plan), one.failure);
  }
  for (const RefusedShapes& refused : search.refused)
    text += fmt::format("{} combinations of axes left out for `{}`, such as: {}\n", refused.count,
                        refused.key, refused.example);
  return wrapped(text, 2);
}

std::string meaning_of_steps(const LayoutSearch& search) {
  if (!search.on_network) return "";
  return "estimate: a step in which each exchange has the network for itself\n\n";
}

}  // namespace

std::string layout_keys(const TrainingSetup& base, const TrainingLayout& layout) {
  const TransformerPlan& plan = layout.plan;
  std::string text = fmt::format("batch: {{ global: {}, micro: {} }}\nparallelism: {{ ", plan.global_batch,
                                 plan.micro_batch);
  const auto add = [&](std::string_view key, std::uint64_t value, std::uint64_t usual) {
    if (value != usual) text += fmt::format("{}: {}, ", key, value);
  };
  add("tensor", plan.tensor, 1);
  if (plan.sequence_parallel) text += "sequence: true, ";
  add("context", plan.context, 1);
  if (plan.context_exchange != ContextExchange::ring)
    text += fmt::format("context-exchange: {}, ", word_of(context_exchange_words, plan.context_exchange));
  add("expert", plan.expert, 1);
  if (!plan.expert_tensor) text += "expert-tensor: false, ";
  add("pipeline", plan.pipeline, 1);
  if (layout.schedule != PipelineSchedule::one_forward_one_backward)
    text += fmt::format("schedule: {}, ", word_of(pipeline_schedule_words, layout.schedule));
  add("virtual-stages", plan.chunks, 1);
  if (!plan.layers_per_chunk.empty())
    text += fmt::format("layers-per-stage: [{}], ", fmt::join(plan.layers_per_chunk, ", "));
  add("zero", static_cast<std::uint64_t>(plan.zero), 0);
  add("shard", plan.shard, 0);
  if (base.order != RankMesh{}.order) {
    std::vector<std::string_view> axes;
    for (const MeshAxis axis : base.order) axes.push_back(word_of(mesh_axis_words, axis));
    text += fmt::format("order: [{}], ", fmt::join(axes, ", "));
  }
  text += fmt::format("data: {} }}\n", plan.data);
  if (plan.recompute != Recompute::none)
    text += fmt::format("recompute: {}\n", word_of(recompute_words, plan.recompute));
  return text;
}

std::string why_none_fits(const TrainingSetup& base, const LayoutSearch& search) {
  if (search.layouts.empty()) {
    std::string text = "no layout can be run";
    for (const RefusedShapes& refused : search.refused) text += "; " + refused.example;
    return text;
  }
  const auto least =
      std::min_element(search.layouts.begin(), search.layouts.end(),
                       [](const SearchedLayout& a, const SearchedLayout& b) { return a.memory < b.memory; });
  return fmt::format(
      "none of {} layouts fits; the smallest ({}) needs {:.1f} GiB on a device, but {:.1f} GiB can be used; "
      "more GPUs are needed",
      search.layouts.size(), layout_text(least->layout.plan), least->memory / gib, usable_memory(base) / gib);
}

const Table<LayoutRow> layout_table(layout_columns);

std::string layout_report(const std::string& name, const TrainingSetup& base, const LayoutSearch& search) {
  std::vector<LayoutRow> rows = rows_of(base, search);
  while (rows.size() > search.best.size()) rows.pop_back();
  const std::string text =
      wrapped(fmt::format("{}: {} on {}, {} sequences of {} tokens", name, base.model.name,
                          base.device.facts.name, base.plan.global_batch, base.model.sequence),
              2);
  return wrapped(best_layout_sentence(base, search), 2) + "\n\n" + text + "\n\n" +
         text_of(layout_table, rows) + '\n' + meaning_of_steps(search) +
         left_out(search, usable_memory(base)) + "\nthe best as keys of `workload`:\n" +
         layout_keys(base, search.layouts.front().layout);
}

TableRows layouts_rows(const TrainingSetup& base, const LayoutSearch& search) {
  return {table_of(search), rows_of(base, search)};
}

std::string layouts_csv(const TrainingSetup& base, const LayoutSearch& search) {
  return csv_of(table_of(search), rows_of(base, search));
}

void set_layout(nlohmann::ordered_json& object, const SearchedLayout& layout) {
  constexpr std::size_t first = 3, last = 13;  // from `tensor` to `recompute`
  set_json(object, layout_table.subspan(first, last - first + 1), LayoutRow{layout});
}

}  // namespace orrery::core
