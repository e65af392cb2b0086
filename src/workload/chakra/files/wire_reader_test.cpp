#include "workload/chakra/files/wire_reader.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/chakra_bytes.hpp"

namespace orrery::core::wire_reader_test {
namespace {

using namespace test;
using namespace chakra;

std::string error_of(const std::string& message) {
  try {
    for (WireReader reader(message); reader.next();) reader.skip();
  } catch (const WireError& error) {
    return error.what.substr(0, error.what.find(';')) + " at " + std::to_string(error.at - message.data());
  }
  return "";
}

TEST(ChakraWireReader, ReadsNumbersOfAnyLength) {
  for (int bits = 0; bits <= 64; ++bits) {
    const std::uint64_t value = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const std::string bytes = varint(value) + "the rest of it";
    const char* at = bytes.data();
    std::uint64_t read = 1;
    ASSERT_TRUE(read_varint(at, bytes.data() + bytes.size(), read)) << bits;
    EXPECT_EQ(read, value);
    EXPECT_EQ(std::string(at), "the rest of it");
    const std::string whole = varint(value);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      at = whole.data();
      EXPECT_FALSE(read_varint(at, whole.data() + length, read)) << bits << " bits in " << length << " bytes";
    }
  }
  // Ten bytes are the most, and bits beyond 64 are dropped.
  const std::string ten = std::string(9, '\xff') + "\x7f", eleven = std::string(10, '\xff') + "\x01";
  const char* at = ten.data();
  std::uint64_t read = 0;
  EXPECT_TRUE(read_varint(at, ten.data() + ten.size(), read));
  EXPECT_EQ(read, ~0ull);
  at = eleven.data();
  EXPECT_FALSE(read_varint(at, eleven.data() + eleven.size(), read));
}

TEST(ChakraWireReader, SkipsEveryKindOfField) {
  const std::string scalars =
      number_field(1, ~0ull) + fixed32_field(2, 1) + fixed64_field(3, 1) + bytes_field(4, "text");
  const auto group = [](std::uint32_t field, const std::string& content) {
    return varint(field << 3 | 3) + content + varint(field << 3 | 4);
  };
  EXPECT_EQ(error_of(scalars + group(5, scalars + group(5, "") + group(6, scalars)) + scalars), "");
  std::string deep;
  for (std::uint32_t depth = 0; depth < 100; ++depth) deep = group(1 + depth, deep);
  EXPECT_EQ(error_of(deep), "");
  EXPECT_EQ(error_of(group(101, deep)), "field 101 is cut off or malformed at 0");
}

TEST(ChakraWireReader, SaysWhatIsMalformedAndWhere) {
  const std::string good = number_field(1, 1);
  EXPECT_EQ(error_of(good + std::string(1, '\0')), "no field begins here at 2");
  EXPECT_EQ(error_of(good + "\xff"), "no field begins here at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3)), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 1) + "1234567"), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 2) + varint(4) + "123"), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 2) + varint(~0ull) + "123"),
            "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 3) + good), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 3) + varint(3 << 3 | 4)), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 4)), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 5) + "123"), "field 2 is cut off or malformed at 2");
  EXPECT_EQ(error_of(good + varint(2 << 3 | 6)), "field 2 is cut off or malformed at 2");
}

}  // namespace
}  // namespace orrery::core::wire_reader_test
