#include "study/space/swept_value.hpp"

#include <algorithm>
#include <utility>

#include "base/input/node_content.hpp"
#include "base/text/token_reader.hpp"
#include "report/summary/varied_columns.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t longest_label = 60;

// Returns what a name of a file may have in place of a text: blanks are left out, "GB/s" becomes "GBps".
std::string label_of_text(std::string_view text) {
  std::string label;
  for (const char letter : text.substr(0, longest_label)) {
    if (letter == '/')
      label += label.empty() || label.back() == '-' ? "" : "p";
    else if (letter == '\\' || letter == ',' || letter == '"' || letter == ':')
      label += '-';
    else if (static_cast<unsigned char>(letter) > ' ' && letter != 0x7f)
      label += letter;
  }
  return label;
}

// Returns the last part of a path of a file, without its ending.
std::string_view stem_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return slash == std::string_view::npos ? name : name.substr(0, name.rfind('.'));
}

bool is_single(const InputNode& node) {
  return node.kind != InputNode::Kind::list && node.kind != InputNode::Kind::map;
}

std::string text_of_node(const InputNode& node, std::size_t number) {
  if (is_single(node)) return node.text;
  if (const InputNode* const name = node.find("name"); name && is_single(*name)) return name->text;
  if (node.kind == InputNode::Kind::list && std::ranges::all_of(node.items, is_single)) {
    std::string list;
    for (const InputNode& item : node.items) list += (list.empty() ? "" : ", ") + item.text;
    return "[" + list + "]";
  }
  return "value " + std::to_string(number + 1);
}

// Returns the quantity in the unit of its column, as far as the column's values are quantities.
std::optional<double> number_in_unit(const VariedColumns& column, const std::string& text) {
  std::string number;
  column.append(number, 0, text);
  return parse_real(number);
}

}  // namespace

SweptValue swept_value(InputNode node, std::size_t number) {
  SweptValue value;
  value.text = text_of_node(node, number);
  value.label = label_of_text(node.kind == InputNode::Kind::scalar && plain_quantity(node.text)
                                  ? std::string_view(value.text)
                                  : stem_of(value.text));
  value.content = content_of(node);
  value.node = std::move(node);
  return value;
}

SweptColumn set_plain_values(const std::string& path, std::vector<SweptValue>& values) {
  std::vector<std::vector<std::string>> texts;
  for (const SweptValue& value : values)
    if (!value.leaves_out()) texts.push_back({value.text});
  const VariedColumns of_texts({path}, texts);
  SweptColumn column{of_texts.titles().front(), SweptColumn::Type::text};
  const auto all = [&](const auto& parse) {
    return !texts.empty() && std::ranges::all_of(texts, [&](const std::vector<std::string>& text) {
      return parse(text.front()).has_value();
    });
  };
  if (of_texts.is_quantity(0) || all(parse_real))
    column.type = all(parse_signed) ? SweptColumn::Type::integer : SweptColumn::Type::real;
  for (SweptValue& value : values) set_plain_value(path, column, value);
  return column;
}

void set_plain_value(const std::string& path, const SweptColumn& column, SweptValue& value) {
  if (value.leaves_out()) return;
  switch (column.type) {
    case SweptColumn::Type::integer:
      if (const auto whole = parse_signed(value.text))
        value.plain = *whole;
      else
        value.plain = parse_real(value.text).value_or(0);
      return;
    case SweptColumn::Type::real:
      value.plain = column.title == path
                        ? parse_real(value.text).value_or(0)
                        : number_in_unit(VariedColumns({path}, {{value.text}}), value.text).value_or(0);
      return;
    case SweptColumn::Type::text:
      value.plain = value.text;
  }
}

std::optional<ReadNumber> plain_quantity(std::string_view text) {
  const std::string quantity(text);
  const VariedColumns column({"x"}, {{quantity}});
  if (!column.is_quantity(0)) return std::nullopt;
  return ReadNumber{number_in_unit(column, quantity).value_or(0), column.titles().front().substr(1)};
}

std::string unit_of_title(std::string_view title) {
  for (const std::string_view ending : {"_us", "_bytes", "_gb_per_second", "_flop_per_second", "_hz"})
    if (title.ends_with(ending)) return std::string(ending);
  return {};
}

}  // namespace orrery::core
