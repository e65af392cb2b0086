// The kinds of parts that plug-ins add. Whatever goes through all kinds goes through this one list.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "orrery/registry.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct PartKind {
  using Parts = std::map<std::string, std::shared_ptr<const void>>;

  std::string_view name;   // what people call it
  std::string_view key;    // key that takes the name of a part; empty: a part works once it is loaded
  std::string_view where;  // what has this key, or where the part works
  Parts (*parts)(const Registry& registry);
  void (*extend)(const Registry& registry, Extensions& extensions);  // tells readers of the parts
};

std::span<const PartKind> part_kinds();

// A part of a registry, for lists.
struct ListedPart {
  std::string_view kind;
  std::string name;
  std::string use;  // what a user writes; empty: nothing
  std::string_view where;
  std::string file;  // of the plug-in; empty: the program itself added it
};

extern const Table<ListedPart> listed_part_table;

// Returns all parts, kind by kind, each in alphabetical order.
std::vector<ListedPart> listed_parts(const Registry& registry);

}  // namespace orrery::core
