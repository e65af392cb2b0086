// The golden traces hold what their listings say.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "workload/chakra/check/trace_check.hpp"
#include "workload/chakra/files/attribute_names.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core::chakra {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::map<std::string, NodeType> types{
    {"INVALID_NODE", NodeType::invalid},      {"METADATA_NODE", NodeType::metadata},
    {"MEM_LOAD_NODE", NodeType::memory_load}, {"MEM_STORE_NODE", NodeType::memory_store},
    {"COMP_NODE", NodeType::compute},         {"COMM_SEND_NODE", NodeType::send},
    {"COMM_RECV_NODE", NodeType::receive},    {"COMM_COLL_NODE", NodeType::collective},
};

json names_and_sizes(const Trace& trace, const std::vector<Tensor>& tensors) {
  json out = json::array();
  for (const Tensor& tensor : tensors) {
    out.push_back(trace.texts[tensor.name]);
    out.push_back(std::to_string(tensor.bytes));
  }
  return out;
}

json dimensions_of(const Node& node) {
  json out = json::array();
  for (unsigned d = 0; d < node.involved_count; ++d) out.push_back((node.involved_dims >> d & 1) != 0);
  return out;
}

// Attributes of the node, by name.
json attributes_of(const Trace& trace, std::uint32_t index) {
  const Node node = trace.nodes[index];
  json out = {{"is_cpu_op", node.on_cpu}};
  const auto add = [&](Attribute bit, AttributeName name, const json& value) {
    if (node.has & bit) out[std::string(text_of(name))] = value;
  };
  add(has_num_ops, AttributeName::num_ops, node.num_ops);
  add(has_tensor_size, AttributeName::tensor_size, node.tensor_size);
  add(has_comm_type, AttributeName::comm_type, static_cast<int>(node.comm_type));
  add(has_comm_size, AttributeName::comm_size, node.comm_size);
  add(has_comm_priority, AttributeName::comm_priority, node.comm_priority);
  add(has_comm_src, AttributeName::comm_src, node.comm_src);
  add(has_comm_dst, AttributeName::comm_dst, node.comm_dst);
  add(has_comm_tag, AttributeName::comm_tag, node.comm_tag);
  add(has_pg_name, AttributeName::pg_name, trace.texts[node.pg_name]);
  add(has_involved_dims, AttributeName::involved_dim, dimensions_of(node));
  for (const auto& tensors : trace.tensors) {
    if (tensors.node != index) continue;
    out["inputs"] = names_and_sizes(trace, tensors.inputs);
    out["outputs"] = names_and_sizes(trace, tensors.outputs);
  }
  return out;
}

json listed_attributes(const json& listing) {
  json out = {{"is_cpu_op", false}};
  for (const json& attribute : listing) {
    for (const auto& [key, value] : attribute.items())
      if (key != "name") out[attribute["name"].get<std::string>()] = value;
  }
  return out;
}

void expect_as_listed(const Trace& trace, const json& listing) {
  ASSERT_EQ(trace.nodes.size(), listing.size());
  for (std::uint32_t index = 0; index < trace.nodes.size(); ++index) {
    const Node node = trace.nodes[index];
    const json& listed = listing[index];
    EXPECT_EQ(node.id, listed["id"].get<std::uint64_t>());
    EXPECT_EQ(trace.nodes.name(index), listed["name"].get<std::string>());
    EXPECT_EQ(node.type, types.at(listed["type"].get<std::string>()));
    EXPECT_EQ(node.duration_us, listed["duration_micros"].get<std::uint64_t>());
    auto parents = listed["data_deps"].get<std::vector<std::uint64_t>>();
    EXPECT_EQ(trace.data_parents[index], parents.size());
    for (const json& parent : listed["ctrl_deps"]) parents.push_back(parent.get<std::uint64_t>());
    const auto read = trace.parents_of(index);
    EXPECT_EQ(std::vector(read.begin(), read.end()), parents);
    EXPECT_EQ(attributes_of(trace, index), listed_attributes(listed["attr"]));
  }
}

std::vector<fs::path> all_cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "tests/golden/chakra"))
    if (entry.is_directory()) cases.push_back(entry.path());
  std::ranges::sort(cases);
  return cases;
}

TEST(ChakraGoldenTraces, AreReadAsListedAndCanRun) {
  ASSERT_EQ(all_cases().size(), 32u);
  for (const fs::path& folder : all_cases()) {
    const json listing = json::parse(read_file_of_any_kind((folder / "trace_listing.json").string()));
    const bool same = listing["same_on_all_npus"].get<bool>();
    const auto ranks = listing["npus"].get<std::uint32_t>();
    MessageCheck messages;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const fs::path path = folder / ("trace." + std::to_string(rank) + ".et");
      SCOPED_TRACE(path.string());
      const Trace trace = read_trace_file(path.string());
      expect_as_listed(trace, same ? listing["nodes"] : listing["nodes_per_npu"][rank]);
      EXPECT_EQ(read_trace(write_trace(trace), "written"), trace);
      EXPECT_EQ(make_graph(trace, path.string()).nodes.size(), trace.nodes.size());
      EXPECT_TRUE(check_trace(trace).can_run());
      messages.add(RankId(rank), trace.nodes);
    }
    SCOPED_TRACE(folder.string());
    // If communication is only replayed, sends and receives need not match.
    EXPECT_EQ(messages.unmatched().empty(), folder.filename() != "c21_replay_only");
    EXPECT_TRUE(messages.incomplete().empty());
  }
}

}  // namespace
}  // namespace orrery::core::chakra
