#include "base/encoding/sha256.hpp"

#include <gtest/gtest.h>

namespace orrery::core::sha256_test {
namespace {

// The examples of FIPS 180-4, and a text of several blocks.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += static_cast<char>(i * 7 % 251);
  for (const std::size_t piece : {1, 7, 63, 64, 65, 200, 999}) {
    Sha256 hash;
    for (std::size_t at = 0; at < content.size(); at += piece)
      hash.add(std::string_view(content).substr(at, piece));
    EXPECT_EQ(hash.digits(), sha256(content)) << piece;
  }
}

}  // namespace
}  // namespace orrery::core::sha256_test
