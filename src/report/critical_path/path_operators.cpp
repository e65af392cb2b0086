#include "report/critical_path/path_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/text/readable.hpp"
#include "report/table/loss_columns.hpp"

namespace orrery::core {
namespace {

std::string_view source_of(const PathOperator& row) {
  const CostExplanation* const e = row.explanation();
  return word_of(cost_source_words, e ? e->source : CostSource::unknown);
}

std::string reason_of(const PathOperator& row) {
  return row.explanation() ? orrery::core::reason_of(*row.explanation()) : "no operator of the device";
}

constexpr Column<PathOperator> path_operator_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run; }},
    {"layer", "", "Name of the layer. In transformers it is the kind of block.",
     [](auto& row) { return std::string_view(row.op->layer); }},
    {"pass", "",
     "Pass of the training: `forward`, `input-gradient` or `weight-gradient`; in training steps `forward`, "
     "`backward` or `update`.",
     [](auto& row) { return row.op->pass; }},
    {"operator", "", "Name of the operator. `host` stands for the process that drives the device.",
     [](auto& row) { return std::string_view(row.op->name); }},
    {"shape", "",
     "Sizes of the operator: batch x M x N x K for a product; heads x queries x keys x width for attention; "
     "images x channels x height x width to filters by the filter's height x width for a convolution.",
     [](auto& row) { return std::string_view(row.op->shape); }},
    {"path_us", "us", "Time of the operator on the critical path.", [](auto& row) { return row.time; }},
    {"contention_us", "us",
     "The part of that time by which it takes longer because of [collectives beside "
     "it](models/contention.md).",
     [](auto& row) { return row.contention; }},
    {"share", "share", "That time as a share of the path's length.",
     [](auto& row) {
       return Real{row.share, 6};
     }},
    {"times", "", "Number of times that the operator is on the path.",
     [](auto& row) {
       return Real{row.times, 2};
     }},
    {"time_us", "us", "Time that the operator takes each time it runs.",
     [](auto& row) { return row.op->time.rounded(); }},
    {"source", "",
     "Where this time comes from: the model `roofline` or `systolic`; `given-peak`, which is the workload's "
     "`peak`; `measured`, `interpolated` or `nearest-rate`, which are a table of measurements; or `unknown`.",
     [](auto& row) { return source_of(row); }},
    LossColumns<PathOperator>::bound(),
    LossColumns<PathOperator>::utilization(),
    LossColumns<PathOperator>::ideal(),
    LossColumns<PathOperator>::lost<Loss::rates>(),
    LossColumns<PathOperator>::lost<Loss::other_units>(),
    LossColumns<PathOperator>::lost<Loss::edges>(),
    LossColumns<PathOperator>::lost<Loss::last_wave>(),
    LossColumns<PathOperator>::lost<Loss::loading>(),
    LossColumns<PathOperator>::lost<Loss::filling>(),
    LossColumns<PathOperator>::lost<Loss::overlap>(),
    LossColumns<PathOperator>::lost<Loss::partial_sums>(),
    LossColumns<PathOperator>::lost<Loss::alignment>(),
    LossColumns<PathOperator>::lost<Loss::launch>(),
    LossColumns<PathOperator>::lost<Loss::unexplained>(),
    {"software_us", "us", "Time that the software adds to the time that the device takes.",
     [](auto& row) { return row.explanation() ? std::optional(row.op->software.rounded()) : std::nullopt; }},
    LossColumns<PathOperator>::tile(),
    LossColumns<PathOperator>::split_k(),
    LossColumns<PathOperator>::waves(),
    LossColumns<PathOperator>::last_wave(),
    LossColumns<PathOperator>::covered(),
    LossColumns<PathOperator>::k_covered(),
    LossColumns<PathOperator>::folds(),
    LossColumns<PathOperator>::mapped(),
    LossColumns<PathOperator>::streaming(),
    {"reason", "", "What most time is lost to, in words.", [](auto& row) { return reason_of(row); }},
};

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

// Shares a step's time out among its operators, in proportion to what each takes; none of it is lost.
template <class Add>
void share_out(Time time, const std::vector<WorkItem>& items, const Add& add) {
  double all = 0, before = 0;
  for (const WorkItem& item : items) all += item.time.count();
  Time given;
  for (const WorkItem& item : items) {
    before += item.time.count();
    const Time until = all > 0 ? Time::from_ns_rounded(time.ns() * std::min(before / all, 1.0)) : time;
    const Time end = &item == &items.back() ? time : std::min(until, time);
    add(item, end - given);
    given = end;
  }
}

