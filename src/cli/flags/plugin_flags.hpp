// The flag --plugin, which loads what inputs may name besides that which comes with Orrery.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/files/input_log.hpp"
#include "orrery/registry.hpp"

namespace orrery::core {

class PluginFlags {
 public:
  // The flags have to live as long as the command.
  void add_to(CLI::App& command);
  // Loads the plug-ins. Throws InputError that names a plug-in which cannot be loaded.
  Registry registry() const;
  // Loads them as well, and returns a loader of what inputs name.
  FileLoader loader(const InputLog& inputs) const;

  const std::vector<std::string>& files() const { return files_; }
  bool any_given() const { return !files_.empty(); }

 private:
  std::vector<std::string> files_;
};

}  // namespace orrery::core
