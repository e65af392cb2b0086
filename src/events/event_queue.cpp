#include "events/event_queue.hpp"

#include <algorithm>

namespace orrery {

namespace {
constexpr auto is_later = [](const auto& a, const auto& b) {
  return a.stamp != b.stamp ? a.stamp > b.stamp : a.age > b.age;
};
}  // namespace

std::uint32_t EventQueue::open_bucket(Stamp stamp) {
  std::uint32_t bucket;
  if (free_buckets_.empty()) {
    bucket = static_cast<std::uint32_t>(buckets_.size());
    buckets_.emplace_back();
  } else {
    bucket = free_buckets_.back();
    free_buckets_.pop_back();
  }
  heap_.push_back({stamp, opened_++, bucket});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
  return bucket;
}

void EventQueue::open_next() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  current_ = heap_.back().bucket;
  current_stamp_ = heap_.back().stamp;
  position_ = 0;
  heap_.pop_back();
}

void EventQueue::close_current() {
  Cached& cached = cache_[slot(current_stamp_)];
  if (cached.bucket == current_) cached = Cached{};
  buckets_[current_].clear();
  free_buckets_.push_back(current_);
  current_ = none;
}

}  // namespace orrery
