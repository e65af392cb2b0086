#include "api/plugins/extensions.hpp"

#include <algorithm>

#include "api/plugins/part_kinds.hpp"

namespace orrery::core {

std::shared_ptr<const Extensions> extensions_of(const Registry& registry) {
  const auto has_none = [&](const PartKind& kind) { return kind.parts(registry).empty(); };
  if (std::ranges::all_of(part_kinds(), has_none)) return nullptr;
  Extensions extensions;
  for (const PartKind& kind : part_kinds()) kind.extend(registry, extensions);
  return std::make_shared<const Extensions>(std::move(extensions));
}

FileLoader loader_of(const InputLog& inputs, const Registry& registry) {
  for (const std::string& file : registry.files()) inputs.note(file);
  return {inputs, extensions_of(registry)};
}

}  // namespace orrery::core
