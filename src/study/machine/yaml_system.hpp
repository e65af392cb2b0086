// Reads the system of an experiment file, which says how the machine runs collectives. Every key may be left
// out; the defaults are SystemConfig's.
//
//   collectives: { all-reduce: [ring, direct:4], all-to-all: direct }
//
// An algorithm is a word (ring, direct, direct:<window>, halving-doubling, double-binary-tree, msccl:<file>)
// or a map { algorithm: direct, window: 4, span: machine }. A list names one per dimension, a single one
// serves all; one that spans the machine treats all NPUs as one dimension and stands alone. A collective left
// out uses, per dimension,
//   - ring on a ring,
//   - direct when fully connected,
//   - halving-doubling on a switch of 2^n NPUs and ring on one of another size; direct for all-to-all.
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

// `injection_scale` multiplies the endpoint delay, as the dialect counts. Throws InputError.
SystemConfig read_yaml_system(const InputNode& system, const Topology& topology, const Dialect& dialect,
                              double injection_scale, const SystemFiles& files);

// Returns the keys that may stand below `system`: ".chunks" and so on.
std::vector<KeyPath> yaml_system_keys();

}  // namespace orrery::core
