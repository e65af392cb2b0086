// Reads which algorithms run the collectives of a system.
//
//   collectives: { all-reduce: [ring, direct:4], all-to-all: direct }
//
// An algorithm is a word (ring, direct, direct:<window>, halving-doubling, double-binary-tree, msccl:<file>),
// a name that a plug-in has added, or a map { algorithm: direct, window: 4, span: machine }. A list names one
// per dimension, a single one serves all; one that spans the machine treats all NPUs as one dimension and
// stands alone.
#pragma once

#include <filesystem>
#include <vector>

#include "base/dialect.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "collective/plan/system_config.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Says how files that a system names are read.
struct SystemFiles {
  std::filesystem::path folder;  // folder to which their paths are relative
  FileLoader load;
  Warnings& warnings;
};

// What a system is read with, and for.
struct SystemReading {
  const Topology& topology;
  const Dialect& dialect;
  const SystemFiles& files;
};

// Reads what stands at the key of a kind of collective, and returns one algorithm per dimension, or a single
// one that spans the machine. Algorithms that are lists of sends are added to `written`, which keeps them.
// Throws InputError.
std::vector<AlgorithmChoice> read_yaml_algorithms(const InputNode& node, CollectiveKind kind,
                                                  const SystemReading& reading,
                                                  std::vector<std::shared_ptr<const WrittenSource>>& written);

// Returns what runs a kind of collective that is left out: per dimension
//   - ring on a ring,
//   - direct when fully connected,
//   - halving-doubling on a switch of 2^n NPUs and ring on one of another size; direct for all-to-all,
//   - a tree for collectives with a root.
std::vector<AlgorithmChoice> default_algorithms(CollectiveKind kind, const Topology& topology);

// Return the keys of algorithms that are written as maps.
std::vector<KeyPath> algorithm_keys();
std::vector<KeyPath> rooted_algorithm_keys();

}  // namespace orrery::core