// Returns the share of a computation's time by which it takes longer because of collectives beside it that
// are operations of their own.
double contended_share(const PathContext& context, const PathStep& step, Time time) {
  const ExecutionGraph& graph = context.program.parts[step.part].graph;
  if (time == Time() || graph.contention(step.operation).longer == Time()) return 0;
  const double slowdown = context.slowdown.empty() ? 1 : context.slowdown[step.rank.index()];
  return std::max(0.0, 1 - graph.duration(step.operation).ns() * slowdown / time.ns());
}

}  // namespace

const Table<PathOperator> path_operator_table = path_operator_columns;

PathOperators path_operators(const PathContext& context, const std::vector<PathStep>& path,
                             const ComputedWork& work) {
  PathOperators result;
  std::unordered_map<const ComputedOperator*, std::size_t> places;
  const double length = path.empty() ? 0 : (path.back().interval.end - path.front().interval.start).ns();
  for (const PathStep& step : path) {
    if (step.kind != PathKind::compute) continue;
    const Time time = step.interval.end - step.interval.start;
    const std::vector<WorkItem> items = work.of(step.part, step.operation);
    if (items.empty()) result.unknown += time;
    const double contended = contended_share(context, step, time);
    share_out(time, items, [&](const WorkItem& item, Time share) {
      const auto [found, is_new] = places.try_emplace(item.op, result.rows.size());
      if (is_new) result.rows.push_back({context.run, item.op, {}, {}, 0, 0});
      PathOperator& row = result.rows[found->second];
      row.time += share;
      const double within = item.time > Seconds() ? item.contended.count() / item.time.count() : 0;
      row.contention += Time::from_ns_rounded(share.ns() * (contended + (1 - contended) * within));
      row.times += item.count;
    });
  }
  for (PathOperator& row : result.rows) row.share = row.time.ns() / length;
  std::ranges::stable_sort(result.rows, std::greater(), &PathOperator::time);
  return result;
}

namespace {

std::string reason_of_edges(const CostExplanation& e) {
  if (e.tiles && e.tiles->k_covered < e.tiles->covered)
    return fmt::format("K fills {} of its steps", percent(e.tiles->k_covered));
  if (e.tiles)
    return fmt::format("tiles of {} x {} are {} output", e.tiles->tile.rows, e.tiles->tile.columns,
                       percent(e.tiles->covered));
  return e.folds ? fmt::format("folds use {} of the arrays", percent(e.folds->mapped)) : "folds hang over";
}

// Returns the share of its peak that the limiting part of the device reaches at best.
double best_rate(const CostExplanation& e) {
  const double attained = e.ideal_seconds + e.lost_to(Loss::rates);
  return attained > 0 ? e.ideal_seconds / attained : 1;
}

std::string reason_of_loss(const CostExplanation& e) {
  switch (e.largest_loss()) {
    case Loss::rates:
      return fmt::format("{} at {} at best", e.limit == Limit::main_memory ? "memory" : "units",
                         percent(best_rate(e)));
    case Loss::other_units:
      return "runs on vector units";
    case Loss::edges:
      return reason_of_edges(e);
    case Loss::last_wave:
      if (!e.tiles) return "last wave";
      if (e.tiles->waves == 1) return fmt::format("its one wave is {} full", percent(e.tiles->last_wave));
      return fmt::format("last of {:.0f} waves is {} full", e.tiles->waves, percent(e.tiles->last_wave));
    case Loss::loading:
      return "cache is slower than units";
    case Loss::filling:
      if (e.folds) return fmt::format("arrays are filled {:.0f} times", e.folds->folds);
      return "tiles are slow to begin and end";
    case Loss::overlap:
      return "units and memory take turns";
    case Loss::partial_sums:
      return fmt::format("K is split in {}", e.tiles ? e.tiles->split_k : 1);
    case Loss::alignment:
      return "rows are not aligned to 16 B";
    case Loss::launch:
      return "launch";
    case Loss::unexplained:
      break;
  }
  return "not known";
}

}  // namespace

std::string reason_of(const CostExplanation& e) {
  constexpr double near = 0.9;
  switch (e.source) {
    case CostSource::given_peak:
      return "at the given peak";
    case CostSource::measured:
      return "was measured";
    case CostSource::interpolated:
      return "between measurements";
    case CostSource::nearest_rate:
      return "at the rate of another measurement";
    case CostSource::unknown:
      return "not known";
    default:
      return e.ideal_seconds >= near * e.cost.seconds ? "near the ideal" : reason_of_loss(e);
  }
}

