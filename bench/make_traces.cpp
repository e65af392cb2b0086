// Writes traces of 2,000 nodes, a quarter of them all-reduces of 1 MiB, with their network and system file.
// Arguments: FOLDER RANKS. FOLDER/equal.*.et are all the same, FOLDER/different.*.et are not.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "workload/chakra/trace_writer.hpp"

namespace {

using namespace orrery;
using namespace orrery::chakra;

constexpr std::uint32_t nodes = 2'000;

// Ranks compute for different times, by their number.
std::string trace(std::uint64_t number) {
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
      node.duration_us = 10 + i * number % 7;
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
  for (const char* kind : {"equal", "different"}) {
    for (int rank = 0; rank < ranks; ++rank) {
      write_file_atomically((folder / kind).string() + "." + std::to_string(rank) + ".et",
                            trace(*kind == 'e' ? 0 : static_cast<std::uint64_t>(rank) + 1));
    }
  }
  write_file_atomically((folder / "network.yml").string(),
                        "topology: [Ring, Switch]\nnpus_count: [32, " + std::to_string(ranks / 32) +
                            "]\nbandwidth: [100.0, 50.0]\nlatency: [500.0, 500.0]\n");
  write_file_atomically((folder / "system.json").string(), R"({
  "preferred-dataset-splits": 1,
  "all-reduce-implementation": ["ring", "halvingDoubling"],
  "collective-optimization": "localBWAware",
  "local-mem-bw": 1000
}
)");
  return 0;
}
