#include "study/experiment/pieces/piece_cache.hpp"

namespace orrery::core {

std::shared_ptr<PieceCache::Piece> PieceCache::piece_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = places_.find(key); found != places_.end()) {
    order_.splice(order_.end(), order_, found->second);
    return found->second->second;
  }
  order_.emplace_back(key, std::make_shared<Piece>());
  places_.emplace(key, std::prev(order_.end()));
  if (order_.size() > most_) {
    places_.erase(order_.front().first);
    order_.pop_front();
  }
  return order_.back().second;
}

}  // namespace orrery::core
