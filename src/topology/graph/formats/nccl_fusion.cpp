#include "topology/graph/formats/nccl_fusion.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace orrery {
namespace {

constexpr int deepest_fused = 64;  // elements inside one another; deeper ones are refused later

std::vector<XmlElement> children_of(XmlElement element) {
  const auto children = element.children();
  return {children.begin(), children.end()};
}

// Returns a text that is equal for elements of the same name and attributes, in whatever order these stand.
std::string identity_of(XmlElement element) {
  std::vector<std::string> attributes;
  for (const pugi::xml_attribute& attribute : element.attributes())
    attributes.push_back(std::string(attribute.name()) + '\n' + attribute.value());
  std::ranges::sort(attributes);
  std::string text = element.name();
  for (const std::string& attribute : attributes) text += '\n' + attribute;
  return text;
}

bool is_device(XmlElement element) {
  constexpr std::string_view devices[] = {"cpu", "pci", "gpu"};
  return std::ranges::find(devices, std::string_view(element.name())) != std::end(devices) &&
         element.first_attribute();
}

// Moves what is new in one element to the other, and forgets the rest. Of several equal elements in each, the
// first is the same as the first, and so on.
void move_new(XmlElement from, XmlElement to, int depth) {
  std::map<std::string, std::vector<XmlElement>> known;
  for (const XmlElement child : children_of(to)) known[identity_of(child)].push_back(child);
  std::map<std::string, std::size_t> seen;
  for (const XmlElement child : children_of(from)) {
    const std::string identity = identity_of(child);
    const std::vector<XmlElement>& equal = known[identity];
    const std::size_t place = seen[identity]++;
    if (place >= equal.size())
      to.append_move(child);
    else if (depth < deepest_fused)
      move_new(child, equal[place], depth + 1);
  }
}

void fuse_below(XmlElement element, int depth) {
  if (depth > deepest_fused) return;
  std::map<std::string, XmlElement> first;
  for (const XmlElement child : children_of(element)) {
    if (!is_device(child)) continue;
    const auto [known, is_new] = first.try_emplace(identity_of(child), child);
    if (is_new) continue;
    move_new(child, known->second, depth + 1);
    element.remove_child(child);
  }
  for (const XmlElement child : children_of(element)) fuse_below(child, depth + 1);
}

}  // namespace

void fuse_equal_elements(XmlElement system) {
  fuse_below(system, 0);
}

}  // namespace orrery
