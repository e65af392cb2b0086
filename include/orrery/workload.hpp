// Workloads that come with Orrery, by the names under which experiments ask for them, and transformers of
// files.
//
//   const orrery::Findings found = orrery::describe_transformer("llama3-8b").value();
//   const orrery::Table one = found.table("transformers").value();
//   std::cout << *one.integer(0, "parameters") << " parameters\n";
#pragma once

#include <string>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/table.hpp"

namespace orrery {

// Returns the neural networks that are tables of layers, such as convolutional ones: their layers, parameters
// and operations, a row for each. Experiments name them at `workload.model`, as the column "model" has them.
ORRERY_API Table models();
// Returns the transformers: their sizes, parameters and operations, a row for each. Experiments name them at
// `workload.model`, as the column "transformer" has them.
ORRERY_API Table transformers();

// Describes a transformer that comes with Orrery, or that of a file: a transformer file, or the `config.json`
// of a model of Hugging Face. The table is "transformers", with one row and the columns of transformers(),
// and everything is as `orrery list config.json` prints it. Warnings say what of a configuration is not
// modelled. The problem says that there is no transformer of this name, or what is wrong in which line of the
// file.
ORRERY_API Result<Findings> describe_transformer(const std::string& name_or_file);

}  // namespace orrery
