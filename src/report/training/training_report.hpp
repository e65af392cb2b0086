// Reports the results of a transformer's training step. docs/outputs/training.md lists columns and keys.
#pragma once

#include <string>

#include "report/summary/summary.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "report/training/training_result.hpp"

namespace orrery::core {

// Returns the summary of a step on a platform that has no network of its own. The intervals of its numbers
// hold `interval_share` of all measurements.
Summary summarize(const std::string& name, const TrainingSetup& setup, const TrainingResult& result,
                  double interval_share = usual_interval_share);
// Replaces what the program's parts tell by what is known about the step.
void add_training(Summary& summary, const TrainingSetup& setup, const TrainingResult& result,
                  double interval_share = usual_interval_share);

// Returns lines for a terminal: tokens per second, utilization, exposed communication by axis, memory.
std::string training_lines(const Summary& run);

struct StageRow;
extern const Table<StageRow> stage_table;

// Returns stages.csv.
TableRows stages_rows(const TrainingResult& result);

}  // namespace orrery::core
