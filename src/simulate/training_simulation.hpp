// Runs a training step: the graphs of a pipeline's stages, whose operations know what they take.
#pragma once

#include <functional>
#include <vector>

#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery {

// Seconds of a message from one stage to another.
using MessageSeconds = std::function<double(std::size_t from, std::size_t to)>;

struct StageRecording {
  std::vector<Interval> operations;  // by id in the graph
  Time finish;
};

// Collectives of a stage run one after another and take their operation's duration. `with_communication`
// false: neither they nor messages take any time.
std::vector<StageRecording> simulate_training(const Program& program, const MessageSeconds& message,
                                              bool with_communication = true);

}  // namespace orrery
