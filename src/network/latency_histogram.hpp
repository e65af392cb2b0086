// Counts times in buckets, of which there are few however many and however long the times are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::core {

// Times are whole numbers of some unit. A bucket is one unit wide, or at most a quarter of the time that it
// begins with.
class LatencyHistogram {
 public:
  struct Bucket {
    std::uint64_t from = 0, to = 0;  // `to` is the first time that is not in the bucket
    std::uint64_t count = 0;
  };

  void add(std::uint64_t time) {
    const std::size_t bucket = bucket_of(time);
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
    ++count_;
    sum_ += time;
    longest_ = std::max(longest_, time);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t longest() const { return longest_; }
  double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  // Returns the buckets that hold something, by time.
  std::vector<Bucket> buckets() const {
    std::vector<Bucket> buckets;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) buckets.push_back({begin_of(i), begin_of(i + 1), counts_[i]});
    return buckets;
  }

 private:
  // The three highest bits of a time choose its bucket, so four of them begin between powers of two.
  static std::size_t bucket_of(std::uint64_t time) {
    if (time < 4) return static_cast<std::size_t>(time);
    const int shift = static_cast<int>(std::bit_width(time)) - 3;
    return static_cast<std::size_t>(shift) * 4 + static_cast<std::size_t>(time >> shift);
  }
  static std::uint64_t begin_of(std::size_t bucket) {
    return bucket < 4 ? bucket : std::uint64_t{4 + bucket % 4} << (bucket / 4 - 1);
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0, sum_ = 0, longest_ = 0;
};

// Latencies of the packets that were received in a vnet, on a network of flits.
struct PacketLatencies {
  std::uint32_t vnet = 0;
  double unit_ns = 1;
  LatencyHistogram histogram;
};

}  // namespace orrery::core
