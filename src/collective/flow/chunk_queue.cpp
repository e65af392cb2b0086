#include "collective/flow/chunk_queue.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

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
  unreachable("chunks are compared under every order of a queue");
}

}  // namespace

ChunkQueue::Items::Items(const Items& other)
    : several_(other.several_ ? std::make_unique<Several>(*other.several_) : nullptr), one_(other.one_) {}

ChunkQueue::Items& ChunkQueue::Items::operator=(const Items& other) {
  return *this = Items(other);
}

void ChunkQueue::Items::insert(std::size_t place, const Item& item) {
  if (several_) {
    several_->insert(place, item);
  } else if (one_.chunk == nobody) {
    one_ = item;
  } else {
    several_ = std::make_unique<Several>();
    several_->items.push_back(one_);
    several_->insert(place, item);
  }
}

void ChunkQueue::Items::erase(std::size_t place) {
  if (several_)
    several_->erase(place);
  else
    one_.chunk = nobody;
}

// Moves the items in front of the place if there are fewer of them than behind it.
void ChunkQueue::Items::Several::insert(std::size_t place, const Item& item) {
  if (vacant > 0 && place <= (items.size() - vacant) / 2) {
    --vacant;
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(vacant);
    std::copy_n(first + 1, place, first);
    first[static_cast<std::ptrdiff_t>(place)] = item;
    return;
  }
  if (items.size() == items.capacity() && vacant > items.size() / 2) {
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(vacant));
    vacant = 0;
  }
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(vacant + place), item);
}

void ChunkQueue::Items::Several::erase(std::size_t place) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(vacant);
  const auto leaves = first + static_cast<std::ptrdiff_t>(place);
  std::move_backward(first, leaves, leaves + 1);
  if (++vacant < items.size()) return;
  items.clear();
  vacant = 0;
}

bool ChunkQueue::Items::operator==(const Items& other) const {
  return std::ranges::equal(all(), other.all());
}

void ChunkQueue::insert(const Item& item, QueueOrder order) {
  // Policies speak of reduce-scatter and all-gather; whole collectives keep their order of issue.
  if (item.kind == CollectiveKind::all_reduce || item.kind == CollectiveKind::all_to_all)
    order = QueueOrder::fifo;
  const std::span<const Item> items = items_.all();
  if (items.empty()) common_order_ = order;
  if (common_order_ != order) common_order_.reset();
  if (order == QueueOrder::alternate_kinds) {
    items_.insert(alternating_place(item), item);
    return;
  }
  const auto ahead = [&](const Item& other) { return other.started || stays_ahead(other, item, order); };
  // Inserts before the first item that does not stay ahead. In a queue of a single order, bisection finds
  // that item.
  const auto place =
      common_order_ ? std::ranges::partition_point(items, ahead) : std::ranges::find_if_not(items, ahead);
  items_.insert(static_cast<std::size_t>(place - items.begin()), item);
}

// Lets reduce-scatters and all-gathers take turns, since they load opposite directions: the new chunk goes
// behind chunks of higher priority, behind pairs of different kinds, and behind the first waiting chunk.
std::size_t ChunkQueue::alternating_place(const Item& item) const {
  using enum CollectiveKind;
  const std::span<const Item> items = items_.all();
  std::optional<CollectiveKind> last, before_last;
  auto visit = [&](std::size_t i) {
    before_last = last;
    last = items[i].kind;
  };
  std::size_t place = 0;
  while (place < items.size()) {
    visit(place);
    if (items[place].started) {
      ++place;
      if (place < items.size() && !items[place].started) visit(place++);
      continue;
    }
    const bool pair = (last == reduce_scatter && before_last == all_gather) ||
                      (last == all_gather && before_last == reduce_scatter);
    if (items[place].priority <= item.priority && !pair) break;
    ++place;
  }
  return place;
}

void ChunkQueue::remove(std::uint32_t chunk) {
  const std::span<const Item> items = items_.all();
  items_.erase(static_cast<std::size_t>(std::ranges::find(items, chunk, &Item::chunk) - items.begin()));
}

std::optional<std::uint32_t> ChunkQueue::start_next(int slots) {
  if (running_ >= slots || static_cast<std::size_t>(running_) >= items_.all().size()) return std::nullopt;
  Item& item = items_[static_cast<std::size_t>(running_++)];
  item.started = true;
  return item.chunk;
}

}  // namespace orrery::core
