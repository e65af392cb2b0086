#include "orrery/registry.hpp"

#include <dlfcn.h>

#include <exception>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "api/plugins/part_kinds.hpp"
#include "api/problems.hpp"
#include "api/studies/findings_state.hpp"
#include "base/diagnostics/diagnostics.hpp"

namespace orrery {
namespace {

using PluginFunction = void(Registry& registry);

// The C library says what is wrong only until it is asked for the next thing.
std::string last_error() {
  const char* const error = dlerror();
  return error ? error : "it says nothing";
}

PluginFunction* plugin_function(const std::string& file) {
  // A name without a slash would be looked for in the folders of the system.
  const std::string path = std::filesystem::absolute(file).string();
  if (!std::filesystem::exists(path)) throw core::InputError({file}, "there is no such file");
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw core::InputError({file}, "cannot be loaded: " + last_error());
  const auto* const interface = static_cast<const int*>(dlsym(library, "orrery_plugin_interface"));
  void* const function = dlsym(library, "orrery_plugin");
  if (!interface || !function)
    throw core::InputError(
        {file},
        "is no plug-in of Orrery; it has to define `extern \"C\" void orrery_plugin(orrery::Registry&)` "
        "and to include orrery/registry.hpp");
  if (*interface != orrery_plugin_interface)
    throw core::InputError(
        {file}, fmt::format("was built for version {} of the interface of plug-ins, and this is version "
                            "{}; build it again with the headers of this version",
                            *interface, orrery_plugin_interface));
  return reinterpret_cast<PluginFunction*>(function);
}

std::set<std::shared_ptr<const void>> all_parts(const Registry& registry) {
  std::set<std::shared_ptr<const void>> all;
  for (const core::PartKind& kind : core::part_kinds())
    for (const auto& [name, part] : kind.parts(registry)) all.insert(part);
  return all;
}

}  // namespace

Problems Registry::load(const std::string& file) {
  try {
    PluginFunction* const function = plugin_function(file);
    Registry extended = *this;
    try {
      function(extended);
    } catch (const std::exception& error) {
      throw core::InputError({file}, fmt::format("its function orrery_plugin() says: {}", error.what()));
    } catch (...) {
      throw core::InputError({file}, "its function orrery_plugin() failed and does not say why");
    }
    extended.files_.push_back(file);
    const auto earlier = all_parts(*this);
    for (const auto& part : all_parts(extended))
      if (!earlier.contains(part)) extended.origins_.insert_or_assign(part, file);
    *this = std::move(extended);
    return {};
  } catch (...) {
    return {core::problem_of_exception()};
  }
}

Table Registry::parts() const {
  return core::table_of({"plug-ins.csv", {core::listed_part_table, core::listed_parts(*this)}});
}

}  // namespace orrery
