#include "report/summary/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/readable.hpp"
#include "report/table/csv_cell.hpp"

namespace orrery::core {

namespace {

Time of_step(const RunRow& row, Time time) {
  return Time::from_ps(time.ps() / std::max(row.iterations, 1));
}

bool has_bubble(const RunRow& row) {
  return row.has_parts || row.time.bubble > Time();
}

// Returns the cell, which is empty for a run that has failed.
Cell shown(const RunRow& row, Cell cell) {
  return row.error.empty() ? cell : Cell();
}

// Returns what `value` makes of how the run depends on its seeds; nothing where it has but one.
template <class Make>
auto of_hashes(const RunRow& row, const Make& value) {
  return row.error.empty() && row.hashes ? std::optional(value(*row.hashes)) : std::nullopt;
}

// Returns a part of the stages of training, where these are known.
template <Time StageTimes::*stage>
std::optional<Time> stage_of(const RunRow& row) {
  return row.error.empty() && row.stages ? std::optional((*row.stages).*stage) : std::nullopt;
}

std::optional<Real> bytes_of(const std::optional<double>& bytes) {
  return bytes ? std::optional(Real{*bytes, 0}) : std::nullopt;
}

double lower(const ErrorInterval& interval) {
  return interval.low;
}
double upper(const ErrorInterval& interval) {
  return interval.high;
}
// What becomes of a rate where the time is that of an end.
double slowest(const ErrorInterval& interval) {
  return 1 / interval.high;
}
double quickest(const ErrorInterval& interval) {
  return 1 / interval.low;
}

// Returns a value at one end of an interval; nothing where no measured run tells.
std::optional<double> at_end(const std::optional<double>& value, const std::optional<ErrorInterval>& interval,
                             double (*factor)(const ErrorInterval&)) {
  return value && interval ? std::optional(*value * factor(*interval)) : std::nullopt;
}

std::optional<ErrorInterval> time_interval(const RunRow& row) {
  return row.accuracy ? std::optional(row.accuracy->time) : std::nullopt;
}
std::optional<ErrorInterval> memory_interval(const RunRow& row) {
  return row.accuracy ? row.accuracy->memory : std::nullopt;
}

std::optional<Time> step_at(const RunRow& row, double (*end)(const ErrorInterval&)) {
  const auto interval = time_interval(row);
  if (!interval) return std::nullopt;
  return Time::from_ps(std::llround(double(of_step(row, row.total).ps()) * end(*interval)));
}

template <class Value>
std::optional<double> of_served(const RunRow& row, const Value& value) {
  return row.error.empty() && row.served ? std::optional<double>(value(*row.served)) : std::nullopt;
}

constexpr Column<RunRow> run_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.name; }, "run", Form::csv},
    {"status", "", "Whether the run succeeded: `ok` or `failed`.",
     [](auto& row) { return row.error.empty() ? "ok" : "failed"; }, "", Form::csv},
    {"reason", "", "Why the run failed: the whole message.", [](auto& row) { return row.error; }, "",
     Form::csv},
    {"name", "", "Name of the run.", [](auto& row) { return row.name; }, "", Form::json},
    {"work", "", "What is trained. Training passes of runs with equal words do equal work.",
     [](auto& row) { return row.work; }},
    {"npus", "", "Number of NPUs in the machine.", [](auto& row) { return row.npus; }},
    {"", "", "", [](auto& row) { return row.error.empty() ? Cell(row.npus) : Cell("failed"); }, "NPUs"},
    {"iterations", "", "Number of training iterations.", [](auto& row) { return row.iterations; }},
    {"total_us", "us", "Time until the last NPU ends.", [](auto& row) { return row.total; }},
    {"compute_us", "us",
     "Mean over all NPUs of the time in which they compute. The next four columns are parts of it.",
     [](auto& row) { return row.time.compute; }},
    {"host_us", "us",
     "The part of it in which only the host of an NPU computes, or launches what the NPU is to compute.",
     [](auto& row) { return row.time.host; }},
    {"remote_memory_us", "us",
     "The part of it in which an NPU does nothing but load from or store to memory beyond its own.",
     [](auto& row) { return row.time.memory; }},
    {"update_us", "us", "The part of it in which an NPU updates weights.",
     [](auto& row) { return row.time.update; }},
    {"contention_us", "us",
     "The part of it by which computation takes longer because collectives beside it take processors and "
     "memory bandwidth from it.",
     [](auto& row) { return row.time.contention; }},
    {"bubble_us", "us",
     "Mean over all NPUs of the time in which they wait and would wait even if communication took no time.",
     [](auto& row) { return row.time.bubble; }},
    {"exposed_us", "us", "Exposed communication: mean over all NPUs of all other time in which they wait.",
     [](auto& row) { return row.time.exposed; }},
    {"idle_us", "us",
     "Mean over all NPUs of the time after their own ends. Compute, bubble, exposed communication and idle "
     "time add up to the total.",
     [](auto& row) { return row.time.idle; }},
    {"forward_us", "us",
     "Only for layers and models of layers: mean over all NPUs of the time that training spends on forward "
     "passes, with waits for what they exchange. This and the next three add up to the total with the idle "
     "time.",
     [](auto& row) { return stage_of<&StageTimes::forward>(row); }},
    {"backward_us", "us", "The same of backward passes.",
     [](auto& row) { return stage_of<&StageTimes::backward>(row); }},
    {"weight_update_us", "us",
     "The same of updates of weights: NPUs wait for gradients and weights that are exchanged, for their host "
     "to start "
     "that, or update weights.",
     [](auto& row) { return stage_of<&StageTimes::update>(row); }},
    {"evaluation_us", "us", "The same of the evaluation of outputs by the host.",
     [](auto& row) { return stage_of<&StageTimes::evaluation>(row); }},
    {"exposed_share", "share",
     "Exposed communication as a share of the total. It is 0 for a run that takes no time.",
     [](auto& row) { return row.exposed_share(); }},
    {"device_utilization", "share",
     "Compute without that of the host and remote memory, as a share of the total: how busy devices are.",
     [](auto& row) { return row.device_utilization(); }},
    {"rank_0_total_us", "us", "Time until NPU 0 ends.", [](auto& row) { return row.rank_0_total; }},
    {"step_us", "us", "Total divided by the number of iterations.",
     [](auto& row) { return of_step(row, row.total); }},
    {"", "", "", [](auto& row) { return shown(row, of_step(row, row.total)); }, "step"},
    {"step_low_us", "us",
     "Only for training of transformers: lower end of the [interval](../models/accuracy.md) in which "
     "measured "
     "times of steps lie in eight of ten cases, or in the share that `interval` says.",
     [](auto& row) { return step_at(row, &lower); }},
    {"step_high_us", "us", "Upper end of that interval.", [](auto& row) { return step_at(row, &upper); }},
    {"speedup", "ratio",
     "How many times faster this run is than the first run that does the same work: the ratio of their step "
     "times. For transformers it is the ratio of their tokens per second. With several seeds it is that of "
     "the means.",
     [](auto& row) { return row.speedup; }, "speedup", Form::csv},
    {"tie", "",
     "`yes` where the run may as well be as fast as that first one, because measurements have differed from "
     "predictions [by as much](../models/accuracy.md#ties).",
     [](auto& row) { return row.is_tie ? "yes" : ""; }, "", Form::csv},
    {"", "", "", [](auto& row) { return row.is_tie ? "tie" : ""; }, "or"},
    {"hash_seeds", "",
     "Only with [several seeds](inputs/routes.md#luck-of-a-hash): their number. All figures of the run but "
     "the "
     "next three are of the seed whose total is nearest to the mean.",
     [](auto& row) { return of_hashes(row, [](const HashSpread& of) { return of.seeds; }); }, "seeds"},
    {"hash_mean_us", "us", "Only with several seeds: the mean of their step times.",
     [](auto& row) { return of_hashes(row, [&](const HashSpread& of) { return of_step(row, of.mean); }); },
     "mean"},
    {"hash_least_us", "us", "Only with several seeds: the shortest of their step times.",
     [](auto& row) { return of_hashes(row, [&](const HashSpread& of) { return of_step(row, of.least); }); },
     "least"},
    {"hash_most_us", "us", "Only with several seeds: the longest of their step times.",
     [](auto& row) { return of_hashes(row, [&](const HashSpread& of) { return of_step(row, of.most); }); },
     "most"},
    {"", "", "", [](auto& row) { return shown(row, of_step(row, row.time.compute)); }, "compute"},
    {"", "", "",
     [](auto& row) { return has_bubble(row) ? std::optional(of_step(row, row.time.bubble)) : std::nullopt; },
     "bubble"},
    {"", "", "", [](auto& row) { return shown(row, of_step(row, row.time.exposed)); }, "exposed"},
    {"", "", "",
     [](auto& row) {
       return row.time.idle > Time() ? std::optional(of_step(row, row.time.idle)) : std::nullopt;
     },
     "idle"},
    {"", "share", "", [](auto& row) { return shown(row, row.exposed_share()); }, "share"},
    {"epoch_s", "s",
     "Only with an [`epoch`](inputs/workloads.md#epochs): time in which all NPUs together train on so many "
     "samples.",
     [](auto& row) { return row.epoch_seconds; }, "epoch s"},
    {"steps_per_s", "1/s",
     "Only for parameter servers: training steps per second of an NPU, a mean over those that train. Where "
     "they "
     "need not wait for a slow one, it costs only what it does less itself.",
     [](auto& row) { return of_served(row, [](auto& of) { return of.pace.steps_per_second; }); }, "steps/s"},
    {"mean_staleness", "steps",
     "Only for parameter servers: steps that other NPUs ended while an NPU was at one. Asynchronous servers "
     "have "
     "applied so many gradients that are not in the weights to which a gradient belongs.",
     [](auto& row) { return of_served(row, [](auto& of) { return of.pace.mean_staleness; }); }},
    {"time_to_accuracy_s", "s",
     "Only for parameter servers with a [`convergence`](inputs/workloads.md#convergence): time until the "
     "model is "
     "as good as wanted; empty where it never is.",
     [](auto& row) { return row.served ? row.served->seconds_to_accuracy : std::nullopt; }},
    {"samples_per_second", "1/s",
     "Only for [inference of models](inputs/workloads.md#inference-of-models): samples per second of all "
     "devices "
     "together.",
     [](auto& row) { return row.samples_per_second; }, "samples/s", Form::json},
    {"tokens_per_second", "", "Only for transformers: tokens per second of all devices together.",
     [](auto& row) { return row.tokens_per_second; }, "tokens/s"},
    {"tokens_per_second_low", "", "Tokens per second with the longest step of the interval.",
     [](auto& row) { return at_end(row.tokens_per_second, time_interval(row), &slowest); }},
    {"tokens_per_second_high", "", "Tokens per second with the shortest step of the interval.",
     [](auto& row) { return at_end(row.tokens_per_second, time_interval(row), &quickest); }},
    {"model_flop_utilization", "share",
     "Only for transformers: operations that the model needs, as a share of [the devices' "
     "peak](#use-of-the-peak).",
     [](auto& row) { return row.model_flop_utilization; }, "MFU"},
    {"model_flop_utilization_low", "share", "The same with the longest step of the interval.",
     [](auto& row) { return at_end(row.model_flop_utilization, time_interval(row), &slowest); }},
    {"model_flop_utilization_high", "share", "The same with the shortest step of the interval.",
     [](auto& row) { return at_end(row.model_flop_utilization, time_interval(row), &quickest); }},
    {"hardware_flop_utilization", "share",
     "Only for transformers: operations that the devices carry out, as a share of their peak.",
     [](auto& row) { return row.hardware_flop_utilization; }, "HFU"},
    {"memory_bytes", "bytes", "Only where it is known: memory on the fullest device.",
     [](auto& row) { return bytes_of(row.memory); }, "memory"},
    {"memory_low_bytes", "bytes",
     "Only for training of transformers: lower end of the interval in which measured memory lies.",
     [](auto& row) { return bytes_of(at_end(row.memory, memory_interval(row), &lower)); }},
    {"memory_high_bytes", "bytes", "Upper end of that interval.",
     [](auto& row) { return bytes_of(at_end(row.memory, memory_interval(row), &upper)); }},
    {"memory_before_training_bytes", "bytes",
     "Only for a model on devices: memory that each of them takes before training begins.",
     [](auto& row) { return bytes_of(row.memory_before_training); }},
    {"memory_of_others_bytes", "bytes",
     "Only for a model on devices: memory on those besides the first, which may hold the state of the "
     "optimizer for "
     "all.",
     [](auto& row) { return bytes_of(row.memory_of_others); }},
    {"network_cost_usd", "USD", "Only where prices are known: the cost of the links, NICs and switches.",
     [](auto& row) { return row.network_cost; }, "", Form::csv},
    {"busiest_link", "", "Ends and dimension of the link that is busiest.",
     [](auto& row) { return row.busiest_link; }, "busiest link", Form::csv},
    {"link_utilization", "share",
     "Busy time of that link as a share of the total. Above 1, the link would have to carry more than it "
     "can.",
     [](auto& row) { return row.busiest_link.empty() ? std::nullopt : std::optional(row.link_utilization); },
     "use", Form::csv},
    {"", "", "", [](auto& row) { return row.exposed_along; }, "exposed along"},
};

