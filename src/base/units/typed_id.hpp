// A number by which a thing is known, such as a node of a network. Each kind of things has a type of its own,
// so that nobody takes its numbers for those of another kind, or for counts:
//
//   using NodeId = TypedId<struct NodeTag>;
//
// Things are numbered from 0 without gaps, so what is known about them lies in vectors:
// `names[node.index()]`.
#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace orrery::core {

template <class Tag>
class TypedId {
 public:
  static const TypedId none;  // the number of nothing, which comes after all others

  constexpr TypedId() = default;
  template <std::integral Number>
  constexpr explicit TypedId(Number number) : value_(static_cast<std::uint32_t>(number)) {
    assert(std::in_range<std::uint32_t>(number) && "numbers have 32 bits");
  }

  constexpr std::uint32_t value() const { return value_; }
  // Returns the place in tables.
  constexpr std::size_t index() const { return value_; }

  constexpr auto operator<=>(const TypedId&) const = default;
  constexpr TypedId& operator++() {
    ++value_;
    return *this;
  }

 private:
  std::uint32_t value_ = 0;
};

template <class Tag>
inline constexpr TypedId<Tag> TypedId<Tag>::none{~std::uint32_t{0}};

// The first things of a kind, for loops: `for (const NodeId node : first_ids<NodeId>(4))`.
template <class SomeId>
class FirstIds {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(SomeId id) : id_(id) {}
    constexpr SomeId operator*() const { return id_; }
    constexpr Iterator& operator++() {
      ++id_;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    SomeId id_;
  };

  constexpr explicit FirstIds(std::size_t count) : end_(count) {}
  constexpr Iterator begin() const { return Iterator(SomeId()); }
  constexpr Iterator end() const { return Iterator(end_); }

 private:
  SomeId end_;
};

template <class SomeId>
constexpr FirstIds<SomeId> first_ids(std::size_t count) {
  return FirstIds<SomeId>(count);
}

}  // namespace orrery::core

template <class Tag>
struct std::hash<orrery::core::TypedId<Tag>> {
  std::size_t operator()(orrery::core::TypedId<Tag> id) const noexcept {
    return std::hash<std::uint32_t>()(id.value());
  }
};
