#include "events/event_queue.hpp"

#include <algorithm>

namespace orrery::core {

namespace {
constexpr auto is_later = [](const auto& a, const auto& b) {
  return a.stamp != b.stamp ? a.stamp > b.stamp : a.age > b.age;
};
}  // namespace

EventQueue::Bucket* EventQueue::add_bucket(Stamp stamp) {
  Bucket* bucket;
  if (free_buckets_.empty()) {
    bucket = &buckets_.emplace_back();
  } else {
    bucket = free_buckets_.back();
    free_buckets_.pop_back();
  }
  heap_.push_back({stamp, added_++, bucket});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
  return bucket;
}

bool EventQueue::open_next(Stamp& stamp) {
  if (heap_.empty()) return false;
  Cached& cached = cache_[slot(open_stamp_)];
  if (cached.bucket == open_) cached = Cached{};
  open_->clear();
  free_buckets_.push_back(open_);
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  open_ = heap_.back().bucket;
  stamp = open_stamp_ = heap_.back().stamp;
  position_ = 0;
  heap_.pop_back();
  return true;
}

}  // namespace orrery::core
