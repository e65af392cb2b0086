// The part of `orrery generate` that splits a neural network: its flags, and what they make.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/generate/trained_model.hpp"

namespace orrery::core {

struct ModelFlags {
  std::string model, device;
  std::vector<std::string> parameters;  // NAME=VALUE
  bool allow_out_of_memory = false;

  void add_to(CLI::App& command);
  // Returns the first flag that was given but means nothing without --model. It is empty if there is none.
  std::string first_given() const;
  // Returns what the flags say as the workload of an experiment.
  InputNode workload() const;

 private:
  InputNode workload_;  // without the model and its parameters
  std::vector<const CLI::Option*> options_;
};

// Throws InputError, also when the model does not fit the device's memory and that is not allowed.
TrainedModel train(const ModelFlags& flags, const SplitMachine& machine, Warnings& warnings,
                   const FileLoader& load);

}  // namespace orrery::core
