// Results of a transformer's training step. docs/outputs.md lists columns and keys.
#pragma once

#include <string>

#include "report/summary.hpp"
#include "report/table.hpp"
#include "simulate/training_step.hpp"

namespace orrery {

Summary summarize(const std::string& name, const TrainingSetup& setup, const TrainingResult& result);

// Returns lines for a terminal: tokens per second, utilization, exposed communication by axis, memory.
std::string training_lines(const Summary& run);

struct StageRow;
extern const Table<StageRow> stage_table;

// Writes stages.csv and timeline.csv into the folder; warns if the timeline is incomplete.
void write_training_reports(const std::string& folder, const Program& program, const Recording& recording,
                            const TrainingResult& result, Warnings& warnings);

}  // namespace orrery