constexpr Column<LayerRow> layer_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run.name; }, "", Form::csv},
    {"layer", "", "Name of the layer.", [](auto& row) { return row.layer.name; }, "", Form::csv},
    {"name", "", "Name of the layer.", [](auto& row) { return row.layer.name; }, "", Form::json},
    {"compute_us", "us", "The layer's part of the run's compute: a mean over all NPUs.",
     [](auto& row) { return row.layer.compute; }},
    {"communication_us", "us",
     "Mean over all NPUs of the time for which the layer's collectives and messages are under way, added up "
     "whether or not they overlap.",
     [](auto& row) { return row.layer.communication; }},
    {"exposed_us", "us",
     "The layer's part of the run's exposed communication. Unlike in EndToEnd.csv, a wait for several things "
     "is shared out: each gets the time during which it was the next to complete.",
     [](auto& row) { return row.layer.exposed; }},
};

double share_of(const PartRow& row, Time time) {
  return row.run.total > Time() ? time.ns() / row.run.total.ns() : 0;
}

// In training steps, stages.csv says what stages wait for.
std::optional<Time> awaited(const PartRow& row, Time time) {
  return row.run.training ? std::nullopt : std::optional(time);
}

std::optional<double> unless_zero(double number) {
  return number > 0 ? std::optional(number) : std::nullopt;
}

