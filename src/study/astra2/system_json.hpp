// Reads ASTRA-sim 2's system, remote-memory and communicator-group files. (spec: ASTRA-sim 2, sections 7 to
// 9)
#pragma once

#include <string>
#include <string_view>

#include "simulate/trace/trace_machine.hpp"

namespace orrery {

// Files that a system file names, as written there; empty: none.
struct SystemFileNames {
  std::array<std::string, collective_kinds> custom;  // prefixes of traces that hold an algorithm
  std::string custom_of_nodes;                       // YAML: prefixes by id of a node
};

// Fills what the system file describes: collectives, roofline, replay. `injection_scale` multiplies the
// file's endpoint delay, but not the default one. Throws InputError.
SystemFileNames read_system_json(std::string_view text, const std::string& file, double injection_scale,
                                 TraceMachine& machine, Warnings& warnings);

RemoteMemory read_memory_json(std::string_view text, const std::string& file, Warnings& warnings);

// Members by the groups' ids, each below `npus`.
std::map<int, std::vector<int>> read_groups_json(std::string_view text, const std::string& file, int npus,
                                                 Warnings& warnings);

}  // namespace orrery
