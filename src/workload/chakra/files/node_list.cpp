#include "workload/chakra/files/node_list.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "workload/chakra/files/attribute_names.hpp"

// A record consists of numbers, all as varints: Node::has, the length of the name, the name itself, the id as
// its distance from the node's index, the duration, and every attribute that the node has.

namespace orrery::core::chakra {
namespace {

// Returns a number that is small for small positive and negative values: 0, -1, 1, -2, ... become 0, 1, 2, 3,
// ...
constexpr std::uint64_t zigzag(std::uint64_t value) {
  return value << 1 ^ (std::uint64_t{0} - (value >> 63));
}
constexpr std::uint64_t without_zigzag(std::uint64_t value) {
  return value >> 1 ^ (std::uint64_t{0} - (value & 1));
}

class Packer {
 public:
  explicit Packer(std::uint8_t* at) : at_(at) {}

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::uint8_t>(value | 0x80);
    *at_++ = static_cast<std::uint8_t>(value);
  }
  void text(std::string_view text) {
    number(text.size());
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  const std::uint8_t* at() const { return at_; }

 private:
  std::uint8_t* at_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::uint8_t* at) : at_(at) {}

  std::uint64_t number() {
    std::uint64_t value = *at_++;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint64_t seven = *at_++;
      value |= (seven & 0x7f) << shift;
      if (seven < 0x80) return value;
    }
  }
  std::string_view text() {
    const std::size_t size = number();
    const auto* begin = reinterpret_cast<const char*>(at_);
    at_ += size;
    return {begin, size};
  }

 private:
  const std::uint8_t* at_;
};

// Calls `visit(bit, member)` for every attribute of a record, in its order.
template <class NodeOrConst, class Visit>
void for_attributes(NodeOrConst& node, const Visit& visit) {
  for_numbers(node, [&](AttributeName, Attribute bit, std::uint32_t, auto& member) { visit(bit, member); });
  visit(has_pg_name, node.pg_name);
  visit(has_involved_dims, node.involved_count);
  visit(has_involved_dims, node.involved_dims);
  visit(has_duration_ps, node.duration_ps);
  visit(has_start, node.start_us);
}

}  // namespace

NodeList::Block& NodeList::block_for(std::size_t bytes) {
  constexpr std::size_t smallest = 1 << 12, largest = 1 << 20;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < bytes) {
    const std::size_t usual = blocks_.empty() ? smallest : std::min(2 * blocks_.back().capacity(), largest);
    blocks_.emplace_back(std::max(usual, bytes));
  }
  return blocks_.back();
}

void NodeList::push_back(const Node& node, std::string_view name) {
  constexpr std::size_t max_of_a_number = 10, max_numbers = 19;
  Block& block = block_for(name.size() + max_numbers * max_of_a_number);
  const std::size_t offset = block.size();
  Packer packer(block.end());
  packer.number(node.has);
  packer.text(name);
  packer.number(zigzag(node.id - size()));
  packer.number(node.duration_us);
  for_attributes(node, [&](unsigned bit, auto value) {
    if ((node.has & bit) == 0) return;
    const auto number = static_cast<std::uint64_t>(value);
    packer.number(std::is_signed_v<decltype(value)> ? zigzag(number) : number);
  });
  block.extend_to(packer.at());
  Place place{};
  place.type = static_cast<std::uint8_t>(node.type) & 7u;
  place.on_cpu = node.on_cpu ? 1 : 0;
  place.block = (blocks_.size() - 1) & 0xfffffffu;
  place.offset = static_cast<std::uint32_t>(offset);
  records_.push_back(place);
}

Node NodeList::operator[](std::size_t index) const {
  Unpacker unpacker(record(index));
  Node node;
  node.type = type(index);
  node.on_cpu = on_cpu(index);
  node.has = static_cast<std::uint16_t>(unpacker.number());
  unpacker.text();
  node.id = without_zigzag(unpacker.number()) + index;
  node.duration_us = unpacker.number();
  for_attributes(node, [&](unsigned bit, auto& member) {
    if ((node.has & bit) == 0) return;
    using Member = std::remove_reference_t<decltype(member)>;
    const std::uint64_t number = unpacker.number();
    member = static_cast<Member>(std::is_signed_v<Member> ? without_zigzag(number) : number);
  });
  return node;
}

std::uint64_t NodeList::id(std::size_t index) const {
  Unpacker unpacker(record(index));
  unpacker.number();
  unpacker.text();
  return without_zigzag(unpacker.number()) + index;
}

std::string_view NodeList::name(std::size_t index) const {
  Unpacker unpacker(record(index));
  unpacker.number();
  return unpacker.text();
}

bool NodeList::operator==(const NodeList& other) const {
  if (size() != other.size()) return false;
  for (std::size_t index = 0; index < size(); ++index)
    if ((*this)[index] != other[index] || name(index) != other.name(index)) return false;
  return true;
}

}  // namespace orrery::core::chakra
