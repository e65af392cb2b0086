// An algorithm of a plug-in, which is found by its name among the extensions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "collective/algorithms/algorithm.hpp"
#include "collective/algorithms/written/send_list.hpp"
#include "collective/algorithms/written/written_source.hpp"

namespace orrery::core {

// Makes a list of sends for each kind and number of members once, when it is asked for first.
class ForeignAlgorithm : public WrittenSource {
 public:
  // Returns the sends, or none where the plug-in has none for a kind of collective and a number of members.
  // May throw InputError.
  using Sends = std::function<std::optional<SendList>(CollectiveKind kind, std::uint32_t members)>;

  // `where` is the place at which the plug-in was named.
  ForeignAlgorithm(std::string name, SourceLocation where, Sends sends);

  // Returns the kind of algorithm that users choose by its name, which lives as long as this.
  Algorithm kind() const { return &kind_; }

  const WrittenAlgorithm* find(CollectiveKind kind, std::uint32_t members) const override;
  std::optional<CollectiveKind> only_kind() const override { return std::nullopt; }
  std::string name() const override { return "the algorithm `" + name_ + "` of a plug-in"; }
  std::string what_for() const override { return "other collectives or numbers of members"; }

 private:
  std::string name_;
  SourceLocation where_;
  Sends sends_;
  AlgorithmKind kind_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<CollectiveKind, std::uint32_t>, std::unique_ptr<const WrittenAlgorithm>> made_;
};

// What a registry holds.
using ForeignAlgorithmEntry = std::shared_ptr<const ForeignAlgorithm>;

}  // namespace orrery::core
