// Results of a transformer's training step. docs/outputs.md lists columns and keys.
#pragma once

#include <string>

#include "report/run_row.hpp"
#include "report/summary.hpp"
#include "simulate/training_step.hpp"

namespace orrery {

Summary summarize(const std::string& name, const TrainingSetup& setup, const TrainingResult& result);

// Returns lines for a terminal: tokens per second, utilization, exposed communication by axis, memory,
// stages.
std::string training_lines(const Summary& run);

// Returns a line for each run that is a training step; empty text when there are none.
std::string training_table(const std::vector<RunRow>& runs);

// Writes stages.csv and timeline.csv into the folder; warns if the timeline is incomplete.
void write_training_reports(const std::string& folder, const Program& program, const Recording& recording,
                            const TrainingResult& result, Warnings& warnings);

}  // namespace orrery
