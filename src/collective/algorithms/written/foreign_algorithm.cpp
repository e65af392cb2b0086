#include "collective/algorithms/written/foreign_algorithm.hpp"

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core {

ForeignAlgorithm::ForeignAlgorithm(std::string name, SourceLocation where, Sends sends)
    : name_(std::move(name)), where_(std::move(where)), sends_(std::move(sends)), kind_(msccl_algorithm) {
  kind_.name = name_;
}

const WrittenAlgorithm* ForeignAlgorithm::find(CollectiveKind kind, std::uint32_t members) const {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = made_.try_emplace({kind, members});
  if (is_new) {
    try {
      if (const std::optional<SendList> list = sends_(kind, members))
        found->second = std::make_unique<const WrittenAlgorithm>(written_of(*list, name(), where_));
    } catch (...) {
      made_.erase(found);
      throw;
    }
  }
  return found->second.get();
}

}  // namespace orrery::core
