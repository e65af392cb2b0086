// Reads ASTRA-sim 2's system, remote-memory and communicator-group files (docs/inputs/traces.md).
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "collective/plan/system_config.hpp"
#include "memory/remote_memory.hpp"
#include "workload/chakra/dependencies/trace_rules.hpp"

namespace orrery::core {

// A file that a system file names.
struct NamedFile {
  std::string path;      // as it is written there; empty: none
  SourceLocation where;  // place where it is named
};
struct SystemFileNames {
  std::array<NamedFile, collective_kinds> custom;  // prefixes of traces that hold an algorithm
  NamedFile custom_of_nodes;                       // YAML: prefixes by id of a node
  // Folder to which these are relative; empty: the present one.
  std::string folder = {};
};

// Fills in what the system file describes: collectives, roofline, replay. `injection_scale` multiplies the
// file's endpoint delay, but not the default one. Throws InputError.
SystemFileNames read_system_json(std::string_view text, const std::string& file, double injection_scale,
                                 SystemConfig& streams, TraceRules& rules, Warnings& warnings);

// Throws InputError.
RemoteMemory read_memory_json(std::string_view text, const std::string& file, Warnings& warnings);

// Reads the groups: their members by the groups' ids, each below `npus`. Throws InputError.
std::map<int, std::vector<int>> read_groups_json(std::string_view text, const std::string& file, int npus,
                                                 Warnings& warnings);

// Return every key of the system file and of the remote-memory file, including those without effect.
std::vector<KeyPath> system_json_keys();
std::vector<KeyPath> memory_json_keys();

}  // namespace orrery::core
