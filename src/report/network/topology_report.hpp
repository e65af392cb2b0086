// Says what a network is made of and what it can carry, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/measures/diameter.hpp"
#include "topology/graph/measures/graph_levels.hpp"

namespace orrery::core {

// Nodes of one kind whose names differ by a number.
struct NodesRow {
  NodeKind kind = NodeKind::npu;
  std::string name;  // without the number
  std::size_t nodes = 0;
};

// Links that are alike and join nodes of the same two classes.
struct CablesRow {
  std::string ends;  // such as "npu - leaf", or "npu > leaf" for links that lead one way
  LinkProperties properties;
  std::size_t cables = 0;
};

struct LevelRow {
  LevelLinks links;
  std::string names;  // classes of its nodes
};

struct CutRow {
  std::string from, to;  // NPUs
  std::size_t npus_from = 0, npus_to = 0;
};

struct TopologyReport {
  std::string file;
  std::vector<int> groups;
  std::size_t npus = 0;
  std::vector<NodesRow> nodes;
  std::vector<CablesRow> cables;
  std::vector<LevelRow> levels;
  std::vector<CutRow> cuts;
  // The following members are known where every NPU reaches every other one.
  std::optional<Diameter> hops, latency;  // latency in picoseconds
  std::string farthest;                   // two NPUs
  double injection = 0, bisection = 0;    // GB/s
  // What the NPUs of a half can send into the network between the innermost groups, and what passes its
  // middle.
  double into_network = 0, bisection_between = 0;  // GB/s

  // Returns the former divided by the latter. None: nothing passes the middle.
  std::optional<double> oversubscription() const;
};

// All that is said of the network as a whole.
extern const Table<TopologyReport> whole_network_table;
extern const Table<NodesRow> nodes_table;
extern const Table<CablesRow> cables_table;
extern const Table<LevelRow> level_table;
extern const Table<CutRow> cut_table;

// Reads a network from a file of any format that describes a graph or a network of flits. Throws InputError.
BuiltNetwork read_network_as_graph(std::string_view text, const std::string& file, Warnings& warnings,
                                   const Extensions& extensions = no_extensions);

TopologyReport describe_network(const BuiltNetwork& network, const std::string& file);

std::string topology_text(const TopologyReport& report);
nlohmann::ordered_json topology_to_json(const TopologyReport& report);

}  // namespace orrery::core
