#include "documents.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace nb = nanobind;

namespace orrery::python {

namespace {

// Maps whose keys are names that the user has chosen.
constexpr std::array<std::string_view, 4> named{"networks", "systems", "workloads", "platforms"};

std::string key_of(std::string word) {
  if (word.ends_with('_')) word.pop_back();
  std::ranges::replace(word, '_', '-');
  return word;
}

Document value_of(nb::handle value, bool keys_are_names);

Document map_of(nb::handle map, bool keys_are_names) {
  Document document(std::initializer_list<std::pair<std::string_view, Document>>{});
  for (const nb::handle item : map.attr("items")()) {
    const nb::object key = item[0];
    if (!nb::isinstance<nb::str>(key)) throw nb::type_error("the keys of an experiment are texts");
    const std::string name = keys_are_names ? nb::cast<std::string>(key) : key_of(nb::cast<std::string>(key));
    const bool names_below = std::ranges::find(named, name) != named.end();
    document[name] = value_of(nb::object(item[1]), names_below);
  }
  return document;
}

Document list_of(nb::handle values) {
  Document::List elements;
  for (const nb::handle value : values) elements.push_back(value_of(value, false));
  return elements;
}

// Numbers of other libraries, such as NumPy's, say what they are by Python's protocols.
Document number_of(nb::handle value) {
  if (PyIndex_Check(value.ptr()))
    return nb::cast<std::int64_t>(nb::steal<nb::object>(PyNumber_Index(value.ptr())));
  if (PyNumber_Check(value.ptr()))
    return nb::cast<double>(nb::steal<nb::object>(PyNumber_Float(value.ptr())));
  const std::string type = nb::cast<std::string>(value.type().attr("__name__"));
  throw nb::type_error(
      ("an experiment holds dicts, lists, texts, numbers and booleans, not " + type).c_str());
}

Document value_of(nb::handle value, bool keys_are_names) {
  if (value.is_none()) return {};
  if (nb::isinstance<Document>(value)) return nb::cast<const Document&>(value);
  if (PyBool_Check(value.ptr())) return nb::cast<bool>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::hasattr(value, "__orrery__")) return value_of(value.attr("__orrery__")(), keys_are_names);
  if (nb::hasattr(value, "items")) return map_of(value, keys_are_names);
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) return list_of(value);
  return number_of(value);
}

}  // namespace

Document document_of(nb::handle value) {
  return value_of(value, false);
}

Document document_of_names(nb::handle value) {
  return value_of(value, true);
}

nb::object object_of(const Document& document) {
  switch (document.kind()) {
    case Document::Kind::boolean:
      return nb::bool_(document.boolean());
    case Document::Kind::integer:
      return nb::int_(document.integer());
    case Document::Kind::real:
      return nb::float_(document.real());
    case Document::Kind::text:
      return nb::str(document.text().c_str(), document.text().size());
    case Document::Kind::list: {
      nb::list list;
      for (const Document& element : document.list()) list.append(object_of(element));
      return list;
    }
    case Document::Kind::map: {
      nb::dict dict;
      for (const auto& [key, value] : document.map()) dict[key.c_str()] = object_of(value);
      return dict;
    }
    case Document::Kind::null:
      break;
  }
  return nb::none();
}

}  // namespace orrery::python
