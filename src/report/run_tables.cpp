#include "report/run_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/csv_cell.hpp"

namespace orrery {

std::string runs_csv(const std::vector<Summary>& runs) {
  std::string text = runs_csv_title();
  for (const Summary& run : runs) text += runs_csv_line(run);
  return text;
}

std::string runs_csv_title() {
  return "run,npus,iterations,total_us,compute_us,bubble_us,exposed_us,exposed_share,"
         "rank_0_total_us\n";
}

std::string runs_csv_line(const Summary& run) {
  if (!run.error.empty()) return csv_cell(run.name) + ",,,,,,,,\n";
  return fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_cell(run.name), run.npus, run.iterations,
                     run.total.us(), run.compute.us(), run.bubble.us(), run.exposed.us(), run.exposed_share(),
                     run.rank_0_total.us());
}

std::string layers_csv(const std::vector<Summary>& runs) {
  std::string text = layers_csv_title();
  for (const Summary& run : runs) text += layers_csv_lines(run);
  return text;
}

std::string layers_csv_title() {
  return "run,layer,compute_us,communication_us,exposed_us\n";
}

std::string layers_csv_lines(const Summary& run) {
  std::string text;
  const std::string name = csv_cell(run.name);
  for (const LayerSummary& layer : run.layers)
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", name, csv_cell(layer.name),
                   layer.compute.us(), layer.communication.us(), layer.exposed.us());
  return text;
}

}  // namespace orrery
