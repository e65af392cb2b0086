// Reads how users say which links a machine has, and applies that to a library's classes of links:
//
//   ib-ndr                                  a class of the library
//   25 GB/s                                 a bandwidth, with what else the nearest class has
//   { base: ib-ndr, bandwidth: 25 GB/s }    a class of which some facts are others
//
// The base `ideal` is a link that reaches all of its bandwidth and adds no latency.
//
// The nearest class to a bandwidth is the one with the smallest ratio between the two. Of two that are
// equally near it is the slower one, and of those with one bandwidth the one that comes first in the
// library's file. Classes with `ring-shares` do not count, as a number does not tell how links are wired. A
// bandwidth reaches no less, and has no more latency, than any lower bandwidth does, even where the nearest
// class was measured to be worse than a slower class. So more bandwidth never makes anything slower.
#pragma once

#include <optional>
#include <string>

#include "base/input/input_node.hpp"
#include "collective/library/library_constants.hpp"

namespace orrery::core {

class LinkChoice {
 public:
  LinkChoice() = default;  // no links
  LinkChoice(std::string class_or_bandwidth, const SourceLocation& where = {});
  LinkChoice(const char* class_or_bandwidth) : LinkChoice(std::string(class_or_bandwidth)) {}
  explicit LinkChoice(InputNode node) : node_(std::move(node)) {}

  const InputNode& node() const { return node_; }
  bool empty() const { return node_.kind == InputNode::Kind::null || (is_word() && node_.text.empty()); }
  bool is_word() const { return node_.kind == InputNode::Kind::scalar; }
  // Returns the choice in one line of YAML.
  std::string text() const;

 private:
  InputNode node_;
};

// Reads a flag's value: a word, or a map in YAML. Throws InputError at the flag.
LinkChoice link_of_flag(const std::string& value, const std::string& flag);

// A sentence that says which facts were taken from the nearest class.
struct LinkNote {
  SourceLocation where;  // where the bandwidth is written
  std::string text;
};

template <class Link>
struct ChosenLink {
  Link link;
  std::optional<LinkNote> note;  // set if only the bandwidth is known
};

// Returns the link that was chosen. Throws InputError at the choice, or at `where` if the choice has no
// place.
ChosenLink<InsideLink> inside_link(const LinkChoice& choice, const LibraryConstants& library,
                                   const SourceLocation& where);
ChosenLink<BetweenLink> between_link(const LinkChoice& choice, const LibraryConstants& library,
                                     const SourceLocation& where);

}  // namespace orrery::core
