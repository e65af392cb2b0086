// What the public class of networks holds.
#pragma once

#include <string>
#include <vector>

#include "orrery/network.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery {

struct Network::State {
  Document document;  // of a network from a file, its name
  std::string text;   // of the file
  std::vector<std::string> warnings;

  bool is_file() const { return document.kind() == Document::Kind::text; }
  // Throws InputError where the network is no graph.
  core::BuiltNetwork build() const;
};

}  // namespace orrery
