#include "report/picture/known_loads.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

// Wires of a network of flits are told apart by their vnet, which stands behind their ends.
std::string node_of(const std::string& end) {
  return end.substr(0, end.find(" (vnet "));
}

PictureLoad load_of(const LinkUse& use, Time end) {
  PictureLoad load;
  load.links = 1;
  load.most = load.sum = end > Time() ? use.busy.ns() / end.ns() : 0;
  load.bytes = use.load.bytes;
  if (const auto& packets = use.of_packets) {
    load.longest_queue = packets->longest_queue;
    load.drops = packets->drops;
    load.marks = packets->marks;
    load.pauses = packets->pauses;
    load.paused = packets->paused;
  }
  return load;
}

PictureLoad times(PictureLoad load, std::uint64_t links) {
  load.sum *= static_cast<double>(links);
  load.links = links;
  return load;
}

}  // namespace

PictureLoad& PictureLoad::operator+=(const PictureLoad& other) {
  if (other.most > most || links == 0) bytes = other.bytes;
  links += other.links;
  most = std::max(most, other.most);
  sum += other.sum;
  if (other.longest_queue) longest_queue = std::max(longest_queue.value_or(Bytes()), *other.longest_queue);
  drops += other.drops;
  marks += other.marks;
  pauses += other.pauses;
  paused = std::max(paused, other.paused);
  return *this;
}

KnownLoads::KnownLoads(const std::vector<LinkUse>& uses, const LinkHistory& history, Time end)
    : history_(history) {
  for (const LinkUse& use : uses) {
    const PictureLoad load = load_of(use, end);
    by_dimension_[use.dimension] += times(load, use.links);
    sets_[use.dimension].emplace_back(use.links, load);
    if (use.listed.empty()) loads_[{node_of(use.from), node_of(use.to)}] += times(load, use.links);
    if (use.listed.empty() && use.links > 1) unclear_.insert(use.dimension);
    for (const auto& [from, to] : use.listed) loads_[{node_of(from), node_of(to)}] += load;
  }
  for (const LinkSeries& series : history.links)
    series_[{node_of(series.from), node_of(series.to)}] = &series;
}

const PictureLoad* KnownLoads::of_each(int dimension, std::uint64_t links) const {
  const auto found = sets_.find(dimension);
  if (found == sets_.end() || found->second.size() != 1 || found->second[0].first != links) return nullptr;
  return &found->second[0].second;
}

PictureLoad KnownLoads::of_dimension(int dimension) const {
  const auto found = by_dimension_.find(dimension);
  return found == by_dimension_.end() ? PictureLoad() : found->second;
}

void add_moments(const std::vector<const LinkSeries*>& series, Time interval, std::size_t link,
                 NetworkPicture& picture) {
  std::size_t intervals = 0;
  for (const LinkSeries* of : series) intervals = std::max(intervals, of->bytes.size());
  for (std::size_t i = 0; i < intervals; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    PictureMoment moment{link, interval * number, interval * (number + 1), 0, {}};
    for (const LinkSeries* of : series) {
      if (i < of->bytes.size())
        moment.use = std::max(moment.use, of->bytes[i] / (interval.ns() * of->bytes_per_ns));
      if (i < of->packets.size())
        moment.longest_queue = std::max(moment.longest_queue.value_or(0), of->packets[i].longest_queue);
    }
    picture.moments.push_back(moment);
  }
}

}  // namespace orrery::core
