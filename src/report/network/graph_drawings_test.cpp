#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <pugixml.hpp>

#include "report/network/graph_dot.hpp"
#include "report/network/graph_svg.hpp"
#include "support/built_network.hpp"

namespace orrery::core::test::graph_drawings_test {
namespace {

const std::string two_ways =
    "nodes: [ { name: 'a<\"', kind: npu }, { name: b, kind: npu }, { name: hub, kind: switch } ]\n"
    "links:\n  - { from: ['a<\"', b], to: hub, count: 2, bandwidth: 50 GB/s, latency: 500 ns }\n"
    "  - { from: hub, to: b, one-way: true, bandwidth: 10 GB/s, latency: 1 us }\n";

TEST(GraphDot, CablesSideBySideAreOneEdge) {
  EXPECT_EQ(graph_dot(built(two_ways).graph),
            "digraph network {\n"
            "  \"a<\\\"\" [shape=box];\n"
            "  \"b\" [shape=box];\n"
            "  \"hub\" [shape=ellipse];\n"
            "  \"a<\\\"\" -> \"hub\" [label=\"2 x 50.00 GB/s\" dir=none];\n"
            "  \"b\" -> \"hub\" [label=\"2 x 50.00 GB/s\" dir=none];\n"
            "  \"hub\" -> \"b\" [label=\"10.00 GB/s\"];\n"
            "}\n");
}

TEST(GraphSvg, IsXmlWithAMarkForEachNodeAndALineForEachEdge) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(graph_svg(built(two_ways).graph).c_str()));
  const pugi::xml_node svg = document.child("svg");
  const auto circles = svg.children("circle");
  EXPECT_EQ(std::distance(circles.begin(), circles.end()), 3);
  EXPECT_STREQ(svg.child("circle").child("title").child_value(), "a<\", npu");
  const auto lines = svg.child("g").children("path");
  EXPECT_EQ(std::distance(lines.begin(), lines.end()), 3);
  EXPECT_STREQ(svg.child("g").child("path").child("title").child_value(),
               "a<\" - hub: 2 x 50.00 GB/s, 500.0 ns");
}

// A level is drawn above the one before it.
TEST(GraphSvg, SwitchesStandAboveWhatTheyJoin) {
  pugi::xml_document document;
  const std::string text = graph_svg(built("{ build: fat-tree, levels: [ { size: 2 }, { size: 2 } ], link: { "
                                           "bandwidth: 50 GB/s, latency: 1 us } }")
                                         .graph);
  ASSERT_TRUE(document.load_string(text.c_str()));
  std::map<std::string, double> height;
  for (pugi::xml_node circle = document.child("svg").child("circle"); circle;
       circle = circle.next_sibling("circle"))
    height[circle.child("title").child_value()] = circle.attribute("cy").as_double();
  EXPECT_GT(height.at("npu0, npu"), height.at("leaf0, switch"));
  EXPECT_GT(height.at("leaf0, switch"), height.at("spine0, switch"));
  EXPECT_EQ(height.at("leaf0, switch"), height.at("leaf1, switch"));
}

}  // namespace
}  // namespace orrery::core::test::graph_drawings_test
