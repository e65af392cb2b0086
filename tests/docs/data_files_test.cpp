// The pages in docs/inputs/ name every key of the data files, such as models,
// and their examples can be read.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "memory/memory_profile.hpp"
#include "support/documented_words.hpp"
#include "support/source_dir.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/catalogue/transformer_file.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

namespace orrery::core::test::data_files_test {
namespace {

std::string page_of_inputs(std::string_view name) {
  return read_file_of_any_kind(fmt::format("{}/docs/inputs/{}.md", source_dir(), name));
}

TEST(DataFiles, keys_are_documented) {
  const Words codes = codes_of_inputs();
  const auto expect_code = [&](std::string_view word) {
    EXPECT_TRUE(codes.contains(std::string(word))) << word;
  };
  for (const std::string_view key : model_file_keys()) expect_code(key);
  for (const std::string_view word : model_words()) expect_code(word);
  for (const KeyPath& key : transformer_file_keys()) expect_code(key.path);
  for (const std::string_view word : transformer_words()) expect_code(word);
  for (const std::string_view type : huggingface_model_types()) expect_code(type);
  for (const KeyPath& key : memory_file_keys()) expect_code(key.path);
  for (const std::string_view word : memory_profile_words()) expect_code(word);
}

TEST(DataFiles, the_example_of_a_model_can_be_read) {
  const std::string page = page_of_inputs("workloads");
  const std::size_t begin = page.find("name: small\ndescription:");
  ASSERT_NE(begin, std::string::npos);
  const NeuralNetwork network =
      read_neural_network(page.substr(begin, page.find("```", begin) - begin), "example");
  EXPECT_EQ(network.layers.back().input, (TensorShape{16}));
  // 3 x 3 convolutions of 3 to 16 and four times of 16 to 16 channels, their norms, and 16 x 10 weights with
  // biases
  EXPECT_EQ(network.parameters(), 9u * 3 * 16 + 4 * 9 * 16 * 16 + 5 * 2 * 16 + 170);
}

TEST(DataFiles, the_example_of_a_transformer_can_be_read) {
  const std::string page = page_of_inputs("transformers");
  const std::size_t begin = page.find("name: small\nsource:");
  ASSERT_NE(begin, std::string::npos);
  const Transformer model =
      read_transformer_file(page.substr(begin, page.find("```", begin) - begin), "example");
  EXPECT_EQ(model.layers_with_experts(), 12u);
}

TEST(DataFiles, the_examples_of_networks_can_be_read) {
  const std::string page = page_of_inputs("graphs");
  constexpr std::string_view begin = "```yaml\n";
  int examples = 0;
  for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at + 1), ++examples) {
    const std::size_t first = at + begin.size();
    Warnings warnings;
    const BuiltNetwork network =
        read_graph_file(page.substr(first, page.find("```", first) - first), "example", warnings);
    EXPECT_TRUE(find_cuts(network.graph).empty()) << "example " << examples;
  }
  EXPECT_GT(examples, 2);
}

}  // namespace
}  // namespace orrery::core::test::data_files_test
