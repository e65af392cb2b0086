// Small experiments of every kind of run. Between them there is one for every key in which it matters.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace orrery::core::test {

struct KeyExperiment {
  std::string name;
  std::map<std::string, std::string> files;  // by name, experiment.yaml among them
  std::vector<std::string> before = {};      // words of a command that makes more files
};

// Experiments of one kind of run.
struct KeyExperiments {
  std::string kind;
  std::vector<KeyExperiment> experiments;
  // Collectives that no such run has: that a system says how it would carry them out changes nothing.
  std::vector<std::string> without_collectives = {};
};

std::vector<KeyExperiments> key_experiments();

// Trainings on platforms that have no use for much of what may be said: of one rank, along one axis, on one
// node or with one rank on each.
std::vector<KeyExperiment> small_trainings();

}  // namespace orrery::core::test
