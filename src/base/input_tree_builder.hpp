// Builds a tree of InputNodes from what a parser comes across, in the order of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/input_node.hpp"

namespace orrery {

class InputTreeBuilder {
 public:
  // Lists and maps within each other may be so deep.
  explicit InputTreeBuilder(std::size_t deepest) : deepest_(deepest) {}

  // Begins a list or a map. Throws InputError when it is too deep.
  void open(InputNode::Kind kind, SourceLocation where);
  // Ends the last one that was begun, and returns it.
  const InputNode& close();
  // Adds a complete value with `levels` levels of lists and maps in it; the values of a map follow their
  // keys. Throws InputError when it is too deep, and for keys that are no words or stand in their map
  // already.
  void add(InputNode node, std::size_t levels = 0);

  std::size_t depth() const { return open_.size(); }
  InputNode take() { return std::move(root_); }

 private:
  struct Open {
    InputNode node;
    std::optional<InputName> name = {};  // key of the map's entry whose value comes next
    std::set<std::string> names = {};
  };

  void set_name(Open& map, InputNode node);

  std::size_t deepest_;
  InputNode root_;
  std::vector<Open> open_;
};

}  // namespace orrery
