// Tells apart the forms in which traces and profiles are written as JSON. None of them runs as it is: each
// has to be converted, and says how.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::chakra {

struct JsonTraceKind {
  std::string_view name;  // as in "this is a PyTorch execution trace"
  std::string_view what_to_do;
  bool (*is_it)(std::string_view text);
};
// This much of a file tells which kind it is.
inline constexpr std::size_t json_beginning = 1 << 14;

// Returns the kind of which a file is that begins so; null: of none.
const JsonTraceKind* json_trace_kind(std::string_view beginning);
// Returns "this is ...; what to do", or an empty text.
std::string json_trace_text(std::string_view beginning);

}  // namespace orrery::chakra