constexpr Column<PartRow> part_columns[] = {
    {"part", "", "Name of the part, such as `stage 0`.", [](auto& row) { return row.part.name; }, "part",
     Form::csv},
    {"name", "", "Name of the part, such as `stage 0`.", [](auto& row) { return row.part.name; }, "",
     Form::json},
    {"npus", "", "Number of NPUs in the part. All of them do the same.",
     [](auto& row) { return row.part.npus; }, "NPUs"},
    {"compute_us", "us", "Mean over its NPUs of the time in which they compute.",
     [](auto& row) { return row.part.time.compute; }},
    {"", "share", "", [](auto& row) { return share_of(row, row.part.time.compute); }, "computing"},
    {"bubble_us", "us", "Mean over its NPUs of the time in which they would wait without communication, too.",
     [](auto& row) { return row.part.time.bubble; }},
    {"", "share", "", [](auto& row) { return share_of(row, row.part.time.bubble); }, "bubble"},
    {"exposed_us", "us", "Exposed communication: mean over its NPUs of all other waits.",
     [](auto& row) { return row.part.time.exposed; }},
    {"", "share", "", [](auto& row) { return share_of(row, row.part.time.exposed); }, "exposed"},
    {"idle_us", "us",
     "Mean over its NPUs of the time after their own ends. These four times add up to the total of the run.",
     [](auto& row) { return row.part.time.idle; }},
    {"", "share", "", [](auto& row) { return share_of(row, row.part.time.idle); }, "idle"},
    {"awaits_messages_us", "us",
     "Time in which it waits for messages, bubble or not. It is not known for training steps.",
     [](auto& row) { return awaited(row, row.part.awaits_messages); }},
    {"awaits_collectives_us", "us",
     "Time in which it waits for collectives, bubble or not. It is not known for training steps.",
     [](auto& row) { return awaited(row, row.part.awaits_collectives); }},
    {"micro_batches_in_flight", "",
     "Most micro-batches whose activations a stage of a pipeline keeps at once. Activations of some of its "
     "layers count as that share of a micro-batch. For other parts it is 0.",
     [](auto& row) { return row.part.micro_batches_in_flight; }, "", Form::csv},
    {"micro_batches_in_flight", "",
     "Only for pipelines: the most micro-batches whose activations the stage keeps at once. Activations of "
     "some of its layers count as that share of a micro-batch.",
     [](auto& row) { return unless_zero(row.part.micro_batches_in_flight); }, "in flight", Form::json},
    {"memory_bytes", "bytes", "Only for training steps: memory that each of its devices takes.",
     [](auto& row) { return unless_zero(row.part.memory); }, "memory", Form::json},
};

