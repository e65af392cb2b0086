// Builds a tree of InputNodes from what a parser finds, in the order of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/input/input_node.hpp"

namespace orrery::core {

class InputTreeBuilder {
 public:
  // `deepest` is the largest number of lists and maps within each other.
  explicit InputTreeBuilder(std::size_t deepest) : deepest_(deepest) {}

  // Begins a list or a map. Throws InputError when it is too deep.
  void open(InputNode::Kind kind, SourceLocation where);
  // Ends the list or map that was begun last, and returns it.
  const InputNode& close();
  // Adds a complete value that contains `levels` levels of lists and maps. In a map, a value follows its key.
  // Throws InputError when the tree gets too deep, and for keys that are no words or occur in their map
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

}  // namespace orrery::core
