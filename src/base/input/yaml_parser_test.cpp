#include "base/input/input_node.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::yaml_parser_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_yaml(text, "x.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(InputNode, keeps_order_and_places) {
  const InputNode root = parse_yaml("b: [1, two]\n\na:\n  c: \"3\"\n", "x.yaml");
  ASSERT_EQ(root.kind, InputNode::Kind::map);
  ASSERT_EQ(root.names.size(), 2u);
  EXPECT_EQ(root.names[0].text, "b");
  EXPECT_EQ(root.names[1].where.text(), "x.yaml:3:1");
  const InputNode* list = root.find("b");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->kind, InputNode::Kind::list);
  EXPECT_EQ(list->items[1].text, "two");
  EXPECT_EQ(list->items[1].where.text(), "x.yaml:1:8");
  EXPECT_EQ(root.find("a")->find("c")->where.text(), "x.yaml:4:6");
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(list->find("1"), nullptr);
}

TEST(InputNode, empty_values_are_null) {
  EXPECT_EQ(parse_yaml("", "x.yaml").kind, InputNode::Kind::null);
  EXPECT_EQ(parse_yaml("", "x.yaml").where.text(), "x.yaml");
  EXPECT_EQ(parse_yaml("a:\nb: ~\n", "x.yaml").items[0].kind, InputNode::Kind::null);
  EXPECT_EQ(parse_yaml("a:\nb: ~\n", "x.yaml").items[1].kind, InputNode::Kind::null);
}

TEST(InputNode, aliases_are_copies) {
  const InputNode root = parse_yaml("a: &x { k: [1, 2] }\nb: *x\nc: &y word\nd: *y\n", "x.yaml");
  EXPECT_EQ(root.find("b")->find("k")->items[1].text, "2");
  EXPECT_EQ(root.find("d")->text, "word");
}

TEST(InputNode, refuses_what_is_not_a_document) {
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "x.yaml:3:1: error: the key `a` stands twice; remove one");
  EXPECT_EQ(error_of("a: [1,\n"), "x.yaml:2:1: error: this is not YAML: end of sequence flow not found");
  EXPECT_NE(error_of("? [a]\n: 1\n").find("a key has to be a word"), std::string::npos);
  EXPECT_NE(error_of("a: 1\n---\nb: 2\n").find("x.yaml:3:1: error: a second document"), std::string::npos);
  EXPECT_NE(error_of("a: *missing\n").find("x.yaml:1:4: error: this is not YAML"), std::string::npos);
  EXPECT_NE(error_of("a: &x [*x]\n").find("inside the value it stands for"), std::string::npos);
}

TEST(InputNode, limits_depth) {
  const auto nested = [](int levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(error_of(nested(64)), "no error");
  EXPECT_NE(error_of(nested(65)).find("deeper than 64 levels"), std::string::npos);
  EXPECT_NE(error_of(nested(100'000)).find("error"), std::string::npos);
  // Forty levels, and forty more through the alias.
  const std::string alias =
      "a: &x " + nested(40) + "\nb: " + std::string(40, '[') + "*x" + std::string(40, ']');
  EXPECT_NE(error_of(alias).find("deeper than 64 levels"), std::string::npos);
}

TEST(InputNode, limits_what_aliases_multiply) {
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) bomb += ", " + before;
    bomb += "]\n";
  }
  EXPECT_NE(error_of(bomb).find("aliases stand for more than 200000 values"), std::string::npos);
}

// Lists of a hundred thousand runs are long, but no trick.
TEST(InputNode, does_not_limit_what_is_written_Slow) {
  std::string list = "network: &net { size: 2 }\nruns:\n";
  for (int i = 0; i < 120'000; ++i) list += "- { name: r" + std::to_string(i) + ", network: *net }\n";
  EXPECT_EQ(error_of(list), "no error");
}

}  // namespace
}  // namespace orrery::core::yaml_parser_test
