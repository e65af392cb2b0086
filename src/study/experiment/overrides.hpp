// Implements --set key=value and --network-model: changes to an experiment before it is read.
//
//   passes=2    systems.dgx2.chunks=8    runs.DGX2-VGG16.compute-scale=0.5    network.0.bandwidth=50 GiB/s
//
// The key is a path of keys joined by dots; an element of a list is chosen by its index, from 0, or by its
// `name`. The value is YAML.
#pragma once

#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input/keys.hpp"

namespace orrery::core {

// Returns the keys that an experiment file may have: those that begin with `first`, one of the document's own
// keys. Without `first` it returns these.
using ExperimentKeys = std::function<std::vector<KeyPath>(std::string_view first)>;

// Asks for the keys of each part of an experiment once, because a part such as `workload` has hundreds.
// Several threads may use it.
class AskedKeys {
 public:
  explicit AskedKeys(ExperimentKeys keys) : ask_(std::move(keys)) {}

  const std::vector<KeyPath>& below(std::string_view first);

 private:
  ExperimentKeys ask_;
  std::shared_mutex mutex_;  // of what is known
  std::map<std::string, std::vector<KeyPath>, std::less<>> known_;
};

// Puts a value where the path leads, and makes what is missing on the way, whose place is `where`. Throws
// InputError there when the experiment has no such key.
void set_value(InputNode& document, std::string_view path, const SourceLocation& where, InputNode value,
               AskedKeys& keys);

// Takes the entry of a map away to which the path leads, so that its key has the usual value. Throws
// InputError likewise.
void leave_out(InputNode& document, std::string_view path, const SourceLocation& where, AskedKeys& keys);

// `keys` are those of experiment_file_keys(). They are asked for only where a path leads. Throws InputError
// located at "--set key=value". Values that are set in this way have the same place.
void apply_overrides(InputNode& document, const std::vector<std::string>& overrides,
                     const ExperimentKeys& keys);

// Puts the network model of --network-model in the place of those that the document and its runs have.
void choose_network_model(InputNode& document, std::string_view model);

}  // namespace orrery::core
