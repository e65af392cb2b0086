#include "collective/chunk_queue.hpp"

#include <algorithm>

namespace orrery {

namespace {

bool stays_ahead(const ChunkQueue::Item& waiting, const ChunkQueue::Item& item, QueueOrder order) {
  switch (order) {
    case QueueOrder::smallest_first:
      return waiting.input < item.input;
    case QueueOrder::fewest_phases_left:
      return waiting.phases_left < item.phases_left;
    case QueueOrder::fifo:
    case QueueOrder::alternate_kinds:
      return waiting.priority >= item.priority;
  }
  return true;
}

}  // namespace

void ChunkQueue::insert(const Item& item, QueueOrder order) {
  // Policies speak of reduce-scatter and all-gather; whole collectives keep their order of issue.
  if (item.kind == CollectiveKind::all_reduce || item.kind == CollectiveKind::all_to_all)
    order = QueueOrder::fifo;
  if (items_.empty()) common_order_ = order;
  if (common_order_ != order) common_order_.reset();
  if (order == QueueOrder::alternate_kinds) {
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(alternating_place(item)), item);
    return;
  }
  const auto ahead = [&](const Item& other) { return other.started || stays_ahead(other, item, order); };
  // Before the first that does not stay ahead. In a queue of a single order that is found by bisection.
  const auto place = common_order_ ? std::partition_point(items_.begin(), items_.end(), ahead)
                                   : std::find_if_not(items_.begin(), items_.end(), ahead);
  items_.insert(place, item);
}

// Lets reduce-scatters and all-gathers take turns, since they load opposite directions: the new chunk goes
// behind chunks of higher priority, behind pairs of different kinds, and behind the first waiting chunk.
std::size_t ChunkQueue::alternating_place(const Item& item) const {
  using enum CollectiveKind;
  std::optional<CollectiveKind> last, before_last;
  auto visit = [&](std::size_t i) {
    before_last = last;
    last = items_[i].kind;
  };
  std::size_t place = 0;
  while (place < items_.size()) {
    visit(place);
    if (items_[place].started) {
      ++place;
      if (place < items_.size() && !items_[place].started) visit(place++);
      continue;
    }
    const bool pair = (last == reduce_scatter && before_last == all_gather) ||
                      (last == all_gather && before_last == reduce_scatter);
    if (items_[place].priority <= item.priority && !pair) break;
    ++place;
  }
  return place;
}

void ChunkQueue::remove(std::uint32_t chunk) {
  items_.erase(
      std::find_if(items_.begin(), items_.end(), [chunk](const Item& item) { return item.chunk == chunk; }));
}

std::optional<std::uint32_t> ChunkQueue::start_next(int slots) {
  if (running_ >= slots || static_cast<std::size_t>(running_) >= items_.size()) return std::nullopt;
  Item& item = items_[static_cast<std::size_t>(running_++)];
  item.started = true;
  return item.chunk;
}

}  // namespace orrery
