#include "report/network/link_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orrery::core::link_report_test {
namespace {

const Topology topology = [] {
  Topology made;
  made.dimensions.resize(2);
  made.dimensions[0].name = "x";
  made.dimensions[1].name = "y, outer";
  return made;
}();

const std::vector<LinkUse> links{{"npu0", "npu1", 0, 16, {Bytes(3000), 2}, Time::from_ns(3000)},
                                 {"npu4", "switch8", 1, 1, {Bytes(20), 1}, Time::from_ps(10'500)},
                                 {"npu0", "switch8", 1, 7, {Bytes(), 0}, Time()}};

TEST(LinkReport, HasALinePerSetOfLinks) {
  EXPECT_EQ(csv_text(links_rows(links, topology, Time::from_ns(2000))),
            "from,to,dimension,links,busy_ns,utilization,bytes,messages\n"
            "npu0,npu1,x,16,3000,1.500000,3000,2\n"
            "npu4,switch8,\"y, outer\",1,10.5,0.005250,20,1\n"
            "npu0,switch8,\"y, outer\",7,0,0.000000,0,0\n");
}

TEST(LinkReport, OfARunWithoutTimeNothingIsUsed) {
  EXPECT_NE(csv_text(links_rows(links, topology, Time())).find("npu0,npu1,x,16,3000,0.000000,"),
            std::string::npos);
}

TEST(LinkReport, NamesTheBusiestOfEachDimension) {
  EXPECT_EQ(json_of<nlohmann::json>(link_table, busiest_links(links, topology, Time::from_ns(2000))),
            nlohmann::json::parse(R"([
    {"from": "npu0", "to": "npu1", "dimension": "x", "links": 16, "utilization": 1.5},
    {"from": "npu4", "to": "switch8", "dimension": "y, outer", "links": 1, "utilization": 0.00525}])"));
  EXPECT_TRUE(busiest_links({links[2]}, topology, Time::from_ns(2000)).empty());
}

}  // namespace
}  // namespace orrery::core::link_report_test
