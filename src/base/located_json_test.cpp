#include "base/located_json.hpp"

#include <gtest/gtest.h>

namespace orrery {
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
  const JsonValue value = parse_json(text, "f");
  try {
    access(value);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LocatedJson, KeepsValuesInOrder) {
  const JsonValue root = parse_json(R"({"b": [1, -2.5, true, null, "x"], "a": {}})", "f");
  const JsonObject& members = root.as_object("root");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0].key, "b");
  EXPECT_TRUE(members[1].value.as_object("a").empty());
  const JsonArray& array = root.find("b")->as_array("b");
  ASSERT_EQ(array.size(), 5u);
  EXPECT_EQ(array[0].as_int("b"), 1);
  EXPECT_EQ(array[1].as_real("b"), -2.5);
  EXPECT_TRUE(array[2].as_bool("b"));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(array[3].content()));
  EXPECT_EQ(array[4].as_string("b"), "x");
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(array[0].find("c"), nullptr);
}

TEST(LocatedJson, KnowsWhereEverythingStands) {
  const JsonValue root =
      parse_json("\r\n{ \"a\\\"]\\\\\" :[12 ,\n  \"\\u00e9,:\",true,\n{\"k\":-1e2}],\"z\":0}", "f");
  const JsonObject& members = root.as_object("root");
  EXPECT_EQ(root.where().text(), "f:2:1");
  EXPECT_EQ(members[0].where.text(), "f:2:3");
  const JsonArray& array = members[0].value.as_array("a");
  EXPECT_EQ(members[0].value.where().text(), "f:2:13");
  EXPECT_EQ(array[0].where().text(), "f:2:14");
  EXPECT_EQ(array[1].where().text(), "f:3:3");
  EXPECT_EQ(array[2].where().text(), "f:3:14");
  EXPECT_EQ(array[3].where().text(), "f:4:1");
  EXPECT_EQ(array[3].find("k")->where().text(), "f:4:6");
  EXPECT_EQ(members[1].where.text(), "f:4:13");
  EXPECT_EQ(members[1].value.where().text(), "f:4:17");
}

TEST(LocatedJson, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF 7", "f").as_int("root"), 7);
  EXPECT_EQ(parse_json("\xEF\xBB\xBF[7]", "f").where().column, 4);
}

TEST(LocatedJson, PointsAtSyntaxErrors) {
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

TEST(LocatedJson, RefusesAKeyGivenTwice) {
  EXPECT_EQ(error_of("{\"a\":1,\"b\":2,\n\"a\":3}"),
            "f:2:1: error: `a` is given twice, remove one of the two");
  EXPECT_EQ(error_of("[{\"a\":1},{\"a\":{\"a\":1}}]"), "no error");
}

TEST(LocatedJson, RefusesDeepNesting) {
  EXPECT_EQ(error_of(std::string(200, '[') + std::string(200, ']')), "no error");
  EXPECT_EQ(error_of(std::string(1'000'000, '[')).rfind("f:1:201: error: nested deeper", 0), 0u);
}

TEST(LocatedJson, AccessorsPointAtValuesOfAnotherKind) {
  EXPECT_EQ(error_of_access("[\n 1.5]", [](const JsonValue& v) { v.as_array("a")[0].as_int("links"); }),
            "f:2:2: error: `links` has to be a whole number below 2^31");
  EXPECT_EQ(error_of_access("3000000000", [](const JsonValue& v) { v.as_int("links"); }),
            "f:1:1: error: `links` has to be a whole number below 2^31");
  EXPECT_EQ(error_of_access("{}", [](const JsonValue& v) { v.as_array("links"); }),
            "f:1:1: error: `links` has to be an array: [...]");
  EXPECT_EQ(error_of_access("[]", [](const JsonValue& v) { v.as_object("x"); }),
            "f:1:1: error: `x` has to be an object: {...}");
  EXPECT_EQ(error_of_access("1", [](const JsonValue& v) { v.as_string("x"); }),
            "f:1:1: error: `x` has to be a text in double quotes");
  EXPECT_EQ(error_of_access("\"1\"", [](const JsonValue& v) { v.as_real("x"); }),
            "f:1:1: error: `x` has to be a number");
  EXPECT_EQ(error_of_access("0", [](const JsonValue& v) { v.as_bool("x"); }),
            "f:1:1: error: `x` has to be true or false");
  EXPECT_EQ(parse_json("4.0", "f").as_int("x"), 4);
  EXPECT_EQ(parse_json("18446744073709551615", "f").as_real("x"), 18446744073709551615.0);
}

}  // namespace
}  // namespace orrery
