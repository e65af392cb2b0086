// Makes the program of a transformer's training step: an execution graph per stage of the pipeline.
//
// stage_walk.hpp says what a stage does and in which order.
#pragma once

#include <cstdint>

#include "program/program.hpp"
#include "workload/training/stages/stage_cost.hpp"
#include "workload/training/stages/training_notes.hpp"

namespace orrery::core {

// How much of a micro-batch's pass through a chunk is written into the graph.
enum class PassDetail : std::uint8_t {
  one_node,  // one node: the collectives within its blocks are part of its duration
  blocks,    // the operators and collectives of each block; operators that follow one another are one
  operators  // the same, with each operator by itself and with its name
};

// Returns roughly how many operations the step has.
double operations_of_step(const TrainingSetup& setup, PassDetail detail);

// Throws InputError if the step has more micro-batches than can be simulated.
void require_training_program_fits(const TrainingSetup& setup, PassDetail detail = PassDetail::one_node);

// Returns the program of the step. Throws what the function above throws. `notes` get what its computations
// consist of. It may be null.
Program training_program(const TrainingSetup& setup, const StageCosts& costs,
                         PassDetail detail = PassDetail::one_node, TrainingNotes* notes = nullptr);

}  // namespace orrery::core
