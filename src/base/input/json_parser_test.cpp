#include <gtest/gtest.h>

#include "base/input/node_reader.hpp"

namespace orrery::core::json_parser_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_json(text, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

template <class Access>
std::string error_of_access(const std::string& text, Access access) {
  const InputNode value = parse_json(text, "f");
  try {
    access(value);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonParser, KeepsValuesInOrder) {
  const InputNode root = parse_json(R"({"b": [1, -2.5, true, null, "x"], "a": {}})", "f");
  ASSERT_EQ(root.names.size(), 2u);
  EXPECT_EQ(root.names[0].text, "b");
  EXPECT_EQ(root.items[1].kind, InputNode::Kind::map);
  EXPECT_TRUE(root.items[1].items.empty());
  const auto& array = items_of(*root.find("b"), "b");
  ASSERT_EQ(array.size(), 5u);
  EXPECT_EQ(int_of(array[0], "b", 0, 9), 1);
  EXPECT_EQ(number_of(array[1], "b"), -2.5);
  EXPECT_TRUE(bool_of(array[2], "b"));
  EXPECT_EQ(array[3].kind, InputNode::Kind::null);
  EXPECT_EQ(scalar_of(array[4], "b"), "x");
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(array[0].find("c"), nullptr);
}

TEST(JsonParser, KnowsWhereEverythingStands) {
  const InputNode root =
      parse_json("\r\n{ \"a\\\"]\\\\\" :[12 ,\n  \"\\u00e9,:\",true,\n{\"k\":-1e2}],\"z\":0}", "f");
  EXPECT_EQ(root.where.text(), "f:2:1");
  EXPECT_EQ(root.names[0].where.text(), "f:2:3");
  EXPECT_EQ(root.items[0].where.text(), "f:2:13");
  const auto& array = root.items[0].items;
  EXPECT_EQ(array[0].where.text(), "f:2:14");
  EXPECT_EQ(array[1].where.text(), "f:3:3");
  EXPECT_EQ(array[2].where.text(), "f:3:14");
  EXPECT_EQ(array[3].where.text(), "f:4:1");
  EXPECT_EQ(array[3].find("k")->where.text(), "f:4:6");
  EXPECT_EQ(root.names[1].where.text(), "f:4:13");
  EXPECT_EQ(root.items[1].where.text(), "f:4:17");
}

TEST(JsonParser, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF 7", "f").text, "7");
  EXPECT_EQ(parse_json("\xEF\xBB\xBF[7]", "f").where.column, 4);
}

TEST(JsonParser, PointsAtSyntaxErrors) {
  EXPECT_EQ(error_of("{\"a\": 1,\n \"b\" 2}").rfind("f:2:6: error: no valid JSON: syntax error", 0), 0u)
      << error_of("{\"a\": 1,\n \"b\" 2}");
  EXPECT_EQ(error_of("[1,,2]").rfind("f:1:4: error: no valid JSON", 0), 0u) << error_of("[1,,2]");
  EXPECT_EQ(error_of("[1,\n").rfind("f:2:1: error: no valid JSON", 0), 0u) << error_of("[1,\n");
  EXPECT_EQ(error_of("").rfind("f:1:1: error: no valid JSON", 0), 0u) << error_of("");
  for (const char* text :
       {"{} x", "[1,]", "{'a': 1}", "// x\n1", "[01]", "[NaN]", "\"\t\"", "\"\xff\"", "[1e999]", "\xEF"})
    EXPECT_NE(error_of(text).find(": error: no valid JSON"), std::string::npos) << text << error_of(text);
  EXPECT_EQ(error_of(std::string("{}\0[", 4)),
            "f:1:3: error: no valid JSON: a zero byte; correct the file there");
}

TEST(JsonParser, RefusesAKeyGivenTwice) {
  EXPECT_EQ(error_of("{\"a\":1,\"b\":2,\n\"a\":3}"), "f:2:1: error: the key `a` stands twice; remove one");
  EXPECT_EQ(error_of("[{\"a\":1},{\"a\":{\"a\":1}}]"), "no error");
}

TEST(JsonParser, RefusesDeepNesting) {
  EXPECT_EQ(error_of(std::string(200, '[') + std::string(200, ']')), "no error");
  EXPECT_EQ(error_of(std::string(1'000'000, '[')).rfind("f:1:201: error: nested deeper", 0), 0u);
}

TEST(JsonParser, ReadersPointAtValuesOfAnotherKind) {
  const auto links = [](const InputNode& v) { int_of(v, "links", 0, 9); };
  EXPECT_EQ(error_of_access("[\n 1.5]", [&](const InputNode& v) { links(items_of(v, "a")[0]); }),
            "f:2:2: error: `links` has to be a whole number from 0 to 9, not `1.5`");
  EXPECT_EQ(error_of_access("3000000000", links),
            "f:1:1: error: `links` has to be a whole number from 0 to 9, not `3000000000`");
  EXPECT_EQ(error_of_access("\"1\"", links),
            "f:1:1: error: `links` has to be a whole number from 0 to 9, not the text `1`");
  EXPECT_EQ(error_of_access("{}", [](const InputNode& v) { items_of(v, "links"); }),
            "f:1:1: error: `links` has to be a list, not a map");
  EXPECT_EQ(error_of_access("[]", [](const InputNode& v) { require_map(v, "x"); }),
            "f:1:1: error: x has to be a map of keys and values, not an empty list");
  EXPECT_EQ(error_of_access("1", [](const InputNode& v) { scalar_of(v, "x"); }),
            "f:1:1: error: `x` has to be a text in double quotes, not `1`");
  EXPECT_EQ(error_of_access("\"1\"", [](const InputNode& v) { number_of(v, "x"); }),
            "f:1:1: error: `x` has to be a number, not the text `1`");
  EXPECT_EQ(error_of_access("0", [](const InputNode& v) { bool_of(v, "x"); }),
            "f:1:1: error: `x` has to be true or false, not `0`");
  EXPECT_EQ(error_of_access("\"true\"", [](const InputNode& v) { bool_of(v, "x"); }),
            "f:1:1: error: `x` has to be true or false, not the text `true`");
  EXPECT_EQ(int_of(parse_json("4.0", "f"), "x", 0, 9), 4);
  EXPECT_EQ(number_of(parse_json("18446744073709551615", "f"), "x"), 18446744073709551615.0);
  EXPECT_EQ(number_of(parse_json("0.1", "f"), "x"), 0.1);
  EXPECT_EQ(number_of(parse_json("1e-400", "f"), "x"), 0);
}

}  // namespace
}  // namespace orrery::core::json_parser_test
