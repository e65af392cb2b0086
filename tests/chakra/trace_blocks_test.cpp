// Traces are read in blocks, which may end anywhere.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "base/diagnostics/diagnostics.hpp"
#include "support/chakra_bytes.hpp"
#include "workload/chakra/files/record_reader.hpp"
#include "workload/chakra/files/trace_reader.hpp"

namespace orrery::core::trace_blocks_test {
namespace {

using namespace test;
using namespace chakra;

// The result of reading: the trace, or the error.
struct Result {
  Trace trace;
  std::string error;

  bool operator==(const Result&) const = default;
};

Result read_from(std::unique_ptr<ByteSource> source, std::uint64_t size, std::size_t block) {
  Result result;
  try {
    RecordReader records(std::move(source), size, "t.et", block);
    result.trace = read_trace(records);
  } catch (const InputError& error) {
    result.error = error.what();
  }
  return result;
}
Result read_in_blocks(const std::string& bytes, std::size_t block) {
  return read_from(std::make_unique<MemorySource>(bytes), bytes.size(), block);
}

std::string some_trace() {
  std::string nodes;
  for (std::uint64_t id = 0; id < 40; ++id)
    nodes +=
        record(number_field(1, id << (id % 50)) + bytes_field(2, std::string(id * 7 % 150, 'x')) +
               number_field(3, 4) + bytes_field(5, varint(id * 1000) + varint(1)) +
               attribute("num_ops", fixed64_field(21, id)) + attribute("unused", bytes_field(29, "text")));
  return trace_bytes(nodes);
}

TEST(ChakraTraceBlocks, BlocksOfAnySizeGiveTheSameNodes) {
  const std::string bytes = some_trace(), packed = gzip(bytes);
  const Result whole = read_in_blocks(bytes, RecordReader::usual_block);
  ASSERT_EQ(whole.error, "");
  ASSERT_EQ(whole.trace.nodes.size(), 40u);
  for (std::size_t block = 1; block <= 600; ++block) {
    ASSERT_EQ(read_in_blocks(bytes, block), whole) << block;
    ASSERT_EQ(read_in_blocks(packed, block), whole) << block;
    ASSERT_EQ(read_from(std::make_unique<MemorySource>(bytes), 0, block), whole) << block;  // of unknown size
  }
}

TEST(ChakraTraceBlocks, BlocksOfAnySizeGiveTheSameErrors) {
  const std::string bytes = some_trace();
  for (std::size_t length = 0; length < bytes.size(); length += 3) {
    const std::string part = bytes.substr(0, length);
    const Result whole = read_in_blocks(part, RecordReader::usual_block);
    for (const std::size_t block : {1u, 2u, 3u, 10u, 11u, 64u, 257u})
      ASSERT_EQ(read_in_blocks(part, block), whole) << length << " in blocks of " << block;
  }
}

// What a damaged file still gives comes first, wherever a block ends: wrong nodes are reported, whatever
// stands behind them.
TEST(ChakraTraceBlocks, BlocksOfAnySizeGiveTheSameErrorsOfDamagedGzip) {
  const std::string packed = gzip(some_trace() + record(number_field(3, 8)) + some_trace());
  for (std::size_t at = 2; at < packed.size(); at += 5) {
    std::string damaged = packed;
    damaged[at] ^= 0x55;
    const Result whole = read_in_blocks(damaged, RecordReader::usual_block);
    for (const std::size_t block : {1u, 2u, 7u, 64u}) ASSERT_EQ(read_in_blocks(damaged, block), whole) << at;
  }
}

// The first record is wrong at once, and the data are cut off behind it.
TEST(ChakraTraceBlocks, BlocksOfAnySizeGiveTheSameErrorsOfGzipThatIsCutOff) {
  std::string wrong;
  for (int i = 0; i < 10; ++i) wrong += std::string("\x02\x0f-", 3);
  for (const std::string& packed : {gzip(wrong), gzip(some_trace())}) {
    for (std::size_t length = 2; length < packed.size(); ++length) {
      const std::string cut = packed.substr(0, length);
      const Result whole = read_in_blocks(cut, RecordReader::usual_block);
      for (const std::size_t block : {1u, 2u, 7u, 64u})
        ASSERT_EQ(read_in_blocks(cut, block), whole) << length;
    }
  }
}

TEST(ChakraTraceBlocks, ARecordThatClaimsToBeLongerThanTheFileTakesNoMemory) {
  const std::string bytes = trace_bytes(varint(2'000'000'000) + "some bytes");
  for (const std::size_t block : {std::size_t{1}, std::size_t{7}, RecordReader::usual_block}) {
    EXPECT_EQ(
        read_in_blocks(bytes, block).error,
        "t.et: error: byte 8 (record 2): the record's length is 2000000000 bytes, but the file ends before "
        "that; it is cut off, damaged or no Chakra trace");
  }
}

// Gives `head`, then `pattern` for ever.
class EndlessSource final : public ByteSource {
 public:
  EndlessSource(std::string head, std::string pattern)
      : head_(std::move(head)), pattern_(std::move(pattern)) {}

 private:
  std::size_t read_some(char* buffer, std::size_t size) override {
    for (std::size_t i = 0; i < size; ++i, ++at_)
      buffer[i] = at_ < head_.size() ? head_[at_] : pattern_[(at_ - head_.size()) % pattern_.size()];
    return size;
  }

  std::string head_, pattern_;
  std::size_t at_ = 0;
};

TEST(ChakraTraceBlocks, OfAFileWithoutEndNoMoreIsReadThanIsUnderstood) {
  const auto error_of = [](const std::string& head, const std::string& pattern) {
    auto source = std::make_unique<EndlessSource>(head, pattern);
    const ByteSource& reads = *source;
    RecordReader records(std::move(source), 0, "t.et", 100);
    std::string error;
    try {
      read_trace(records);
    } catch (const InputError& refused) {
      error = refused.what();
    }
    EXPECT_LE(reads.bytes_read(), head.size() + 200);
    return error;
  };
  EXPECT_NE(error_of("", std::string(1, '\0')).find("byte 2 (record 2): the record is empty"),
            std::string::npos);
  EXPECT_NE(error_of(trace_bytes(""), "\xff").find("byte 8 (record 2): no length of a record stands here"),
            std::string::npos);
  EXPECT_NE(error_of(some_trace(), "\x01\x07").find("no field begins here"), std::string::npos);
}

// Nodes of an unknown field of 16 MiB, the bytes of which are whatever stands in the buffer: beyond 4 GiB
// without a file of that size, and in no time. The last node is cut off.
class LargeSource final : public ByteSource {
 public:
  static constexpr std::size_t records = 300, content = 1 << 24;

  LargeSource() {
    const std::string field = varint(20 << 3 | 2) + varint(content);
    head_ = varint(field.size() + content) + field;
    next_ = varint(0);  // metadata
  }

 private:
  std::size_t read_some(char* buffer, std::size_t size) override {
    if (next_.empty() && skip_ == 0) {
      if (written_ == records) return 0;
      next_ = head_;
      skip_ = written_ + 1 == records ? 7 : content;
      ++written_;
    }
    if (!next_.empty()) {
      buffer[0] = next_[0];
      next_.erase(0, 1);
      return 1;
    }
    const std::size_t count = std::min(size, skip_);
    skip_ -= count;
    return count;
  }

  std::string head_, next_;
  std::size_t skip_ = 0, written_ = 0;
};

TEST(ChakraTraceBlocks, CountsBytesBeyond4GiB) {
  const std::uint64_t before = 1 + (LargeSource::records - 1) * (LargeSource::content + 10ull);
  ASSERT_GT(before, std::uint64_t{std::numeric_limits<std::uint32_t>::max()});
  const Result result = read_from(std::make_unique<LargeSource>(), 0, RecordReader::usual_block);
  EXPECT_NE(result.error.find("byte " + std::to_string(before) + " (record 301): the record's length is"),
            std::string::npos)
      << result.error;
}

}  // namespace
}  // namespace orrery::core::trace_blocks_test
