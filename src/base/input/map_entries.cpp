#include "base/input/map_entries.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace orrery::core {

void set_entry(InputNode& map, std::string_view key, InputNode value) {
  if (InputNode* const known = map.find(key)) {
    *known = std::move(value);
    return;
  }
  map.names.push_back({std::string(key), value.where});
  map.items.push_back(std::move(value));
}

void erase_entry(InputNode& map, std::string_view key) {
  const auto name = std::ranges::find(map.names, key, &InputName::text);
  if (name == map.names.end()) return;
  map.items.erase(map.items.begin() + (name - map.names.begin()));
  map.names.erase(name);
}

}  // namespace orrery::core
