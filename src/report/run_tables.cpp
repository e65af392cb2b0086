#include "report/run_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/csv_cell.hpp"

namespace orrery {

std::string runs_csv(const std::vector<Summary>& runs) {
  std::string text =
      "run,npus,iterations,total_us,compute_us,bubble_us,exposed_us,exposed_share,rank_0_total_us\n";
  for (const Summary& run : runs) {
    if (!run.error.empty())
      text += csv_cell(run.name) + ",,,,,,,,\n";
    else
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", csv_cell(run.name), run.npus,
                     run.iterations, run.total.us(), run.compute.us(), run.bubble.us(), run.exposed.us(),
                     run.exposed_share(), run.rank_0_total.us());
  }
  return text;
}

std::string layers_csv(const std::vector<Summary>& runs) {
  std::string text = "run,layer,compute_us,communication_us,exposed_us\n";
  for (const Summary& run : runs)
    for (const LayerSummary& layer : run.layers)
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", csv_cell(run.name), csv_cell(layer.name),
                     layer.compute.us(), layer.communication.us(), layer.exposed.us());
  return text;
}

}  // namespace orrery
