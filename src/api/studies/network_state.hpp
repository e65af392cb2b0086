// What the public class of networks holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files/extensions.hpp"
#include "orrery/network.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery {

struct Network::State {
  Document document;  // of a network from a file, its name
  std::string text;   // of the file
  std::vector<std::string> warnings;
  std::shared_ptr<const core::Extensions>
      of_plugins;  // what it may name; null: nothing more than comes with Orrery
  int npus = 0;

  const core::Extensions& extensions() const { return of_plugins ? *of_plugins : core::no_extensions; }
  bool is_file() const { return document.kind() == Document::Kind::text; }
  // Throws InputError where the network is no graph.
  core::BuiltNetwork build() const;
};

}  // namespace orrery
