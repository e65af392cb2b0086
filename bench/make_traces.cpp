// Writes traces of 2,000 nodes, a quarter of them all-reduces of 1 MiB, with their network and system file.
// Arguments: FOLDER RANKS. FOLDER/equal.*.et are all the same, of FOLDER/different.*.et there are seven
// kinds, FOLDER/distinct.*.et are each another; FOLDER/large.0.et to .3.et, for four.yml, have 500,000 nodes.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files/file.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace {

using namespace orrery::core;
using namespace orrery::core::chakra;

// Nodes compute for different times, by their number and that of the trace.
std::string trace(std::uint64_t number, std::uint32_t nodes, std::uint64_t kinds) {
  Trace made;
  made.texts = {""};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    Node node;
    node.id = i + 1;
    if (i % 4 == 3) {
      node.type = NodeType::collective;
      node.comm_size = 1 << 20;
      node.has = has_comm_type | has_comm_size;
    } else {
      node.type = NodeType::compute;
      node.duration_us = 10 + i * number % kinds;
    }
    made.nodes.push_back(node, "operator_" + std::to_string(node.id));
    made.first_parent.push_back(made.parents.size());
    made.data_parents.push_back(i > 0 ? 1 : 0);
    if (i > 0) made.parents.push_back(i);
  }
  made.first_parent.push_back(made.parents.size());
  return write_trace(made);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::filesystem::path folder = arguments[1];
  const int ranks = std::atoi(arguments[2]);
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* kind, int rank, std::uint64_t number, std::uint32_t nodes,
                         std::uint64_t kinds) {
    write_file_atomically((folder / kind).string() + "." + std::to_string(rank) + ".et",
                          trace(number, nodes, kinds));
  };
  for (int rank = 0; rank < ranks; ++rank) {
    const std::uint64_t number = static_cast<std::uint64_t>(rank) + 1;
    write("equal", rank, 0, 2'000, 1);
    write("different", rank, number, 2'000, 7);
    write("distinct", rank, number, 2'000, 1'000'003);
    if (rank < 4) write("large", rank, number, 500'000, 7);
  }
  write_file_atomically((folder / "network.yml").string(),
                        "topology: [Ring, Switch]\nnpus_count: [32, " + std::to_string(ranks / 32) +
                            "]\nbandwidth: [100.0, 50.0]\nlatency: [500.0, 500.0]\n");
  write_file_atomically((folder / "four.yml").string(),
                        "topology: [Ring, Switch]\nnpus_count: [2, 2]\nbandwidth: [100.0, 50.0]\n"
                        "latency: [500.0, 500.0]\n");
  write_file_atomically((folder / "system.json").string(), R"({
  "preferred-dataset-splits": 1,
  "all-reduce-implementation": ["ring", "halvingDoubling"],
  "collective-optimization": "localBWAware",
  "local-mem-bw": 1000
}
)");
  return 0;
}
