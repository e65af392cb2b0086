// Networks, by themselves: what they are made of and what they can carry.
//
//   const orrery::Document star = {
//       {"build", "switch"}, {"size", 8}, {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}}}};
//   std::cout << orrery::Network::from(star).value().describe().value().text();
#pragma once

#include <memory>
#include <string>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/registry.hpp"
#include "orrery/table.hpp"

namespace orrery {

namespace core {
struct Access;
}

// A network that was read and is well-formed. Copies share it, and it never changes, so several threads may
// use one.
class ORRERY_API Network {
 public:
  struct State;
  explicit Network(std::shared_ptr<const State> state);

  // Reads what may stand at the key `network` of an experiment: a form with its keys, nodes and links, a list
  // of dimensions, or the name of a file. The problem says what is wrong and at which key.
  // It may name what the registry has.
  static Result<Network> from(const Document& document, const Registry& registry = {});
  // Reads a file of any format that describes a network. The problem says what is wrong in which line.
  static Result<Network> load(const std::string& file, const Registry& registry = {});

  // Returns what stands at the key `network` of an experiment on this network.
  const Document& document() const;
  // Returns the warnings that reading gave, each with its place.
  const std::vector<std::string>& warnings() const;

  // Returns how many NPUs it has.
  int npus() const;

  // Says what it is made of and what it can carry, as `orrery topology` does. The tables are "network", one
  // row about the whole, "nodes", "cables", "levels" and "cuts". The problem says so where the network is a
  // list of dimensions, which knows no nodes.
  Result<Findings> describe() const;
  // Returns all nodes: their numbers, names and kinds. NPUs come first. The problem is that of describe().
  Result<Table> nodes() const;
  // Returns all links, each of which leads one way: the numbers of its ends, its bandwidth and its latency.
  // The problem is that of describe().
  Result<Table> links() const;
  // Returns a drawing as SVG, or text for Graphviz. The problem is that of describe().
  Result<std::string> svg() const;
  Result<std::string> dot() const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

}  // namespace orrery
