#include "program/collective_request.hpp"

namespace orrery::core {

std::string_view name_of(CollectiveKind kind) {
  return word_of(collective_kind_words, kind);
}

}  // namespace orrery::core