std::vector<PathShare> computing_shares(const PathContext& context, const std::vector<PathStep>& path,
                                        const PathOperators& operators) {
  std::vector<PathShare> shares;
  const double length = path.empty() ? 0 : (path.back().interval.end - path.front().interval.start).ns();
  const auto add = [&](std::string name, double ns, double steps) {
    const Time time = Time::from_ns_rounded(ns);
    if (time != Time())
      shares.push_back({context.run, "computing", std::move(name), time,
                        static_cast<std::size_t>(std::llround(steps)), ns / length});
  };
  const auto add_part = [&](std::string name, const auto& seconds_of) {
    double ns = 0, steps = 0;
    for (const PathOperator& row : operators.rows) {
      if (!row.op->explanation) continue;
      const double part = (row.time - row.contention).ns() * row.op->share_of(seconds_of(*row.op));
      ns += part;
      if (part != 0) steps += row.times;
    }
    add(std::move(name), ns, steps);
  };
  add_part("ideal device", [](const ComputedOperator& op) { return op.explanation->ideal_seconds; });
  for (const auto& [word, loss] : loss_words)
    add_part(std::string(word),
             [lost = loss](const ComputedOperator& op) { return op.explanation->lost_to(lost); });
  double contention = 0, contended = 0;
  for (const PathOperator& row : operators.rows) {
    contention += row.contention.ns();
    if (row.contention > Time()) contended += row.times;
  }
  add("contention", contention, contended);
  add_part("software", [](const ComputedOperator& op) { return op.software.count(); });
  // Whatever is no operator of the device has a name of its own, such as "host".
  std::map<std::string_view, std::pair<double, double>> besides;
  for (const PathOperator& row : operators.rows) {
    if (row.op->explanation) continue;
    besides[row.op->name].first += (row.time - row.contention).ns();
    besides[row.op->name].second += row.times;
  }
  for (const auto& [name, sums] : besides) add(std::string(name), sums.first, sums.second);
  std::ranges::stable_sort(shares, std::greater(), &PathShare::time);
  return shares;
}

namespace {

// Operators of one pass that take equally long for the same reasons, such as those of layers of one shape.
struct AlikeOperators {
  const PathOperator* first;
  std::size_t count = 1;
  Time time;

  bool holds(const PathOperator& row) const {
    const CostExplanation *const one = first->explanation(), *const other = row.explanation();
    return one && other && first->op->pass == row.op->pass && first->op->shape == row.op->shape &&
           first->op->time == row.op->time && one->ideal_seconds == other->ideal_seconds;
  }
};

std::string name_of(const AlikeOperators& alike) {
  const ComputedOperator& op = *alike.first->op;
  const std::string others = alike.count > 1 ? fmt::format(" and {} alike", alike.count - 1) : "";
  const bool of_block = op.shape.empty() ? false : op.name.find(op.layer) == std::string::npos;
  return of_block ? fmt::format("{}{}, {} of {}", op.name, others, op.pass, op.layer)
                  : fmt::format("{}{}, {}", op.name, others, op.pass);
}

constexpr Column<AlikeOperators> alike_columns[] = {
    {"", "", "", [](auto& row) { return name_of(row); }, "computation"},
    {"", "us", "", [](auto& row) { return row.time; }, "on the path"},
    {"", "share", "",
     [](auto& row) {
       const CostExplanation* const e = row.first->explanation();
       return e ? std::optional(Real{row.first->op->share_of(e->ideal_seconds)}) : std::nullopt;
     },
     "ideal"},
    {"", "", "", [](auto& row) { return reason_of(*row.first); }, "most is lost, as"},
};

}  // namespace

std::string path_operators_text(const PathOperators& operators) {
  constexpr std::size_t most = 10;
  std::vector<AlikeOperators> alike;
  for (const PathOperator& row : operators.rows) {
    const auto found = std::ranges::find_if(alike, [&](const AlikeOperators& one) { return one.holds(row); });
    if (found == alike.end()) {
      alike.push_back({&row, 1, row.time});
    } else {
      ++found->count;
      found->time += row.time;
    }
  }
  std::ranges::stable_sort(alike, std::greater(), &AlikeOperators::time);
  std::string text;
  if (!alike.empty()) {
    const auto shown = static_cast<std::ptrdiff_t>(std::min(alike.size(), most));
    text += '\n' + text_of(Table<AlikeOperators>(alike_columns),
                           std::vector<AlikeOperators>(alike.begin(), alike.begin() + shown));
    if (alike.size() > most) text += fmt::format("and {} more\n", alike.size() - most);
  }
  if (operators.unknown > Time())
    text +=
        fmt::format("\nof {} of computations nothing is known but their time\n", readable(operators.unknown));
  return text;
}

}  // namespace orrery::core
