#include "orrery/document.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "api/document_nodes.hpp"
#include "api/problems.hpp"

namespace orrery {

Document::Document() = default;
Document::Document(const Document& other) = default;
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(const Document& other) = default;
Document& Document::operator=(Document&& other) noexcept = default;
Document::~Document() = default;

Document::Document(const char* text) : value_(std::string(text)) {}
Document::Document(std::string_view text) : value_(std::string(text)) {}
Document::Document(const std::string& text) : value_(text) {}
Document::Document(List elements) : value_(std::move(elements)) {}
Document::Document(std::initializer_list<std::pair<std::string_view, Document>> entries) {
  value_ = Map();
  for (const auto& [key, value] : entries) (*this)[key] = value;
}

Result<Document> Document::parse(std::string_view text, const std::string& file) {
  try {
    return core::document_of(core::parse_yaml(text, file));
  } catch (...) {
    return core::problem_of_exception();
  }
}

std::size_t Document::size() const {
  if (const auto* const elements = std::get_if<List>(&value_)) return elements->size();
  if (const auto* const entries = std::get_if<Map>(&value_)) return entries->size();
  return 0;
}

Document& Document::operator[](std::string_view key) {
  if (kind() == Kind::null) value_ = Map();
  auto* const entries = std::get_if<Map>(&value_);
  if (!entries) throw std::logic_error("a document that is no map has no key " + std::string(key));
  const auto found = std::ranges::find(*entries, key, &Map::value_type::first);
  return found != entries->end() ? found->second : entries->emplace_back(std::string(key), Document()).second;
}

const Document* Document::find(std::string_view key) const {
  const auto* const entries = std::get_if<Map>(&value_);
  if (!entries) return nullptr;
  const auto found = std::ranges::find(*entries, key, &Map::value_type::first);
  return found != entries->end() ? &found->second : nullptr;
}

bool Document::erase(std::string_view key) {
  auto* const entries = std::get_if<Map>(&value_);
  return entries && std::erase_if(*entries, [&](const auto& entry) { return entry.first == key; }) > 0;
}

Document& Document::operator[](std::size_t element) {
  auto* const elements = std::get_if<List>(&value_);
  if (!elements) throw std::out_of_range("a document that is no list has no elements");
  return elements->at(element);
}

const Document& Document::operator[](std::size_t element) const {
  const auto* const elements = std::get_if<List>(&value_);
  if (!elements) throw std::out_of_range("a document that is no list has no elements");
  return elements->at(element);
}

void Document::push_back(Document element) {
  if (kind() == Kind::null) value_ = List();
  auto* const elements = std::get_if<List>(&value_);
  if (!elements) throw std::logic_error("a document that is no list takes no elements");
  elements->push_back(std::move(element));
}

bool Document::operator==(const Document& other) const {
  return value_ == other.value_;
}

namespace core {

namespace {

InputNode single(std::string text, const std::string& path) {
  InputNode node;
  node.kind = InputNode::Kind::scalar;
  node.text = std::move(text);
  node.where = {path};
  return node;
}

InputNode list_node(const Document::List& elements, const std::string& path) {
  InputNode node;
  node.kind = InputNode::Kind::list;
  node.where = {path};
  for (std::size_t i = 0; i < elements.size(); ++i)
    node.items.push_back(node_of(elements[i], fmt::format("{}[{}]", path, i)));
  return node;
}

InputNode map_node(const Document::Map& entries, const std::string& path) {
  InputNode node;
  node.kind = InputNode::Kind::map;
  node.where = {path};
  for (const auto& [key, value] : entries) {
    const std::string below = path + "." + key;
    node.names.push_back({key, {below}});
    node.items.push_back(node_of(value, below));
  }
  return node;
}

}  // namespace

InputNode node_of(const Document& document, const std::string& path) {
  switch (document.kind()) {
    case Document::Kind::boolean:
      return single(document.boolean() ? "true" : "false", path);
    case Document::Kind::integer:
      return single(std::to_string(document.integer()), path);
    case Document::Kind::real:
      return single(fmt::format("{}", document.real()), path);
    case Document::Kind::text:
      return single(document.text(), path);
    case Document::Kind::list:
      return list_node(document.list(), path);
    case Document::Kind::map:
      return map_node(document.map(), path);
    case Document::Kind::null:
      break;
  }
  InputNode nothing;
  nothing.where = {path};
  return nothing;
}

Document document_of(const InputNode& node) {
  if (node.kind == InputNode::Kind::null) return {};
  if (node.kind == InputNode::Kind::list) {
    Document::List elements;
    for (const InputNode& item : node.items) elements.push_back(document_of(item));
    return elements;
  }
  if (node.kind != InputNode::Kind::map) return node.text;
  Document map(std::initializer_list<std::pair<std::string_view, Document>>{});
  for (std::size_t i = 0; i < node.items.size(); ++i) map[node.names[i].text] = document_of(node.items[i]);
  return map;
}

}  // namespace core
}  // namespace orrery
