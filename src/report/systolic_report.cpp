#include "report/systolic_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/words.hpp"

namespace orrery {
namespace {

double microseconds(const SystolicReport& report, double cycles) {
  return cycles * 1e6 / report.array.frequency;
}

// May exceed 64 bits.
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
  return fmt::format("  {:<9}{:>18} inputs read, {} weights read, {} outputs written\n", title,
                     words.input_reads, words.filter_reads, words.output_writes);
}

std::string one_operator(const SystolicReport& report, const SystolicReport::Entry& entry) {
  const SystolicOperation& op = entry.operation;
  const SystolicCost& cost = entry.cost;
  std::string text = fmt::format("{}: M {}, N {}, K {}", entry.name, op.m, op.n, op.k);
  if (op.repeats > 1) text += fmt::format(", {} times", op.repeats);
  text += fmt::format("\n  {:<9}{:>18}", "cycles", cost.cycles);
  if (cost.stall_cycles > 0) text += fmt::format(", {} of them waiting for memory", cost.stall_cycles);
  text +=
      fmt::format("\n  {:<9}{:>15.3f} us\n", "time", microseconds(report, static_cast<double>(cost.cycles)));
  text += fmt::format("  {:<9}{:>16.2f} % overall, {:.2f} % mapping, {:.2f} % compute\n", "use",
                      cost.overall_utilization * 100, cost.mapping_efficiency * 100,
                      cost.compute_utilization * 100);
  return text + traffic_line("SRAM", cost.sram) + traffic_line("DRAM", cost.dram);
}

std::string table(const SystolicReport& report) {
  std::size_t width = 8;
  for (const SystolicReport::Entry& entry : report.operators) width = std::max(width, entry.name.size());
  width = std::min<std::size_t>(width, 24);
  std::string text = fmt::format("{:<{}} {:>9} {:>7} {:>8} {:>13} {:>13} {:>6} {:>6} {:>13}\n", "operator",
                                 width, "M", "N", "K", "cycles", "us", "use %", "map %", "DRAM words");
  for (const SystolicReport::Entry& entry : report.operators) {
    const SystolicOperation& op = entry.operation;
    const SystolicCost& cost = entry.cost;
    const double dram = static_cast<double>(cost.dram.input_reads) +
                        static_cast<double>(cost.dram.filter_reads) +
                        static_cast<double>(cost.dram.output_writes);
    const std::string times = op.repeats > 1 ? fmt::format("  {} times", op.repeats) : "";
    text += fmt::format("{:<{}} {:>9} {:>7} {:>8} {:>13} {:>13.3f} {:>6.2f} {:>6.2f} {:>13.0f}{}\n",
                        entry.name.substr(0, width), width, op.m, op.n, op.k, cost.cycles,
                        microseconds(report, static_cast<double>(cost.cycles)),
                        cost.overall_utilization * 100, cost.mapping_efficiency * 100, dram, times);
  }
  const double cycles = total_cycles(report);
  return text + fmt::format("{:<{}} {:>9} {:>7} {:>8} {:>13.0f} {:>13.3f}\n", "total", width, "", "", "",
                            cycles, microseconds(report, cycles));
}

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

nlohmann::ordered_json entry_to_json(const SystolicReport& report, const SystolicReport::Entry& entry) {
  const SystolicOperation& op = entry.operation;
  const SystolicCost& cost = entry.cost;
  return {{"name", entry.name},
          {"m", op.m},
          {"n", op.n},
          {"k", op.k},
          {"repeats", op.repeats},
          {"total_cycles", cost.cycles},
          {"stall_cycles", cost.stall_cycles},
          {"time_us", microseconds(report, static_cast<double>(cost.cycles))},
          {"overall_util_pct", cost.overall_utilization * 100},
          {"mapping_eff_pct", cost.mapping_efficiency * 100},
          {"compute_util_pct", cost.compute_utilization * 100},
          {"sram_ifmap_reads", cost.sram.input_reads},
          {"sram_filter_reads", cost.sram.filter_reads},
          {"sram_ofmap_writes", cost.sram.output_writes},
          {"dram_ifmap_reads", cost.dram.input_reads},
          {"dram_filter_reads", cost.dram.filter_reads},
          {"dram_ofmap_writes", cost.dram.output_writes}};
}

}  // namespace

std::string systolic_text(const SystolicReport& report) {
  const std::string array = array_line(report.array);
  return array + (report.operators.size() == 1 ? one_operator(report, report.operators[0]) : table(report));
}

nlohmann::ordered_json systolic_to_json(const SystolicReport& report) {
  nlohmann::ordered_json json{{"array", array_to_json(report.array)},
                              {"operators", nlohmann::ordered_json::array()}};
  for (const SystolicReport::Entry& entry : report.operators)
    json["operators"].push_back(entry_to_json(report, entry));
  json["total_time_us"] = microseconds(report, total_cycles(report));
  return json;
}

std::string systolic_json(const SystolicReport& report) {
  return systolic_to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orrery
