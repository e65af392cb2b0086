// An XML file whose elements know their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

using XmlElement = pugi::xml_node;

class XmlFile {
 public:
  // Throws InputError where the text is no XML.
  XmlFile(std::string_view text, std::string file);

  // Returns the only element at the top. Throws InputError when it has another name or is not alone;
  // `expected` says in the message what should stand there.
  XmlElement root(const char* name, std::string_view expected) const;
  SourceLocation where(XmlElement element) const;

  // Returns an attribute that has to be there.
  std::string_view text(XmlElement element, const char* name) const;
  // Returns an attribute that has to be there, as a whole number of that range.
  std::int64_t whole(XmlElement element, const char* name, std::int64_t least, std::int64_t largest) const;
  // The same for an attribute that may be missing.
  std::int64_t whole_or(XmlElement element, const char* name, std::int64_t otherwise, std::int64_t least,
                        std::int64_t largest) const {
    return element.attribute(name) ? whole(element, name, least, largest) : otherwise;
  }

 private:
  SourceLocation place(std::ptrdiff_t offset) const;

  std::string file_;
  std::vector<std::ptrdiff_t> lines_;  // where each line begins
  pugi::xml_document document_;
};

}  // namespace orrery::core
