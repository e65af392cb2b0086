#include "report/calculators/systolic_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"

namespace orrery::core {

struct SystolicRow {
  std::string_view name;
  const SystolicOperation& operation;
  const SystolicCost& cost;
  double time_us;
};

namespace {

// The number may exceed 64 bits.
double words_of_memory(const WordTraffic& words) {
  return static_cast<double>(words.input_reads) + static_cast<double>(words.filter_reads) +
         static_cast<double>(words.output_writes);
}

double microseconds_of(const SystolicReport& report, double cycles) {
  return cycles * 1e6 / report.array.frequency;
}

// The number may exceed 64 bits.
double total_cycles(const SystolicReport& report) {
  double sum = 0;
  for (const SystolicReport::Entry& entry : report.operators) sum += static_cast<double>(entry.cost.cycles);
  return sum;
}

std::string array_line(const SystolicArray& array) {
  constexpr double kib = 1024;
  return fmt::format(
      "{} x {} units, {}{} at {:g} MHz, {}\n"
      "buffers of {:g} KiB for inputs, {:g} KiB for weights and {:g} KiB for outputs\n",
      array.rows, array.columns, word_of(dataflow_words, array.dataflow),
      array.arrays > 1 ? fmt::format(", {} arrays", array.arrays) : "", array.frequency / 1e6,
      array.bandwidth ? fmt::format("{} words per cycle", *array.bandwidth) : "unlimited bandwidth",
      static_cast<double>(array.input_sram) / kib, static_cast<double>(array.filter_sram) / kib,
      static_cast<double>(array.output_sram) / kib);
}

std::string traffic_line(const char* title, const WordTraffic& words) {
  constexpr std::size_t beside_first = 30;
  return wrapped(fmt::format("  {:<9}{:>18} inputs, {} weights read, {} outputs written", title,
                             words.input_reads, words.filter_reads, words.output_writes),
                 beside_first) +
         "\n";
}

std::string one_operator(const SystolicReport& report, const SystolicReport::Entry& entry) {
  const SystolicOperation& op = entry.operation;
  const SystolicCost& cost = entry.cost;
  std::string text = fmt::format("{}: M {}, N {}, K {}", entry.name, op.m, op.n, op.k);
  if (op.repeats > 1) text += fmt::format(", {} times", op.repeats);
  text += fmt::format("\n  {:<9}{:>18}", "cycles", cost.cycles);
  if (cost.stall_cycles > 0) text += fmt::format(", {} of them waiting for memory", cost.stall_cycles);
  text += fmt::format("\n  {:<9}{:>18}\n", "time",
                      readable_seconds(microseconds_of(report, static_cast<double>(cost.cycles)) * 1e-6));
  text += fmt::format("  {:<9}{:>16.2f} % overall, {:.2f} % mapping, {:.2f} % compute\n", "use",
                      cost.overall_utilization * 100, cost.mapping_efficiency * 100,
                      cost.compute_utilization * 100);
  return text + traffic_line("SRAM", cost.sram) + traffic_line("DRAM", cost.dram);
}

constexpr Column<SystolicRow> systolic_columns[] = {
    {"name", "", "Name of the layer. It is `GEMM` where flags give the product.",
     [](auto& row) { return row.name; }, "operator"},
    {"m", "", "Rows of the product. For a convolution these are its output pixels.",
     [](auto& row) { return row.operation.m; }, "M"},
    {"n", "", "Columns of the product. For a convolution these are its filters.",
     [](auto& row) { return row.operation.n; }, "N"},
    {"k", "", "Number of terms in each sum. For a convolution these are the weights of a filter.",
     [](auto& row) { return row.operation.k; }, "K"},
    {"repeats", "",
     "Products of this size that are computed one after the other: one for each channel of a depth-wise "
     "convolution, else 1. The cycles, times and accesses below are for all of them.",
     [](auto& row) { return row.operation.repeats; }, "times"},
    {"total_cycles", "cycles", "Cycles that the operator takes.", [](auto& row) { return row.cost.cycles; },
     "cycles"},
    {"stall_cycles", "cycles", "Cycles, among these, in which it waits for main memory.",
     [](auto& row) { return row.cost.stall_cycles; }},
    {"time_us", "us", "Time that these cycles take.", [](auto& row) { return row.time_us; }, "time"},
    {"overall_util_pct", "%", "Multiply-adds as a share of what all units could do in all cycles.",
     [](auto& row) { return row.cost.overall_utilization * 100; }},
    {"mapping_eff_pct", "%",
     "Share of the units that a fold uses, on average, in the array that has most to do.",
     [](auto& row) { return row.cost.mapping_efficiency * 100; }},
    {"compute_util_pct", "%",
     "Share of the units in use over the cycles of a fold. As in the original, the skew of columns counts "
     "twice unless outputs stay in place.",
     [](auto& row) { return row.cost.compute_utilization * 100; }},
    {"", "share", "", [](auto& row) { return row.cost.overall_utilization; }, "use"},
    {"", "share", "", [](auto& row) { return row.cost.mapping_efficiency; }, "map"},
    {"sram_ifmap_reads", "words", "Words read from the buffer of inputs.",
     [](auto& row) { return row.cost.sram.input_reads; }},
    {"sram_filter_reads", "words", "Words read from the buffer of weights.",
     [](auto& row) { return row.cost.sram.filter_reads; }},
    {"sram_ofmap_writes", "words",
     "Words written to the buffer of outputs. With `os` these are R + C too many per fold, as in the "
     "original.",
     [](auto& row) { return row.cost.sram.output_writes; }},
    {"dram_ifmap_reads", "words", "Words of inputs read from main memory.",
     [](auto& row) { return row.cost.dram.input_reads; }},
    {"dram_filter_reads", "words", "Words of weights read from main memory.",
     [](auto& row) { return row.cost.dram.filter_reads; }},
    {"dram_ofmap_writes", "words",
     "Words written to main memory. Partial sums are written, but not read again.",
     [](auto& row) { return row.cost.dram.output_writes; }},
    {"", "", "", [](auto& row) { return words_of_memory(row.cost.dram); }, "DRAM words"},
};

nlohmann::ordered_json array_to_json(const SystolicArray& array) {
  nlohmann::ordered_json json{{"dataflow", word_of(dataflow_words, array.dataflow)},
                              {"rows", array.rows},
                              {"columns", array.columns},
                              {"arrays", array.arrays},
                              {"frequency_hz", array.frequency},
                              {"ifmap_sram_words", array.input_sram},
                              {"filter_sram_words", array.filter_sram},
                              {"ofmap_sram_words", array.output_sram},
                              {"bandwidth_words_per_cycle", nullptr}};
  if (array.bandwidth) json["bandwidth_words_per_cycle"] = *array.bandwidth;
  return json;
}

std::vector<SystolicRow> rows_of(const SystolicReport& report) {
  std::vector<SystolicRow> rows;
  for (const SystolicReport::Entry& entry : report.operators)
    rows.push_back({entry.name, entry.operation, entry.cost,
                    microseconds_of(report, static_cast<double>(entry.cost.cycles))});
  return rows;
}

}  // namespace

const Table<SystolicRow> systolic_table(systolic_columns);

std::string systolic_text(const SystolicReport& report) {
  const std::string array = array_line(report.array);
  if (report.operators.size() == 1) return array + one_operator(report, report.operators[0]);
  const double cycles = total_cycles(report);
  return array + text_of(systolic_table, rows_of(report)) +
         fmt::format("total {} cycles, {}\n", readable_count(cycles),
                     readable_seconds(microseconds_of(report, cycles) * 1e-6));
}

nlohmann::ordered_json systolic_to_json(const SystolicReport& report) {
  return {{"array", array_to_json(report.array)},
          {"operators", json_of<nlohmann::ordered_json>(systolic_table, rows_of(report))},
          {"total_time_us", microseconds_of(report, total_cycles(report))}};
}

std::string systolic_json(const SystolicReport& report) {
  return systolic_to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orrery::core
