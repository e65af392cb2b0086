// Where written algorithms come from: a file is for one collective among one number of members, a plug-in for
// all that it knows.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "collective/algorithms/written/written_algorithm.hpp"

namespace orrery::core {

// Several threads may ask one source.
class WrittenSource {
 public:
  virtual ~WrittenSource() = default;

  // Returns what is written for a kind of collective among so many members, as long as the source lives; null
  // where nothing is. Throws InputError where what is written does not compute the collective.
  virtual const WrittenAlgorithm* find(CollectiveKind kind, std::uint32_t members) const = 0;
  // Returns the only kind of collective that the source is for; none: it may be for several.
  virtual std::optional<CollectiveKind> only_kind() const = 0;
  // These words begin and end "the algorithm at a.xml:1:1 is for all-reduce among 5 GPUs".
  virtual std::string name() const = 0;
  virtual std::string what_for() const = 0;
};

class WrittenFile : public WrittenSource {
 public:
  explicit WrittenFile(WrittenAlgorithm algorithm) : algorithm_(std::move(algorithm)) {}

  const WrittenAlgorithm& algorithm() const { return algorithm_; }

  const WrittenAlgorithm* find(CollectiveKind kind, std::uint32_t members) const override {
    return kind == algorithm_.kind && members == algorithm_.size() ? &algorithm_ : nullptr;
  }
  std::optional<CollectiveKind> only_kind() const override { return algorithm_.kind; }
  std::string name() const override { return "the algorithm at " + algorithm_.where(algorithm_.spot).text(); }
  std::string what_for() const override {
    return std::string(name_of(algorithm_.kind)) + " among " + std::to_string(algorithm_.size()) + " GPUs";
  }

 private:
  WrittenAlgorithm algorithm_;
};

}  // namespace orrery::core
