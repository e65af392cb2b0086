// Makes of a registry what readers look names up in.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/extensions.hpp"
#include "base/files/file_loader.hpp"
#include "orrery/registry.hpp"

namespace orrery::core {

// Returns null where the registry has nothing.
std::shared_ptr<const Extensions> extensions_of(const Registry& registry);

// Returns a loader of files and of what the registry has. The log remembers the files of plug-ins.
FileLoader loader_of(const InputLog& inputs, const Registry& registry);

// Each adds the parts of one kind.
void add_foreign_networks(const Registry& registry, Extensions& extensions);
void add_foreign_algorithms(const Registry& registry, Extensions& extensions);
void add_foreign_routings(const Registry& registry, Extensions& extensions);
void add_foreign_controls(const Registry& registry, Extensions& extensions);
void add_foreign_compute_models(const Registry& registry, Extensions& extensions);
void add_foreign_exporters(const Registry& registry, Extensions& extensions);
void add_foreign_network_models(const Registry& registry, Extensions& extensions);

// Calls a part of a plug-in. What it throws is told to the user at `where`, unless it says a place itself.
// `what` names the part in a sentence, such as "the network `star`".
template <class Call>
auto call_plugin(const std::string& what, const SourceLocation& where, const Call& call) {
  try {
    return call();
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(where, fmt::format("{} of a plug-in says: {}", what, error.what()));
  } catch (...) {
    throw InputError(where, fmt::format("{} of a plug-in failed and does not say why", what));
  }
}

}  // namespace orrery::core
