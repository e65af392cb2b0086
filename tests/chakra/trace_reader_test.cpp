#include "workload/chakra/files/trace_reader.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/chakra_bytes.hpp"
#include "workload/chakra/files/attribute_names.hpp"

namespace orrery::core::chakra {
namespace {

using namespace test;

Trace read(const std::string& nodes) {
  return read_trace(trace_bytes(nodes), "t.et");
}

void expect_error_in(const std::string& bytes, const std::string& place, const std::string& word) {
  try {
    read_trace(bytes, "t.et");
    ADD_FAILURE() << "accepted, no word of " << word;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("t.et: error: " + place, 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}
// The node is record 2 and its content begins at byte 9.
void expect_error(const std::string& node, const std::string& place, const std::string& word) {
  expect_error_in(trace_bytes(record(node)), place + " (record 2): ", word);
}

std::string attribute_value(AttributeName name, const std::string& value) {
  return attribute(std::string(text_of(name)), value);
}
// A node with one attribute of one integer kind.
Node node_with(AttributeName name, const std::string& value) {
  return read(record(attribute_value(name, value))).nodes[0];
}

TEST(ChakraTraceReader, ReadsEveryFieldOfANode) {
  const Trace trace =
      read(record(number_field(1, 1ull << 63) + bytes_field(2, "conv") + number_field(3, 7) +
                  bytes_field(4, varint(300) + varint(1)) + bytes_field(5, varint(9)) + number_field(6, 5) +
                  number_field(7, 1000)) +
           record(number_field(3, 1) + bytes_field(8, bytes_field(1, "text") + bytes_field(2, "x")) +
                  bytes_field(9, bytes_field(1, "output"))));
  ASSERT_EQ(trace.nodes.size(), 2u);
  const Node node = trace.nodes[0];
  EXPECT_EQ(node.id, 1ull << 63);
  EXPECT_EQ(trace.nodes.name(0), "conv");
  EXPECT_EQ(node.type, NodeType::collective);
  EXPECT_EQ(node.duration_us, 1000u);
  EXPECT_EQ(node.start_us, 5u);
  EXPECT_EQ(node.has, has_start);
  EXPECT_FALSE(node.on_cpu);
  EXPECT_EQ(trace.parents, (std::vector<std::uint64_t>{9, 300, 1}));
  EXPECT_EQ(trace.first_parent, (std::vector<std::uint64_t>{0, 3, 3}));
  EXPECT_EQ(trace.data_parents, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(trace.nodes[1].type, NodeType::metadata);
  ASSERT_EQ(trace.metadata.size(), 1u);
  EXPECT_EQ(trace.metadata[0], (Trace::NodeValues{1, "text"}));
}

TEST(ChakraTraceReader, KeepsInputValuesOfMetadataNodesOnly) {
  EXPECT_TRUE(read(record(number_field(3, 4) + bytes_field(8, bytes_field(1, "text")))).metadata.empty());
}

TEST(ChakraTraceReader, ReadsPackedAndUnpackedParentsAndAddsThemUp) {
  const Trace trace = read(record(number_field(4, 1) + bytes_field(5, varint(2) + varint(3)) +
                                  number_field(5, 4) + bytes_field(4, varint(5)) + bytes_field(4, "")));
  EXPECT_EQ(trace.parents, (std::vector<std::uint64_t>{2, 3, 4, 1, 5}));
  EXPECT_EQ(trace.data_parents, (std::vector<std::uint32_t>{3}));
}

// The value -2, or its low 32 bits, in each kind of integer.
const struct {
  const char* kind;
  std::string field;
  std::uint64_t value;
} integers[] = {
    {"int32", number_field(7, ~1ull), ~1ull},
    {"int64", number_field(9, ~1ull), ~1ull},
    {"uint32", number_field(11, 0xfffffffe), 0xfffffffe},
    {"uint64", number_field(13, ~1ull), ~1ull},
    {"sint32", number_field(15, 3), ~1ull},
    {"sint64", number_field(17, 3), ~1ull},
    {"fixed32", fixed32_field(19, 0xfffffffe), 0xfffffffe},
    {"fixed64", fixed64_field(21, ~1ull), ~1ull},
    {"sfixed32", fixed32_field(23, 0xfffffffe), ~1ull},
    {"sfixed64", fixed64_field(25, ~1ull), ~1ull},
    {"bool", number_field(27, 2), 1},
};

TEST(ChakraTraceReader, ConvertsAllKindsOfIntegersAsCDoes) {
  for (const auto& integer : integers) {
    SCOPED_TRACE(integer.kind);
    const std::uint64_t value = integer.value;
    EXPECT_EQ(node_with(AttributeName::num_ops, integer.field).num_ops, value);
    EXPECT_EQ(node_with(AttributeName::tensor_size, integer.field).tensor_size, value);
    EXPECT_EQ(node_with(AttributeName::comm_size, integer.field).comm_size, value);
    EXPECT_EQ(node_with(AttributeName::comm_tag, integer.field).comm_tag, value);
    EXPECT_EQ(node_with(AttributeName::comm_src, integer.field).comm_src, static_cast<std::uint32_t>(value));
    EXPECT_EQ(node_with(AttributeName::comm_dst, integer.field).comm_dst, static_cast<std::uint32_t>(value));
    EXPECT_EQ(node_with(AttributeName::comm_root, integer.field).comm_root,
              static_cast<std::uint32_t>(value));
    EXPECT_EQ(node_with(AttributeName::comm_priority, integer.field).comm_priority,
              static_cast<std::int32_t>(value));
    EXPECT_TRUE(node_with(AttributeName::is_cpu_op, integer.field).on_cpu);
  }
  EXPECT_EQ(node_with(AttributeName::comm_type, number_field(17, 18)).comm_type, CommType::barrier);
  EXPECT_EQ(node_with(AttributeName::comm_type, number_field(27, 1)).comm_type, CommType::reduce);
  EXPECT_FALSE(node_with(AttributeName::is_cpu_op, number_field(9, 0)).on_cpu);
}

TEST(ChakraTraceReader, TellsWhichAttributesThereAre) {
  const std::string one = number_field(9, 1);
  EXPECT_EQ(node_with(AttributeName::is_cpu_op, one).has, 0);
  EXPECT_EQ(node_with(AttributeName::num_ops, one).has, has_num_ops);
  EXPECT_EQ(node_with(AttributeName::tensor_size, one).has, has_tensor_size);
  EXPECT_EQ(node_with(AttributeName::comm_type, one).has, has_comm_type);
  EXPECT_EQ(node_with(AttributeName::comm_size, one).has, has_comm_size);
  EXPECT_EQ(node_with(AttributeName::comm_priority, one).has, has_comm_priority);
  EXPECT_EQ(node_with(AttributeName::comm_src, one).has, has_comm_src);
  EXPECT_EQ(node_with(AttributeName::comm_dst, one).has, has_comm_dst);
  EXPECT_EQ(node_with(AttributeName::comm_tag, one).has, has_comm_tag);
  EXPECT_EQ(node_with(AttributeName::comm_root, one).has, has_comm_root);
  EXPECT_EQ(node_with(AttributeName::pg_name, bytes_field(29, "")).has, has_pg_name);
  EXPECT_EQ(node_with(AttributeName::involved_dim, bytes_field(28, "")).has, has_involved_dims);
  EXPECT_EQ(node_with(AttributeName::inputs, bytes_field(30, "")).has, has_tensors);
  EXPECT_EQ(node_with(AttributeName::outputs, bytes_field(30, "")).has, has_tensors);
}

TEST(ChakraTraceReader, CountsTheFirstAttributeOfAName) {
  const Trace trace =
      read(record(attribute("comm_size", number_field(9, 1)) + attribute("pg_name", bytes_field(29, "a")) +
                  attribute("comm_size", bytes_field(29, "of a wrong kind")) +
                  attribute("pg_name", bytes_field(29, "b"))));
  EXPECT_EQ(trace.nodes[0].comm_size, 1u);
  EXPECT_EQ(trace.texts, (std::vector<std::string>{"", "a"}));
}

TEST(ChakraTraceReader, CountsTheLastValueOfAnAttributeAsProtobufDoes) {
  EXPECT_EQ(node_with(AttributeName::num_ops, number_field(9, 1) + number_field(13, 2)).num_ops, 2u);
  EXPECT_EQ(node_with(AttributeName::num_ops, bytes_field(29, "text") + number_field(9, 3)).num_ops, 3u);
  // The name may come last.
  EXPECT_EQ(read(record(bytes_field(10, number_field(9, 4) + bytes_field(1, "num_ops")))).nodes[0].num_ops,
            4u);
  const Node node =
      node_with(AttributeName::involved_dim, bytes_field(28, number_field(1, 1)) + number_field(27, 1) +
                                                 bytes_field(28, bytes_field(1, varint(0) + varint(5))) +
                                                 bytes_field(2, "doc") +
                                                 bytes_field(28, number_field(1, 0) + number_field(1, 1)));
  EXPECT_EQ(node.involved_count, 4);
  EXPECT_EQ(node.involved_dims, 0b1010);
}

TEST(ChakraTraceReader, ReadsTensors) {
  const auto list = [](const std::vector<std::string>& words) {
    std::string entries;
    for (const std::string& word : words) entries += bytes_field(1, word);
    return bytes_field(30, entries);
  };
  const Trace trace = read(record(bytes_field(2, "b")) +
                           record(attribute("outputs", list({"c", "18446744073709551615"})) +
                                  bytes_field(2, "n") + attribute("inputs", list({"a", "1", "b", "0"}))));
  ASSERT_EQ(trace.tensors.size(), 1u);
  // Texts are numbered by inputs and outputs, whatever comes first.
  EXPECT_EQ(trace.texts, (std::vector<std::string>{"", "a", "b", "c"}));
  EXPECT_EQ(trace.tensors[0], (Trace::NodeTensors{1, {{1, 1}, {2, 0}}, {{3, 18446744073709551615u}}}));
  expect_error(attribute("inputs", list({"a"})), "byte 11", "1 entries");
  expect_error(attribute("inputs", list({"a", "12x"})), "byte 11", "`12x`");
  expect_error(attribute("outputs", list({"a", "-1"})), "byte 11", "tensor `a`");
  expect_error(attribute("outputs", list({"a", ""})), "byte 11", "a number of bytes");
  expect_error(attribute("inputs", bytes_field(29, "a")), "byte 11",
               "`inputs` is a string, it has to be a list of str");
}

TEST(ChakraTraceReader, SkipsWhatItDoesNotKnow) {
  const std::string group = varint(21 << 3 | 3) + number_field(1, 2) + varint(21 << 3 | 4);
  const std::string unknown = number_field(20, 1) + fixed32_field(20, 1) + fixed64_field(20, 1) +
                              bytes_field(20, "x") + group + bytes_field(1, "no number") +
                              number_field(2, 1) + fixed32_field(4, 1) + bytes_field(6, "") +
                              fixed64_field(10, 1);
  const Trace trace = read(record(unknown + number_field(1, 6) + unknown) +
                           record(bytes_field(10, unknown + bytes_field(1, "rf_id") + fixed32_field(9, 1))));
  EXPECT_EQ(trace.nodes[0].id, 6u);
  EXPECT_EQ(trace.nodes[1], Node{});
  EXPECT_EQ(read_trace(record(number_field(20, 1) + bytes_field(2, "attribute")) + record(number_field(1, 1)),
                       "t.et")
                .nodes.size(),
            1u);
  EXPECT_EQ(read_trace(record("") + record(number_field(1, 1)), "t.et").nodes.size(), 1u);
}

TEST(ChakraTraceReader, RejectsAttributesOfTheWrongKind) {
  for (const char* name : {"is_cpu_op", "num_ops", "tensor_size", "comm_type", "comm_size", "comm_priority",
                           "comm_src", "comm_dst", "comm_tag"}) {
    const std::string said = std::string("`") + name + "` ";
    expect_error(attribute(name, fixed64_field(3, 0)), "byte 11",
                 said + "is a double, it has to be an integer");
    expect_error(attribute(name, fixed32_field(5, 0)), "byte 11", said + "is a float");
    expect_error(attribute(name, bytes_field(29, "1")), "byte 11", said + "is a string");
    expect_error(attribute(name, bytes_field(31, "1")), "byte 11", said + "is a bytes");
    expect_error(attribute(name, bytes_field(10, number_field(1, 1))), "byte 11",
                 said + "is a list of int64");
    expect_error(attribute(name, ""), "byte 11", said + "has no value");
  }
  for (const auto& integer : integers)
    expect_error(attribute("pg_name", integer.field), "byte 11",
                 std::string("`pg_name` is a ") + integer.kind);
  expect_error(attribute("pg_name", bytes_field(31, "a")), "byte 11", "has to be a string");
  for (const std::uint32_t list : {4u, 6u, 8u, 10u, 12u, 14u, 16u, 18u, 20u, 22u, 24u, 26u, 30u, 32u})
    expect_error(attribute("involved_dim", bytes_field(list, "")), "byte 11", "has to be a list of booleans");
  expect_error(attribute("involved_dim", number_field(27, 1)), "byte 11", "`involved_dim` is a bool,");
  expect_error(attribute("involved_dim", bytes_field(28, bytes_field(1, std::string(17, '\1')))), "byte 11",
               "17");
}

// A text has no value where nobody has set it.
TEST(ChakraTraceReader, TakesAGroupWithoutANameForAllRanks) {
  const Trace trace = read_trace(record("") + record(attribute("pg_name", "")), "t.et");
  EXPECT_EQ(trace.nodes[0].has & has_pg_name, 0);
  EXPECT_EQ(trace.texts[trace.nodes[0].pg_name], "");
}

// Protobuf writes nothing of a list to which nothing was appended.
TEST(ChakraTraceReader, TakesAnAttributeWithoutAValueForAnEmptyList) {
  const Trace trace =
      read_trace(record("") + record(attribute("inputs", "") + attribute("involved_dim", "")), "t.et");
  EXPECT_EQ(trace.tensors, (std::vector<Trace::NodeTensors>{{0, {}, {}}}));
  EXPECT_EQ(trace.nodes[0].involved_count, 0);
}

TEST(ChakraTraceReader, ReadsSizesWithADecimalPoint) {
  const auto size = [](const std::string& text) {
    const std::string list = bytes_field(30, bytes_field(1, "x") + bytes_field(1, text));
    const Trace trace = read_trace(record("") + record(attribute("outputs", list)), "t.et");
    return std::pair(trace.tensors.at(0).outputs.at(0).bytes, trace.rounded_sizes);
  };
  EXPECT_EQ(size("1024.0"), std::pair(std::uint64_t{1024}, std::uint64_t{0}));
  EXPECT_EQ(size("1.5e9"), std::pair(std::uint64_t{1'500'000'000}, std::uint64_t{0}));
  EXPECT_EQ(size("1024.5"), std::pair(std::uint64_t{1025}, std::uint64_t{1}));
  EXPECT_EQ(size("18446744073709551615"), std::pair(~std::uint64_t{0}, std::uint64_t{0}));
  for (const char* wrong : {"-1.0", "1e30", "nan", "inf", "1.0 B", ""})
    EXPECT_THROW(size(wrong), InputError) << wrong;
}

TEST(ChakraTraceReader, LooksAtTensorsOnlyWhereAsked) {
  const std::string bytes =
      record("") + record(attribute("inputs", bytes_field(30, bytes_field(1, "alone"))));
  EXPECT_THROW(read_trace(bytes, "t.et"), InputError);
  EXPECT_TRUE(read_trace(bytes, "t.et", {.tensors = false}).tensors.empty());
}

TEST(ChakraTraceReader, ReadsGroupsOfOlderTracesOfStage) {
  const Trace trace = read_trace(
      record("") + record(attribute("comm_group", number_field(7, 3))) +
          record(attribute("comm_group", number_field(7, 3)) + attribute("pg_name", bytes_field(29, "5"))) +
          record(number_field(1, 1)),
      "t.et");
  EXPECT_EQ(trace.texts[trace.nodes[0].pg_name], "3");
  EXPECT_EQ(trace.texts[trace.nodes[1].pg_name], "5");
  EXPECT_EQ(trace.texts[trace.nodes[2].pg_name], "");
}

TEST(ChakraTraceReader, ReadsStartTimesAndStreams) {
  const Trace trace =
      read_trace(record("") + record(number_field(6, 1100) + attribute("stream", number_field(9, 7))) +
                     record(number_field(1, 1)),
                 "t.et");
  EXPECT_EQ(trace.nodes[0].start_us, 1100u);
  EXPECT_EQ(trace.nodes[0].stream, 7);
  EXPECT_EQ(trace.nodes[1].start_us, 0u);
}

TEST(ChakraTraceReader, RejectsUnknownTypes) {
  expect_error(number_field(1, 1) + number_field(3, 8), "byte 11", "unknown type of node 8");
  expect_error(number_field(3, ~0ull), "byte 9", "unknown type of node -1");
  expect_error(attribute("comm_type", number_field(9, 10)), "byte 11", "unknown comm_type 10");
  expect_error(attribute("comm_type", number_field(9, ~0ull)), "byte 11", "unknown comm_type -1");
}

TEST(ChakraTraceReader, RejectsWhatIsNoTrace) {
  expect_error_in("", "byte 0 (record 1): ", "empty");
  expect_error_in("{\"nodes\": []}", "byte 0 (record 1): ", "JSON");
  expect_error_in(record(number_field(1, 7)), "byte 1 (record 1): ", "before 2024");
  expect_error_in(trace_bytes(std::string(16, '\0')), "byte 9 (record 2): ", "empty");
  expect_error_in(trace_bytes(std::string(12, '\xff')), "byte 8 (record 2): ", "no length");
  expect_error_in(trace_bytes(varint(1ull << 31)), "byte 8 (record 2): ", "beyond 2 GiB");
  expect_error_in(trace_bytes(varint((1ull << 31) - 1) + "x"), "byte 8 (record 2): ", "2147483647 bytes");
}

TEST(ChakraTraceReader, RejectsMalformedMessages) {
  expect_error(std::string(1, '\0'), "byte 9", "no field");
  expect_error("\x07", "byte 9", "no field");
  expect_error(number_field(1, 1) + varint(3 << 3 | 6), "byte 11", "field 3");
  expect_error(varint(1 << 3) + std::string(11, '\xff'), "byte 9", "too long");
  expect_error(varint(2 << 3 | 2) + varint(5) + "abcd", "byte 9", "longer than what holds it");
  expect_error(varint(2 << 3 | 2) + varint(1ull << 40) + "abcd", "byte 9", "length");
  expect_error(bytes_field(5, "\x80"), "byte 11", "cut off");
  expect_error(attribute("num_ops", varint(21 << 3 | 1) + "1234567"), "byte 20", "cut off");
  expect_error(varint(20 << 3 | 4), "byte 9", "field 20");
  std::string nested;
  for (int depth = 0; depth < 100'000; ++depth) nested += varint(20 << 3 | 3);
  expect_error_in(trace_bytes(record(nested)), "byte 11 (record 2): ", "field 20");
}

// A trace with every kind of field, and attributes of every kind.
std::string small_trace() {
  std::string attributes;
  for (const auto& integer : integers) attributes += attribute("unused", integer.field);
  return trace_bytes(
      record(number_field(1, 3) + bytes_field(2, "conv") + number_field(3, 4) + bytes_field(5, varint(300)) +
             attribute("num_ops", fixed64_field(21, 5)) + attributes) +
      record(number_field(1, 300) + number_field(3, 7) + number_field(4, 3) +
             attribute("comm_type", number_field(9, 1)) +
             attribute("involved_dim", bytes_field(28, bytes_field(1, varint(1) + varint(0)))) +
             attribute("pg_name", bytes_field(29, "tp")) +
             attribute("inputs", bytes_field(30, bytes_field(1, "a") + bytes_field(1, "8")))) +
      record(number_field(3, 1) + bytes_field(8, bytes_field(1, "[]"))));
}

void expect_result_or_input_error(const std::string& bytes) {
  try {
    const Trace trace = read_trace(bytes, "t.et");
    EXPECT_LE(trace.nodes.size(), bytes.size());
    EXPECT_EQ(trace.first_parent.size(), trace.nodes.size() + 1);
  } catch (const InputError&) {
  }
}

TEST(ChakraTraceReader, EveryPrefixAndEverySingleByteChangeGivesAResultOrAnInputError) {
  const std::string good = small_trace();
  EXPECT_EQ(read_trace(good, "t.et").nodes.size(), 3u);
  for (const std::string& bytes : {good, gzip(good)}) {
    for (std::size_t length = 0; length < bytes.size(); ++length)
      expect_result_or_input_error(bytes.substr(0, length));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      for (int change = 1; change < 256; ++change) {
        changed[at] = static_cast<char>(bytes[at] ^ change);
        expect_result_or_input_error(changed);
      }
    }
  }
}

TEST(ChakraTraceReader, DecompressesGzip) {
  const std::string bytes = small_trace();
  const Trace trace = read_trace(bytes, "t.et");
  const std::string packed = gzip(bytes);
  EXPECT_EQ(read_trace(packed, "t.et"), trace);
  EXPECT_EQ(read_trace(gzip(bytes.substr(0, 20)) + gzip("") + gzip(bytes.substr(20)), "t.et"), trace);
  for (std::size_t length = 2; length < packed.size(); ++length)
    expect_error_in(packed.substr(0, length), "", "compressed data are cut off");
  expect_error_in(packed + "xy", "the compressed data are damaged", "copy the file again");
  expect_error_in(gzip(trace_bytes(record(number_field(3, 8)))),
                  "byte 9 of the decompressed data (record 2): ", "8");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;
  expect_error_in(damaged, "the compressed data are damaged (incorrect data check)", "repack");
}

TEST(ChakraTraceReader, ReadsFilesBlockByBlock) {
  // Records across the blocks' ends, and one that is longer than a block.
  std::string records;
  for (std::uint64_t id = 0; id < 3000; ++id)
    records += record(number_field(1, id) + bytes_field(2, std::string(id == 1000 ? 200'000 : id % 97, 'x')));
  const std::string bytes = trace_bytes(records);
  const Trace trace = read_trace(bytes, "t.et");
  ASSERT_EQ(trace.nodes.size(), 3000u);
  EXPECT_EQ(trace.nodes.id(2999), 2999u);
  EXPECT_EQ(trace.nodes.name(1000).size(), 200'000u);

  const TemporaryFolder folder;
  const std::string path = (folder.path() / "trace.0.et").string();
  write_file_atomically(path, bytes);
  EXPECT_EQ(read_trace_file(path), trace);
  write_file_atomically(path, gzip(bytes));
  EXPECT_EQ(read_trace_file(path), trace);
}

TEST(ChakraTraceReader, NamesFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path().string(), (folder.path() / "missing.et").string()}) {
    try {
      read_trace_file(path);
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(path + ": error: cannot ", 0), 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace orrery::core::chakra
