#include "orrery/document.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace orrery::core::test::api_document_test {
namespace {

using orrery::Document;

TEST(ApiDocument, HasMapsListsAndSingleValues) {
  Document document;
  EXPECT_EQ(document.kind(), Document::Kind::null);
  document["name"] = "step";
  document["passes"] = 2;
  document["scale"] = 0.5;
  document["fold"] = true;
  document["parallelism"] = {{"tensor", 8}, {"data", 4}};
  document["network"] = Document::List{{{"size", 4}}, {{"size", 8}}};
  document["network"].push_back({{"size", 16}});
  EXPECT_EQ(document.kind(), Document::Kind::map);
  EXPECT_EQ(document.size(), 6u);
  EXPECT_EQ(document["name"].text(), "step");
  EXPECT_EQ(document["passes"].integer(), 2);
  EXPECT_EQ(document["scale"].real(), 0.5);
  EXPECT_TRUE(document["fold"].boolean());
  EXPECT_EQ(document["parallelism"]["data"].integer(), 4);
  EXPECT_EQ(document["network"].size(), 3u);
  EXPECT_EQ(document["network"][2]["size"].integer(), 16);
}

TEST(ApiDocument, GivesItsElementsAndKeysInTheirOrder) {
  const Document document = {{"second", Document::List{1, "two"}}, {"first", 0.5}};
  ASSERT_EQ(document.map().size(), 2u);
  EXPECT_EQ(document.map()[0].first, "second");
  EXPECT_EQ(document.map()[1].second.real(), 0.5);
  const Document::List& list = document.map()[0].second.list();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].text(), "two");
  EXPECT_THROW((void)document.list(), std::bad_variant_access);
}

TEST(ApiDocument, TakesEveryKindOfText) {
  const Document expected = "text";
  EXPECT_EQ(Document(std::string("text")), expected);
  EXPECT_EQ(Document(std::string_view("texts").substr(0, 4)), expected);
}

TEST(ApiDocument, IsAValue) {
  Document document;
  document["a"]["b"] = 1;
  Document copy = document;
  EXPECT_EQ(copy, document);
  copy["a"]["b"] = 2;
  EXPECT_NE(copy, document);
  EXPECT_EQ(document["a"]["b"].integer(), 1);
  EXPECT_TRUE(copy.erase("a"));
  EXPECT_FALSE(copy.erase("a"));
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_EQ(document.find("c"), nullptr);
  ASSERT_NE(document.find("a"), nullptr);
}

TEST(ApiDocument, RefusesWhatItIsNot) {
  Document text = "text";
  EXPECT_THROW(text["key"], std::logic_error);
  EXPECT_THROW(text.push_back(1), std::logic_error);
  EXPECT_THROW(text[0], std::out_of_range);
  EXPECT_THROW(text.integer(), std::bad_variant_access);
  Document list = Document::List{1};
  EXPECT_THROW(list[1], std::out_of_range);
}

TEST(ApiDocument, IsReadFromYaml) {
  const Document read =
      Document::parse("name: step\nnetwork:\n  - { size: 0x10, bandwidth: 50 GB/s }\nnothing:\n").value();
  EXPECT_EQ(read.find("name")->text(), "step");
  // Single values stay as they are written, so that nothing is lost between reading and writing.
  EXPECT_EQ((*read.find("network"))[0].find("size")->text(), "0x10");
  EXPECT_EQ(read.find("nothing")->kind(), Document::Kind::null);

  const auto bad = Document::parse("a: [1,", "mine.yaml");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.problems().front().place.substr(0, 9), "mine.yaml");
  EXPECT_THROW((void)bad.value(), orrery::Error);
}

}  // namespace
}  // namespace orrery::core::test::api_document_test
