// Finds what an experiment varies: the keys whose values differ among its runs, and seeds of random numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/input/input_node.hpp"

namespace orrery::core {

struct VariedKeys {
  // Paths as --set takes them, such as "workload.batch.micro", in the order of the file. If runs differ in
  // very many keys, these are the first ones.
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> values;  // by run, then by key; empty where the run lacks the key
};

// `runs` is the list of runs in the document. What a run leaves out is as at the top of the document.
VariedKeys varied_keys(const InputNode& document, const InputNode& runs);

// Returns the values of a run by their paths: those of the document with the run's own in their place, and
// those of a network, system, workload or platform in place of its name. Names are left out, and so is what
// belongs to the whole document, such as `reports`. `run` is null where the document is one run.
std::map<std::string, std::string> keys_of_run(const InputNode& document, const InputNode* run);

// Returns the seeds of the random numbers in the document and its runs, each once.
std::vector<std::string> seeds_of(const InputNode& document);

}  // namespace orrery::core
