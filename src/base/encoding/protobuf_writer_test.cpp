#include "base/encoding/protobuf_writer.hpp"

#include <gtest/gtest.h>

namespace orrery::core::protobuf {
namespace {

TEST(ProtobufWriter, FieldsAreEncodedAsTheFormatSays) {
  std::string out;
  put_number(out, 1, 150);
  EXPECT_EQ(out, "\x08\x96\x01");
  out.clear();
  put_bytes(out, 2, "ab");
  EXPECT_EQ(out,
            "\x12\x02"
            "ab");
  out.clear();
  put_fixed64(out, 47, 0x0102030405060708u);
  EXPECT_EQ(out, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
  out.clear();
  put_double(out, 5, 1.0);
  EXPECT_EQ(out, std::string("\x29\0\0\0\0\0\0\xf0\x3f", 9));
}

TEST(ProtobufWriter, NegativeNumbersTakeTenBytes) {
  std::string out;
  put_varint(out, static_cast<std::uint64_t>(std::int64_t{-1}));
  EXPECT_EQ(out, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

}  // namespace
}  // namespace orrery::core::protobuf
