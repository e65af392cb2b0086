#include "workload/pipeline/layer_chunks.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

// Returns the segments of each chunk when a chunk takes as many as fit into `longest`, and leaves one for
// each chunk that follows. The last chunk takes the rest.
std::vector<std::size_t> fill(const std::vector<LayerSegment>& segments, std::size_t chunks, Time longest) {
  std::vector<std::size_t> sizes(chunks, 0);
  std::size_t next = 0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    Time sum;
    const std::size_t left = chunks - chunk - 1;
    while (next + left < segments.size()) {
      const Time with_next = saturated_sum(sum, segments[next].compute);
      if (sizes[chunk] > 0 && left > 0 && with_next > longest) break;
      sum = with_next;
      ++sizes[chunk];
      ++next;
    }
  }
  return sizes;
}

Time longest_of(const std::vector<LayerSegment>& segments, const std::vector<std::size_t>& sizes) {
  Time longest;
  std::size_t next = 0;
  for (const std::size_t size : sizes) {
    Time sum;
    for (std::size_t i = 0; i < size; ++i) sum = saturated_sum(sum, segments[next++].compute);
    longest = std::max(longest, sum);
  }
  return longest;
}

}  // namespace

std::vector<std::size_t> cut_into_chunks(const std::vector<LayerSegment>& segments, std::size_t chunks) {
  if (chunks == 0 || segments.size() < chunks) return {};
  Time below = Time::from_ps(-1), enough;  // the bound lies above the one, at most at the other
  for (const LayerSegment& segment : segments) enough = saturated_sum(enough, segment.compute);
  while (enough.ps() - below.ps() > 1) {
    const Time middle = Time::from_ps(below.ps() + (enough.ps() - below.ps()) / 2);
    (longest_of(segments, fill(segments, chunks, middle)) <= middle ? enough : below) = middle;
  }
  std::vector<std::size_t> layers;
  std::size_t next = 0;
  for (const std::size_t size : fill(segments, chunks, enough)) {
    layers.push_back(0);
    for (std::size_t i = 0; i < size; ++i) layers.back() += segments[next++].layers;
  }
  return layers;
}

}  // namespace orrery::core
