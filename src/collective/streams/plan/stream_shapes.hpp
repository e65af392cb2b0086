// Makes the shapes of phases. Each shape is made once.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "collective/streams/plan/stream_phase.hpp"

namespace orrery::core {

struct StreamShapeRequest {
  CollectiveKind requested;  // kind of the whole collective
  CollectiveKind kind;
  AlgorithmChoice choice;
  Bytes input;
  std::uint32_t members;
  bool backward, small;
  bool odd = false;  // the second of two trees
};

class StreamShapes {
 public:
  // Keeps a reference.
  explicit StreamShapes(const SystemConfig& config) : config_(config) {}

  // Throws InputError when the algorithm cannot run there, CollectiveError when messages would be empty.
  const StreamShape& shape_of(const StreamShapeRequest& request);

 private:
  using Key = std::tuple<Algorithm, CollectiveKind, std::uint64_t, std::uint32_t, int, bool, bool, bool>;

  StreamShape make(const StreamShapeRequest& request) const;
  Time reduction_cost(Bytes bytes) const;

  const SystemConfig& config_;
  std::map<Key, std::unique_ptr<StreamShape>> shapes_;
};

}  // namespace orrery::core
