// Adds flags that say which ways messages take through a graph, and what happens to the graph meanwhile.
#pragma once

#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "network/network_models.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"

namespace orrery::core {

class RouteFlags {
 public:
  // Keeps references to this object, which has to live as long as the command.
  void add_to(CLI::App& command, const std::string& group = "");
  bool any_given() const;
  // Throws InputError when the network, or its model, has no use for what is given.
  void apply(Topology& topology, NetworkModel model, const FileLoader& load) const;

 private:
  std::string routing_, relay_;
  std::array<std::string, link_change_kinds.size()> link_changes_;  // files
  std::optional<std::uint64_t> seed_;
  std::vector<CLI::Option*> options_;
};

}  // namespace orrery::core
