// Which keys of an experiment file change nothing in which kind of run: nothing that a user writes is
// ignored.
#pragma once

#include <map>
#include <set>
#include <string_view>

#include "base/yaml_node.hpp"
#include "study/run_spec.hpp"

namespace orrery {

class UnusedKeys {
 public:
  // `run` is the map of a run, `document` the experiment's, from which it takes what it leaves out; they are
  // one where the experiment is a single run. Throws InputError at the first key that changes nothing.
  void refuse(const RunSpec& spec, const YamlNode& run, const YamlNode& document);

  // When all runs are read: throws InputError at a key of the document that no run uses.
  void refuse_unused() const;

 private:
  std::map<std::string_view, InputError> unused_;  // by key of the document, for some kind of run
  std::set<std::string_view> used_;                // by another
};

}  // namespace orrery
