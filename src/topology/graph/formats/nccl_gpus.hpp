// The GPUs of a topology of NCCL or RCCL, and which NPU each of them is.
//
// A dump of an NVLink domain of several hosts has all of them, so bus ids and device numbers come once a
// host. `host_hash` of `cpu` tells hosts apart, and `rank` is unique in the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/input/xml_file.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct NcclGpu {
  XmlElement element;
  XmlElement pci, cpu;  // in which it stands
  std::string host;     // without what writes the same number differently
  int dev = 0;
  std::optional<int> rank;
  std::optional<int> part;  // `mlopart`: which half of a GPU this is
  std::string name;         // of its NPU
};

// Returns the GPUs in the order of their NPUs: by rank, if the ranks of the file are 0, 1, 2 and so on,
// otherwise by device. Throws InputError where neither numbers them, and where there are none.
std::vector<NcclGpu> find_nccl_gpus(const XmlFile& xml, XmlElement system, Warnings& warnings);

// Returns an attribute in lower-case letters; bus ids and classes are written in either case. It is empty
// where there is none.
std::string lower_attribute(XmlElement element, const char* name);

// Returns the host of a `cpu`: its hash.
std::string host_of_cpu(XmlElement cpu);

// Returns how many NPUs each host has, and how many hosts there are, where the NPUs of each follow one
// another; otherwise how many NPUs there are.
std::vector<int> groups_of_hosts(const std::vector<NcclGpu>& gpus);

}  // namespace orrery::core