// Texts are equal for runs that do equal work in a step, or in a token.
const std::string& work_of_step(const Summary& run) {
  return run.training ? run.training->model : run.work;
}

}  // namespace

const Table<RunRow> run_table(run_columns);
const Table<LayerRow> layer_table(layer_columns);
const Table<PartRow> part_table(part_columns);

RunRow::RunRow(const Summary& run)
    : name(run.name),
      error(run.error),
      work(run.work),
      npus(run.npus),
      iterations(run.iterations),
      total(run.total),
      rank_0_total(run.rank_0_total),
      time(run.time),
      stages(run.stages),
      epoch_seconds(run.epoch_seconds),
      hashes(run.hashes),
      has_parts(!run.parts.empty()),
      served(run.served),
      samples_per_second(run.inferred_per_second),
      accuracy(run.accuracy) {
  for (const auto& [key, value] : run.varied) varied.push_back(value);
  if (run.memory) {
    memory = run.memory->required.total();
    memory_before_training = run.memory->before_training;
    memory_of_others = run.memory->on_others;
  }
  network_cost = run.network_cost;
  if (!run.busiest_links.empty()) {
    const BusiestLinks& links = run.busiest_links.front();
    busiest_link = fmt::format("{} to {} of {}", links.from, links.to, links.dimension);
    link_utilization = links.utilization;
  }
  if (!run.training) return;
  tokens_per_second = run.training->tokens_per_second;
  model_flop_utilization = run.training->model_flop_utilization;
  hardware_flop_utilization = run.training->hardware_flop_utilization;
  memory = run.training->memory;
  for (const TrainingSummary::Axis& axis : run.training->axes)
    if (axis.exposed > Time())
      exposed_along += fmt::format("{}{} {}", exposed_along.empty() ? "" : ", ", axis.name,
                                   readable_share(axis.exposed.ns() / run.total.ns()));
}

