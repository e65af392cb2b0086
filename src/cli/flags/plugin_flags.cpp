#include "cli/flags/plugin_flags.hpp"

#include "api/plugins/extensions.hpp"
#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

void PluginFlags::add_to(CLI::App& command) {
  command
      .add_option("--plugin", files_,
                  "A plug-in, FILE.so, with networks, algorithms, compute models or exporters of your own; "
                  "repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Registry PluginFlags::registry() const {
  Registry registry;
  for (const std::string& file : files_)
    for (const Problem& problem : registry.load(file)) throw InputError({problem.place}, problem.message);
  return registry;
}

FileLoader PluginFlags::loader(const InputLog& inputs) const {
  return loader_of(inputs, registry());
}

}  // namespace orrery::core
