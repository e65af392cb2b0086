// Networks from the text of a network file.
#pragma once

#include <string>
#include <string_view>

#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core::test {

inline BuiltNetwork built(std::string_view text) {
  Warnings warnings;
  return read_graph_file(text, "net.yaml", warnings);
}

// Returns the message of the error that the text is refused with; empty if it is not.
inline std::string refusal_of(std::string_view text) {
  try {
    built(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Returns a text with another one for the first `from` in it.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace orrery::core::test