// Returns what makes the mean of several seeds of the total; 1 where there is but one seed.
static double to_mean(const RunRow& row) {
  return row.hashes ? row.hashes->mean.ns() / row.total.ns() : 1;
}

const RunRow& RunRows::add(const Summary& run) {
  RunRow& row = rows_.emplace_back(run);
  if (!run.error.empty() || run.total == Time()) return row;
  const RunRow& first = rows_[first_of_.emplace(work_of_step(run), rows_.size() - 1).first->second];
  row.speedup = row.tokens_per_second ? *row.tokens_per_second / *first.tokens_per_second
                                      : of_step(first, first.total).ns() / of_step(row, row.total).ns();
  *row.speedup *= to_mean(first) / to_mean(row);
  row.is_tie = &row != &first && row.accuracy && first.accuracy &&
               is_tie(*row.speedup, *row.accuracy, *first.accuracy);
  return row;
}

std::string runs_csv_title(const std::vector<std::string>& varied_titles) {
  std::string title = csv_title(run_table);
  for (const std::string& key : varied_titles) title += ',' + csv_cell(key);
  return title + '\n';
}

bool known_of_failed_runs(std::string_view column) {
  return column == "run" || column == "status" || column == "reason";
}

std::string runs_csv_line(const RunRow& run, const VariedColumns& varied) {
  std::string line;
  if (run.error.empty()) {
    append_csv_row(line, run_table, run);
  } else {
    for (const Column<RunRow>& column : run_table) {
      if (!column.in(Form::csv)) continue;
      if (!line.empty()) line += ',';
      if (known_of_failed_runs(column.name)) column.append(line, run, column.unit);
    }
  }
  for (std::size_t key = 0; key < run.varied.size(); ++key) varied.append(line += ',', key, run.varied[key]);
  return line + '\n';
}

std::vector<LayerRow> layer_rows(const Summary& run) {
  std::vector<LayerRow> rows;
  for (const LayerSummary& layer : run.layers) rows.push_back({run, layer});
  return rows;
}

std::vector<PartRow> part_rows(const Summary& run) {
  std::vector<PartRow> rows;
  for (const PartSummary& part : run.parts) rows.push_back({run, part});
  return rows;
}

}  // namespace orrery::core
