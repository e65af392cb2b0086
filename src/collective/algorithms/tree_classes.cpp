#include "collective/algorithms/tree_classes.hpp"

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace orrery::core {

namespace {

using TreeNode = TreeSchedule::Node;

// Numbers keys in the order in which they come. Neighbours in a level of a tree mostly have equal keys.
template <typename Key>
class TreeKeyNumbers {
 public:
  // Returns the number of the key. Sets `added` to whether the key is new.
  std::uint32_t operator()(const Key& key) {
    added = false;
    if (last_ && (*last_)->first == key) return (*last_)->second;
    std::tie(last_.emplace(), added) = numbers_.emplace(key, static_cast<std::uint32_t>(numbers_.size()));
    return (*last_)->second;
  }
  bool added = false;

 private:
  std::map<Key, std::uint32_t> numbers_;
  std::optional<typename std::map<Key, std::uint32_t>::iterator> last_;
};

}  // namespace

TreeClasses::TreeClasses(const TreeSchedule& tree, const LogicalDimension& group, int base,
                         const ContentionFreeNetwork& network)
    : TreeClasses(tree, [&, numbers = TreeKeyNumbers<std::array<ContentionFreeNetwork::Route, 2>>()](
                            std::uint32_t position, std::int32_t parent) mutable {
        const int child = base + static_cast<int>(position) * group.stride;
        const int above = base + parent * group.stride;
        return numbers({network.route(child, above), network.route(above, child)});
      }) {}

TreeClasses::TreeClasses(const TreeSchedule& tree)
    : TreeClasses(tree, [](std::uint32_t position, std::int32_t) { return position; }) {}

TreeClasses::TreeClasses(const TreeSchedule& tree, const WayNumber& route_of) {
  const std::vector<std::uint32_t> order = tree.downwards();
  // Numbers each position by how it is reached and by what hangs below it, children first.
  std::vector<std::uint32_t>& below = class_of_;
  below.resize(tree.members);
  TreeKeyNumbers<std::array<std::uint32_t, 3>> subtrees;
  const auto below_child = [&](std::int32_t child) {
    return child == TreeSchedule::none ? none : below[static_cast<std::size_t>(child)];
  };
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t x = order[i];
    const TreeNode node = tree.node(x);
    const std::uint32_t route = node.parent == TreeSchedule::none ? none : route_of(x, node.parent);
    below[x] = subtrees({route, below_child(node.left), below_child(node.right)});
  }
  // This number and the parent's class determine the class. Parents come first.
  TreeKeyNumbers<std::array<std::uint32_t, 2>> numbers;
  for (const std::uint32_t x : order) {
    const std::int32_t parent = tree.node(x).parent;
    const std::uint32_t above =
        parent == TreeSchedule::none ? none : class_of_[static_cast<std::size_t>(parent)];
    class_of_[x] = numbers({above, below[x]});
    if (numbers.added) classes_.push_back({x, above, none, none});
  }
  for (Class& one : classes_) {
    const TreeNode node = tree.node(one.position);
    if (node.left != TreeSchedule::none) one.left = of(static_cast<std::uint32_t>(node.left));
    if (node.right != TreeSchedule::none) one.right = of(static_cast<std::uint32_t>(node.right));
  }
}

}  // namespace orrery::core
