#include "base/input/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

XmlFile::XmlFile(std::string_view text, std::string file) : file_(std::move(file)), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(static_cast<std::ptrdiff_t>(i) + 1);
  const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
  if (!result) throw InputError(place(result.offset), fmt::format("no valid XML: {}", result.description()));
}

XmlElement XmlFile::root(const char* name, std::string_view expected) const {
  const XmlElement root = document_.child(name);
  if (!root || root.next_sibling() || root.previous_sibling())
    throw InputError({file_}, fmt::format("{} is one element `{}`: correct the file", expected, name));
  return root;
}

SourceLocation XmlFile::where(XmlElement element) const {
  return place(element.offset_debug());
}

SourceLocation XmlFile::place(std::ptrdiff_t offset) const {
  const auto after = std::ranges::upper_bound(lines_, std::max<std::ptrdiff_t>(offset, 0));
  return {file_, static_cast<int>(after - lines_.begin()),
          static_cast<int>(std::max<std::ptrdiff_t>(offset, 0) - *(after - 1)) + 1};
}

std::string_view XmlFile::text(XmlElement element, const char* name) const {
  const pugi::xml_attribute attribute = element.attribute(name);
  if (!attribute)
    throw InputError(where(element), fmt::format("`{}` needs the attribute `{}`", element.name(), name));
  return attribute.value();
}

std::int64_t XmlFile::whole(XmlElement element, const char* name, std::int64_t least,
                            std::int64_t largest) const {
  const std::string_view written = text(element, name);
  const auto value = parse_signed(written);
  if (value && *value >= least && *value <= largest) return *value;
  throw InputError(where(element), fmt::format("`{}` has to be a whole number from {} to {}, not {}", name,
                                               least, largest, backquoted(written)));
}

}  // namespace orrery::core
