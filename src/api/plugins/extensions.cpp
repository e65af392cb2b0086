#include "api/plugins/extensions.hpp"

namespace orrery::core {

std::shared_ptr<const Extensions> extensions_of(const Registry& registry) {
  const bool empty = registry.networks().empty() && registry.algorithms().empty() &&
                     registry.routings().empty() && registry.congestion_controls().empty() &&
                     registry.compute_models().empty() && registry.exporters().empty() &&
                     registry.network_models().empty();
  if (empty) return nullptr;
  Extensions extensions;
  add_foreign_networks(registry, extensions);
  add_foreign_algorithms(registry, extensions);
  add_foreign_routings(registry, extensions);
  add_foreign_controls(registry, extensions);
  add_foreign_compute_models(registry, extensions);
  add_foreign_exporters(registry, extensions);
  add_foreign_network_models(registry, extensions);
  return std::make_shared<const Extensions>(std::move(extensions));
}

FileLoader loader_of(const InputLog& inputs, const Registry& registry) {
  for (const std::string& file : registry.files()) inputs.note(file);
  return {inputs, extensions_of(registry)};
}

}  // namespace orrery::core
