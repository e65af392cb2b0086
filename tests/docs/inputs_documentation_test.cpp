// The pages in docs/inputs/ name everything that the program reads, and nothing that it does not.
#include <gtest/gtest.h>

#include <regex>

#include "cli/manual/described_command.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/collective_words.hpp"
#include "collective/plan/system_file.hpp"
#include "compute/device_file.hpp"
#include "compute/kernels/attention_kernel.hpp"
#include "compute/kernels/kernel_table.hpp"
#include "compute/kernels/pointwise_kernels.hpp"
#include "compute/measured/shape_table.hpp"
#include "compute/sparsity.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "study/astra2/system_json.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/run_keys.hpp"
#include "support/documented_words.hpp"
#include "topology/files/network_file.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/formats/written_graph.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery::core::test::inputs_documentation_test {
namespace {

Words paths_of(const std::vector<KeyPath>& keys) {
  Words paths;
  for (const KeyPath& key : keys) paths.insert(key.path);
  return paths;
}

Words system_keys() {
  Words keys;
  for (const KeyPath& key : system_file_keys()) keys.insert(key.path + ":");
  return keys;
}

Words long_options() {
  Words options;
  const DescribedCommand program = described_program();
  for (const DescribedCommand* command : with_inner_commands(program))
    for (const DescribedFlag& flag : command->flags)
      for (const std::string& name : flag.names)
        if (name.starts_with("--")) options.insert(name);
  return options;
}

// The page has one line for the three steps of a layer, and one for the four kinds of collectives.
Words experiment_keys() {
  const std::regex step("(layers\\[\\]\\.)(forward|input-gradient|weight-gradient)\\.");
  const std::regex kind("(collectives\\.)[a-z-]+(\\[\\])");
  Words keys;
  for (const KeyPath& key : experiment_file_keys()) {
    keys.insert(std::regex_replace(std::regex_replace(key.path, step, "$1<step>."), kind, "$1<kind>$2"));
  }
  return keys;
}

Words library_keys() {
  return paths_of(library_file_keys());
}

TEST(InputDocumentation, OnlyCodeCounts) {
  EXPECT_EQ(codes_in("a `b c` d\n```\n`e`\n```\nf `--g`\n"), (Words{"b c", "--g"}));
}

TEST(InputDocumentation, LayerTableWords) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(strings(words_of(policy_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(collective_words)), page));
}

TEST(InputDocumentation, SystemFileKeys) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(system_keys(), page));
  Words with_colon;
  for (const std::string& word : page) {
    if (word.ends_with(':')) with_colon.insert(word);
  }
  EXPECT_TRUE(all_among(with_colon, system_keys())) << "no such key, but documented";
}

TEST(InputDocumentation, NetworkFileKeys) {
  EXPECT_TRUE(all_among(paths_of(network_file_keys()), codes_of_inputs()));
}

TEST(InputDocumentation, NetworksAsTheyAreBuilt) {
  const Words page = codes_of_inputs();
  for (const NetworkBuilder* builder : network_builders) {
    EXPECT_TRUE(page.contains(std::string(builder->name))) << builder->name;
    EXPECT_TRUE(all_among(paths_of(builder->keys()), page)) << builder->name;
  }
  EXPECT_TRUE(all_among(paths_of(written_graph_keys()), page));
}

TEST(InputDocumentation, ExperimentFileKeys) {
  const Words page = codes_of_inputs(), keys = experiment_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* prefix :
       {"network[].", "system.", "workload.", "stragglers", "compute-jitter", "slow-links"}) {
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
  }
}

TEST(InputDocumentation, ExperimentFileWords) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(strings(words_of(collective_kind_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(algorithm_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(all_reduce_shape_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(dimension_order_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(queue_order_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(issue_order_words)), page));
}

TEST(InputDocumentation, Options) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(long_options(), page));
  Words known = long_options();
  known.insert("--version");  // of the program itself
  Words written;
  for (const std::string& word : with_prefix(page, "--"))
    written.insert(word.substr(0, word.find_first_of(" =")));
  EXPECT_TRUE(all_among(written, known)) << "no such option, but documented";
}

TEST(InputDocumentation, TraceInputKeys) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(paths_of(system_json_keys()), page));
  EXPECT_TRUE(all_among(paths_of(memory_json_keys()), page));
  EXPECT_TRUE(all_among(paths_of(network_yaml_file_keys()), page));
}

TEST(InputDocumentation, ScaleSimKeys) {
  EXPECT_TRUE(all_among(paths_of(scale_sim_config_keys()), codes_of_inputs()));
}

TEST(InputDocumentation, DeviceFileKeys) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(paths_of(device_file_keys()), page));
}

TEST(InputDocumentation, ShapeTableColumns) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(paths_of(shape_table_columns()), page));
  EXPECT_TRUE(all_among(strings(words_of(datatype_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(sparsity_pattern_words)), page));
}

TEST(InputDocumentation, KernelsAndTheirTables) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(paths_of(kernel_table_columns()), page));
  EXPECT_TRUE(all_among(strings(attention_kernel_names()), page));
  EXPECT_TRUE(all_among(strings(pointwise_kernel_names()), page));
}

TEST(InputDocumentation, LibraryFilesAndTablesOfGroups) {
  const Words page = codes_of_inputs();
  EXPECT_TRUE(all_among(library_keys(), page));
  for (const char* prefix : {"protocols.", "inside.", "between."})
    EXPECT_TRUE(all_among(with_prefix(page, prefix), library_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(paths_of(group_table_columns()), page));
  EXPECT_TRUE(all_among(strings(words_of(library_operation_words)), page));
  EXPECT_TRUE(all_among(strings(collective_library_names()), page));
  const LibraryConstants nccl = find_library_constants("nccl", {}, no_files());
  for (const InsideLink& link : nccl.inside) EXPECT_TRUE(page.contains(link.name)) << link.name;
  for (const BetweenLink& link : nccl.between) EXPECT_TRUE(page.contains(link.name)) << link.name;
}

}  // namespace
}  // namespace orrery::core::test::inputs_documentation_test
