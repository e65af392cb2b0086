// Tang, Goh and Thng, "Ladder queue: an O(1) priority queue structure for large-scale discrete event
// simulation", ACM TOMACS 2005.
//
// Tuned: a bucket knows its least and greatest stamp, so one that holds a single stamp goes to the bottom
// unsorted; a rung's width follows from what is in it, and is a power of two; a short top is sorted at once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "events/clock.hpp"
#include "events/event.hpp"

namespace orrery {

class LadderQueue {
 public:
  void push(Stamp stamp, const Event& event) {
    if (stamp >= top_start_) {
      append(top_, stamp, event);
      return;
    }
    for (std::size_t i = 0; i < rungs_; ++i) {
      Rung& rung = ladder_[i];
      if (stamp < rung.next_start()) continue;
      append(rung.buckets[rung.bucket_of(stamp)], stamp, event);
      ++rung.size;
      return;
    }
    insert_into_bottom(stamp, event);
  }

  bool pop(Stamp& stamp, Event& event) {
    if (head_ == bottom_.size() && !refill()) return false;
    stamp = bottom_[head_].stamp;
    event = bottom_[head_++].event;
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t threshold = 50;  // of the paper
  static constexpr std::size_t most_rungs = 8;
  struct Node {
    Stamp stamp;
    Event event;
    std::uint32_t next;
  };
  struct Entry {
    Stamp stamp;
    Event event;
  };
  struct Bucket {
    Stamp least = 0, greatest = 0;
    std::uint32_t first = none, last = none;
    std::size_t size = 0;
  };
  struct Rung {
    Stamp start = 0;
    int shift = 0;
    std::size_t count = 0;  // of buckets in use
    std::size_t next = 0;   // bucket
    std::size_t size = 0;
    std::vector<Bucket> buckets;  // those not in use are empty

    Stamp next_start() const { return start + (static_cast<Stamp>(next) << shift); }
    // What lies behind the last bucket but before the rung above belongs to the last.
    std::size_t bucket_of(Stamp stamp) const {
      return std::min(static_cast<std::size_t>((stamp - start) >> shift), count - 1);
    }
  };

  void append(Bucket& bucket, Stamp stamp, const Event& event) {
    std::uint32_t node = free_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {stamp, event, none};
    link(bucket, node);
  }
  void link(Bucket& bucket, std::uint32_t node) {
    const Stamp stamp = nodes_[node].stamp;
    if (bucket.size++ == 0) {
      bucket.first = node;
      bucket.least = bucket.greatest = stamp;
    } else {
      nodes_[bucket.last].next = node;
      bucket.least = std::min(bucket.least, stamp);
      bucket.greatest = std::max(bucket.greatest, stamp);
    }
    bucket.last = node;
  }

  // False when nothing is left.
  bool refill() {
    bottom_.clear();
    head_ = 0;
    while (true) {
      while (rungs_ > 0 && ladder_[rungs_ - 1].size == 0) --rungs_;
      Bucket bucket;
      if (rungs_ > 0) {
        Rung& rung = ladder_[rungs_ - 1];
        while (rung.buckets[rung.next].size == 0) ++rung.next;
        std::swap(bucket, rung.buckets[rung.next]);
        rung.size -= bucket.size;
        ++rung.next;
        // An open last bucket: what comes before the rung above now belongs below.
        if (rung.next == rung.count) --rungs_;
      } else {
        if (top_.size == 0) return false;
        std::swap(bucket, top_);
        top_start_ = bucket.greatest + 1;
      }
      if (bucket.size <= threshold || bucket.least == bucket.greatest || rungs_ == most_rungs) {
        move_to_bottom(bucket);
        return true;
      }
      Rung& rung = add_rung(bucket.least, bucket.greatest, bucket.size);
      for (std::uint32_t node = bucket.first; node != none;) {
        const std::uint32_t next = nodes_[node].next;
        nodes_[node].next = none;
        link(rung.buckets[rung.bucket_of(nodes_[node].stamp)], node);
        node = next;
      }
    }
  }

  Rung& add_rung(Stamp least, Stamp greatest, std::size_t size) {
    Rung& rung = ladder_[rungs_++];
    const auto range = static_cast<std::uint64_t>(greatest - least);
    rung.start = least;
    rung.shift = static_cast<int>(std::bit_width(range / size));
    rung.count = (range >> rung.shift) + 1;
    rung.next = 0;
    rung.size = size;
    if (rung.buckets.size() < rung.count) rung.buckets.resize(rung.count);
    return rung;
  }

  void move_to_bottom(const Bucket& bucket) {
    for (std::uint32_t node = bucket.first; node != none; node = nodes_[node].next) {
      bottom_.push_back({nodes_[node].stamp, nodes_[node].event});
    }
    nodes_[bucket.last].next = free_;
    free_ = bucket.first;
    if (bucket.least == bucket.greatest) return;
    constexpr auto earlier = [](const Entry& a, const Entry& b) { return a.stamp < b.stamp; };
    if (bucket.size > threshold) {
      std::stable_sort(bottom_.begin(), bottom_.end(), earlier);
      return;
    }
    for (auto i = bottom_.begin() + 1; i != bottom_.end(); ++i) {
      std::rotate(std::upper_bound(bottom_.begin(), i, *i, earlier), i, i + 1);
    }
  }

  void insert_into_bottom(Stamp stamp, const Event& event) {
    if (head_ == bottom_.size() || stamp >= bottom_.back().stamp) {
      bottom_.push_back({stamp, event});
    } else {
      const auto place = std::upper_bound(bottom_.begin() + static_cast<std::ptrdiff_t>(head_), bottom_.end(),
                                          stamp, [](Stamp a, const Entry& b) { return a < b.stamp; });
      bottom_.insert(place, {stamp, event});
    }
    const std::size_t size = bottom_.size() - head_;
    const Stamp least = bottom_[head_].stamp, greatest = bottom_.back().stamp;
    if (size <= threshold || least == greatest || rungs_ == most_rungs) return;
    Rung& rung = add_rung(least, greatest, size);
    for (std::size_t i = head_; i < bottom_.size(); ++i) {
      append(rung.buckets[rung.bucket_of(bottom_[i].stamp)], bottom_[i].stamp, bottom_[i].event);
    }
    bottom_.clear();
    head_ = 0;
  }

  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
  Bucket top_;
  Stamp top_start_ = 0;
  std::array<Rung, most_rungs> ladder_;
  std::size_t rungs_ = 0;
  std::vector<Entry> bottom_;
  std::size_t head_ = 0;
};

}  // namespace orrery
