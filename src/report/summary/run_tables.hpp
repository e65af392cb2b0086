// Makes tables of the runs of an experiment and of their layers.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/summary/summary.hpp"
#include "report/summary/varied_columns.hpp"
#include "report/table/table.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {

// The small part of a run's summary that tables of many runs keep, so that there may be a hundred thousand
// runs. The members mean the same as those of Summary.
struct RunRow {
  std::string name;
  std::string error;
  std::string work;
  int npus = 0, iterations = 0;
  Time total, rank_0_total;
  TimeParts time;
  std::optional<StageTimes> stages;
  std::optional<double> epoch_seconds;
  std::optional<HashSpread> hashes;
  bool has_parts = false;
  std::optional<ServedPace> served;          // for parameter servers
  std::optional<double> samples_per_second;  // of inference with layers
  std::optional<double> tokens_per_second, model_flop_utilization, hardware_flop_utilization;
  std::optional<PredictionAccuracy> accuracy;                      // where measured runs tell
  std::optional<double> memory;                                    // bytes on the fullest device, where known
  std::optional<double> memory_before_training, memory_of_others;  // likewise
  std::optional<double> network_cost;                              // dollars, where prices are known
  std::string busiest_link;  // "npu0 to npu1 of ring"; empty where links are not known
  double link_utilization = 0;
  std::string exposed_along;        // axes of parallelism with their shares of the time
  bool is_tie = false;              // with the first run that does the same work
  std::optional<double> speedup;    // over the first run that does the same work
  std::vector<std::string> varied;  // values of the keys in which runs of the experiment differ

  explicit RunRow(const Summary& run);

  double device_utilization() const {
    return total > Time() ? (time.compute - time.host - time.memory).ns() / total.ns() : 0;
  }
  double exposed_share() const { return total > Time() ? time.exposed.ns() / total.ns() : 0; }
};
extern const Table<RunRow> run_table;

// Makes rows of runs as these end, in the order of the experiment, and compares each run with the first one
// that does the same work: that trains the same model or, without a model, the same layers.
class RunRows {
 public:
  const RunRow& add(const Summary& run);
  const std::vector<RunRow>& all() const { return rows_; }

 private:
  std::vector<RunRow> rows_;
  std::unordered_map<std::string, std::size_t> first_of_;  // by work
};

// Returns the same table as runs.csv, with a type for each column. The values of a key in which runs differ
// are numbers where all of them are.
TypedTable typed_runs(const std::vector<RunRow>& runs, const VariedColumns& varied);

// The parts of runs.csv. It has a line per run, with the values of the keys that differ after the columns of
// run_table. The line of a run that failed has only its name, that it failed and why, and these values.
std::string runs_csv_title(const std::vector<std::string>& varied_titles);
std::string runs_csv_line(const RunRow& run, const VariedColumns& varied = {});

// Returns whether a column of runs.csv has a cell also for a run that failed.
bool known_of_failed_runs(std::string_view column);

struct LayerRow {
  const Summary& run;
  const LayerSummary& layer;
};
extern const Table<LayerRow> layer_table;  // layers.csv, with each run that succeeded
std::vector<LayerRow> layer_rows(const Summary& run);

struct PartRow {
  const Summary& run;
  const PartSummary& part;
};
extern const Table<PartRow> part_table;
std::vector<PartRow> part_rows(const Summary& run);

}  // namespace orrery::core
