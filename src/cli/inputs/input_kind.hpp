// Recognises an input file by its content and checks it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "cli/inputs/input_kinds.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

// Returns what the file is, in words. Throws InputError when it is nothing known or not well made. Runs of an
// experiment are put together, so that parts that do not fit each other are found too: `errors` gets a line
// for each run that cannot be.
std::string check_input(const std::string& file, const FileLoader& load, const ExperimentChanges& changes,
                        Warnings& warnings, std::vector<std::string>& errors);

// Returns the text of an experiment file. Throws InputError, which says what to type where the file is
// something else.
std::string read_experiment_text(const std::string& file, const FileLoader& load);

// Reads an experiment file. Throws InputError, which says what to type where the file is something else.
Experiment read_experiment_file(const std::string& file, const std::vector<std::string>& overrides,
                                Warnings& warnings, const FileLoader& load,
                                std::optional<NetworkModel> network_model = {});

}  // namespace orrery::core
