#include "workload/astra1/layer_table_reader.hpp"

#include <gtest/gtest.h>

#include "workload/astra1/layer_table_words.hpp"
#include "workload/astra1/layer_table_writer.hpp"

namespace orrery::core::layer_table_reader_test {
namespace {

LayerTable read(const std::string& text, Warnings& warnings) {
  return read_layer_table(text, "w.txt", warnings);
}
LayerTable read(const std::string& text) {
  Warnings warnings;
  const LayerTable table = read(text, warnings);
  for (const std::string& line : warnings.lines()) ADD_FAILURE() << line;
  return table;
}

void expect_error(const std::string& text, const std::string& prefix, const std::string& word) {
  Warnings warnings;
  try {
    read(text, warnings);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("w.txt" + prefix + ": error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

void expect_warning(const std::string& text, const std::string& prefix, const std::string& word) {
  Warnings warnings;
  read(text, warnings);
  ASSERT_EQ(warnings.lines().size(), 1u) << text;
  EXPECT_EQ(warnings.lines()[0].rfind("w.txt" + prefix + ": warning: ", 0), 0u) << warnings.lines()[0];
  EXPECT_NE(warnings.lines()[0].find(word), std::string::npos) << warnings.lines()[0];
}

const std::string quiet = " -1 1 NONE 0 1 NONE 0 1 NONE 0 10";

TEST(LayerTableReader, ReadsEveryField) {
  const LayerTable table = read(
      "HYBRID_DATA_MODEL\n2\n"
      "conv1 -1 10 ALLREDUCE 100 20 ALLGATHER 200 30 REDUCESCATTER 300 40\n"
      "fc 7 2592000000000000 ALLTOALL 9007199254740992 0 NONE 5 0 ALLREDUCEALLTOALL 8 0\n");
  EXPECT_EQ(table.policy, TrainingPolicy::hybrid_data_model);
  EXPECT_EQ(table.where.text(), "w.txt");
  ASSERT_EQ(table.layers.size(), 2u);
  const Layer& conv = table.layers[0];
  EXPECT_EQ(conv.name, "conv1");
  EXPECT_EQ(conv.where.text(), "w.txt:3:1");
  EXPECT_EQ(conv.forward.compute, Time::from_ns(10));
  EXPECT_EQ(conv.forward.collective, CollectiveKind::all_reduce);
  EXPECT_EQ(conv.forward.size, Bytes(100));
  EXPECT_EQ(conv.input_gradient.compute, Time::from_ns(20));
  EXPECT_EQ(conv.input_gradient.collective, CollectiveKind::all_gather);
  EXPECT_EQ(conv.input_gradient.size, Bytes(200));
  EXPECT_EQ(conv.weight_gradient.compute, Time::from_ns(30));
  EXPECT_EQ(conv.weight_gradient.collective, CollectiveKind::reduce_scatter);
  EXPECT_EQ(conv.weight_gradient.size, Bytes(300));
  EXPECT_EQ(conv.delay, Time::from_ns(40));
  EXPECT_EQ(conv.policy, std::nullopt);
  const Layer& fc = table.layers[1];
  EXPECT_EQ(fc.forward.compute, Time::longest_input());
  EXPECT_EQ(fc.forward.collective, CollectiveKind::all_to_all);
  EXPECT_EQ(fc.forward.size, Bytes(std::uint64_t{1} << 53));
  EXPECT_EQ(fc.input_gradient.collective, std::nullopt);
  EXPECT_EQ(fc.input_gradient.size, Bytes(5));
  EXPECT_FALSE(fc.input_gradient.all_reduce_all_to_all);
  EXPECT_EQ(fc.weight_gradient.collective, std::nullopt);
  EXPECT_TRUE(fc.weight_gradient.all_reduce_all_to_all);
}

TEST(LayerTableReader, LineEndsMeanNothing) {
  EXPECT_EQ(read("DATA 1 a" + quiet).layers.size(), 1u);
  EXPECT_EQ(read("\r\nDATA\r\n\r\n1\v\fa -1 1\r\nNONE 0 1 NONE\t0 1 NONE 0\n10\r\n").layers[0].delay,
            Time::from_ns(10));
}

TEST(LayerTableReader, ReadsTheHeadersOfAllPolicies) {
  for (const std::string_view word : words_of(policy_words)) {
    std::string header(word);
    if (header.starts_with("HYBRID_TRANSFORMER")) header += " group: 4";
    if (word.ends_with("FWD_IN_BCKWD")) header += " checkpoints: 2 1 0 initiators: 1 2";
    if (header.starts_with("HYBRID_DLRM")) header += " -3";
    const std::string end = quiet + (word == "HYBRID_CUSTOMIZED" ? " DATA\n" : "\n");
    const LayerTable table = read(header + "\n3\na" + end + "b" + end + "c" + end);
    EXPECT_EQ(word_of(policy_words, table.policy), word);
    EXPECT_EQ(table.model_parallel_group, header.find("group") == header.npos ? 1 : 4);
    EXPECT_EQ(table.last_bottom_layer, header.starts_with("HYBRID_DLRM") ? -3 : 0);
    EXPECT_EQ(table.checkpoints.size(), header.ends_with("1 2") ? 2u : 0u);
    EXPECT_EQ(table.initiators.size(), header.ends_with("1 2") ? 1u : 0u);
  }
}

TEST(LayerTableReader, RejectsBadHeaders) {
  expect_error("", "", "empty");
  expect_error(" \n ", "", "empty");
  expect_error("\n DADA 1 a" + quiet, ":2:2", "`DADA`");
  expect_error("DATA", ":1:5", "number of layers");
  expect_error("DATA\n0", ":2:1", "1 to 2147483647");
  expect_error("DATA\n-2", ":2:1", "number of layers");
  expect_error("DATA\n2147483648", ":2:1", "number of layers");
  expect_error("DATA extra 1 a" + quiet, ":1:6", "`extra`");
  expect_error("MICRO a" + quiet, ":1:7", "`a`");
  expect_error("HYBRID_DLRM\n1.5 1", ":2:1", "last bottom layer");
}

TEST(LayerTableReader, RejectsTransformersWithoutGroup) {
  expect_error("HYBRID_TRANSFORMER\n1\na" + quiet, ":3:1", "model-parallel group");
  expect_error("HYBRID_TRANSFORMER G: 0 1 a" + quiet, ":1:23", "1 to 2147483647");
  expect_error("HYBRID_TRANSFORMER G: -4 1 a" + quiet, ":1:23", "model-parallel group");
  expect_error("HYBRID_TRANSFORMER", ":1:19", "label");
}

TEST(LayerTableReader, RejectsMissingLayersAndWords) {
  expect_error("DATA 2\na" + quiet, ":2:35", "layer 2 of 2: the name is missing");
  expect_error("DATA 5\na" + quiet + "\nb" + quiet + "\nc -1 7\n", ":5:1",
               "layer 3 of 5 (`c`): the forward collective is missing");
  expect_error("DATA 1\na -1 1 NONE 0 1 NONE 0 1 NONE 0\n", ":3:1", "the delay is missing");
  // There is one word too few, and the next one is read in its place.
  expect_error("DATA 2\na -1 1 NONE 0 1 NONE 0 1 NONE 0\nb" + quiet, ":3:1", "the delay has to be");
}

TEST(LayerTableReader, RejectsWhatIsNoNumber) {
  expect_error("DATA 1\na x 1 NONE 0 1 NONE 0 1 NONE 0 1", ":2:3", "reserved number");
  expect_error("DATA 1\na -1 1.5 NONE 0 1 NONE 0 1 NONE 0 1", ":2:6", "`1.5`");
  expect_error("DATA 1\na -1 1 NONE 0 16ns NONE 0 1 NONE 0 1", ":2:15", "input-gradient compute time");
  expect_error("DATA 1\na -1 1 NONE 0 1 NONE 0 -1 NONE 0 1", ":2:24", "weight-gradient compute time");
  expect_error("DATA 1\na -1 1 NONE -5 1 NONE 0 1 NONE 0 1", ":2:13", "forward collective's size");
  expect_error("DATA 1\na -1 1 NONE 9007199254740993 1 NONE 0 1 NONE 0 1", ":2:13", "2^53");
  expect_error("DATA 1\na -1 1 NONE 99999999999999999999 1 NONE 0 1 NONE 0 1", ":2:13", "2^53");
  expect_error("DATA 1\na -1 2592000000000001 NONE 0 1 NONE 0 1 NONE 0 1", ":2:6", "30 days");
  expect_error("DATA 1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1e3", ":2:33", "the delay");
  expect_error("DATA 1\na -1 1 77 0 1 NONE 0 1 NONE 0 1", ":2:8", "word such as");
}

TEST(LayerTableReader, RejectsCommasInNames) {
  expect_error("DATA 1\na,b" + quiet, ":2:1", "commas");
}

TEST(LayerTableReader, WarnsOfWhatItIgnores) {
  expect_warning("DATA 1 a" + quiet + "\nmore words", ":2:1", "`more`");
  expect_warning("DATA 1\na -1 1 ALLREDUCE_HBM 8 1 NONE 0 1 ALLREDUCE_HBM 9 1", ":2:8", "`ALLREDUCE_HBM`");
  expect_warning("DATA 1\na -1 1 allreduce 8 1 NONE 0 1 NONE 0 1", ":2:8", "treated as `NONE`");
  expect_warning("DATA 1\na -1 1 NONE 0 1 NONE 0 1 ALLTOALL 0 1", ":2:35", "0 bytes");
  expect_warning("HYBRID_TRANSFORMER_FWD_IN_BCKWD g 1 c 2 0 9 i 0 1 a" + quiet, ":1:43", "no layer 9");
}

TEST(LayerTableReader, KeepsOnlyIndicesOfLayers) {
  Warnings warnings;
  const LayerTable table = read(
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD g 1 c 3 -1 0 7 i 4 1 2 -9 2 2 a" + quiet + " b" + quiet, warnings);
  EXPECT_EQ(table.checkpoints, std::vector<int>{0});
  EXPECT_EQ(table.initiators, std::vector<int>{1});
  EXPECT_EQ(warnings.lines().size(), 1u);
}

TEST(LayerTableReader, RejectsRecomputationsThatCannotRun) {
  const std::string layers = "3 a" + quiet + " b" + quiet + " c" + quiet;
  const std::string header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD g 1 ";
  expect_error(header + "c 1 1 i 1 0 " + layers, ":1:47", "no checkpoint lies below");
  expect_error(header + "c 0 i 1 2 " + layers, ":1:45", "no checkpoint lies below");
  expect_error(header + "c 2 0 1 i 1 1 " + layers, ":1:49", "never end");
  expect_error(header + "c -1 i 1 1 " + layers, ":1:39", "number of layers in the list");
  expect_error(header + "c 2000000000 1", ":1:51", "layer index is missing");
}

TEST(LayerTableReader, ReadsLayerPolicies) {
  const std::string busy = " -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 10 ";
  for (const std::string_view word : words_of(policy_words)) {
    const std::string text = "HYBRID_CUSTOMIZED 1\na" + busy + std::string(word);
    if (usable_as_layer_policy(*value_of(policy_words, word)))
      EXPECT_EQ(read(text).layers[0].policy, value_of(policy_words, word));
    else
      expect_error(text, ":2:41", "`HYBRID_MODEL_DATA`");
  }
  expect_error("HYBRID_CUSTOMIZED 1\na" + busy + "FOO", ":2:41", "`FOO`");
  expect_error("HYBRID_CUSTOMIZED 1\na" + busy, ":2:41", "policy is missing");
  expect_error("HYBRID_CUSTOMIZED 1\na -1 1 ALLREDUCEALLTOALL 1 1 NONE 0 1 NONE 0 10 FOO", ":2:49", "`FOO`");
}

TEST(LayerTableReader, AcceptsAnUnusableLayerPolicyWithoutCollectives) {
  const std::string text = "HYBRID_CUSTOMIZED 1\na" + quiet + " FOO";
  expect_warning(text, ":2:36", "`FOO`");
  Warnings warnings;
  EXPECT_EQ(read(text, warnings).layers[0].policy, std::nullopt);
}

TEST(LayerTableReader, SkipsTheGeneratorsPolicyColumn) {
  expect_warning("DATA\n2\na" + quiet + " DATA\nb" + quiet + "\tHYBRID_MODEL_DATA \r\n", ":3:36",
                 "HYBRID_CUSTOMIZED");
  // On one line the word is the next layer's name, and so is any other word.
  EXPECT_EQ(read("DATA 2 a" + quiet + " DATA" + quiet).layers[1].name, "DATA");
  EXPECT_EQ(read("DATA 2 a" + quiet + "\nDATA\n" + quiet).layers[1].name, "DATA");
  EXPECT_EQ(read("DATA 2 a" + quiet + " b\n" + quiet).layers[1].name, "b");
}

TEST(LayerTableWriter, RoundTrips) {
  const std::string layer = "\t-1\t1\tALLGATHER\t5\t2\tALLREDUCEALLTOALL\t6\t3\tNONE\t7\t8";
  for (const std::string header :
       {"DATA", "HYBRID_TRANSFORMER model_parallel_NPU_group: 16", "HYBRID_DLRM_ENHANCED -2",
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 checkpoints: 1 0 checkpoint_initiates: "
        "1 1"}) {
    const std::string text = header + "\n2\na" + layer + "\nb" + layer + "\n";
    EXPECT_EQ(write_layer_table(read(text)), text);
  }
  const std::string text = "HYBRID_CUSTOMIZED\n1\na" + layer + "\tMICRO\n";
  EXPECT_EQ(write_layer_table(read(text)), text);
}

TEST(LayerTableWriter, KeepsAnUnusableLayerPolicyUnusable) {
  Warnings warnings;
  const std::string text = write_layer_table(read("HYBRID_CUSTOMIZED 1\na" + quiet + " FOO", warnings));
  EXPECT_EQ(read(text, warnings).layers[0].policy, std::nullopt);
}

}  // namespace
}  // namespace orrery::core::layer_table_reader_test
