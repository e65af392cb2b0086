// Exporters write the reports of a run, beside the tables that hold a row of every run. A new one is an
// Exporter, a line here, and a line for each of its files in report/stored/result_files.hpp.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "report/table/row_sink.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

// A concluded run.
struct RunOutput {
  const RunSpec& spec;
  const RunResult& result;
  const Summary& summary;
  std::string folder;  // exists and ends in "/", or is what the names of all files begin with
  Warnings& warnings;
};

struct Exporter {
  // Returns the files that it may write into the folder for a run of this name. Folders come after the files
  // in them.
  std::vector<std::string> (*files)(const std::string& folder, const std::string& run);
  // Returns the tables that it has of the run, of which those without rows are not written. They may refer to
  // the run. Null: there are none.
  std::vector<NamedRows> (*tables)(const RunOutput& run) = nullptr;
  // Writes into the folder what there is to say about the run. The caller holds the folder's lock. Null: the
  // tables are all.
  void (*write)(const RunOutput& run) = nullptr;
};
using Exporters = std::span<const Exporter* const>;

extern const Exporter astra1_exporter;        // ASTRA-sim 1.0's files, where all ranks do the same
extern const Exporter timeline_exporter;      // what each part does when
extern const Exporter parts_exporter;         // a line per part, where ranks do different things
extern const Exporter ranks_exporter;         // what each class of NPUs spends its time on, where they differ
extern const Exporter links_exporter;         // what links carry, where ASTRA-sim 1.0's files do not say it
extern const Exporter latencies_exporter;     // for how long packets were under way, on a network of flits
extern const Exporter messages_exporter;      // what messages took, where that was asked for
extern const Exporter switches_exporter;      // what switches held, where packets are simulated
extern const Exporter link_history_exporter;  // what links carry and switches hold when, if asked for
extern const Exporter memory_exporter;        // what devices keep in memory when, where that is known
extern const Exporter topology_exporter;      // a drawing of the network

inline constexpr std::array<const Exporter*, 11> all_exporters{
    &astra1_exporter,       &timeline_exporter,  &parts_exporter,    &ranks_exporter,
    &links_exporter,        &latencies_exporter, &messages_exporter, &switches_exporter,
    &link_history_exporter, &memory_exporter,    &topology_exporter};

// Returns the tables of a run that have rows, each under the name of its file. They may refer to the run.
std::vector<NamedRows> tables_of(const RunOutput& run, Exporters exporters = all_exporters);
// Locks the folder while it writes, so that the reports in it are all of one run.
void write_reports(const RunOutput& run, Exporters exporters = all_exporters);
// Removes the reports that an earlier run of this name may have left, and the folder if nothing else is in
// it.
void remove_reports(const std::filesystem::path& folder, const std::string& run,
                    Exporters exporters = all_exporters);

}  // namespace orrery::core
