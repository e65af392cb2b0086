// Holds which operations the backends of torch.distributed have, by where the buffers are. Facts are the
// files of share/orrery/backends, from PyTorch's documentation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

using LibraryOperation = std::optional<CollectiveKind>;  // empty: a send with its receive
inline constexpr auto library_operation_words = [] {
  std::array<EnumName<LibraryOperation>, collective_kinds + 1> words{};
  for (std::size_t k = 0; k < collective_kinds; ++k)
    words[k] = {collective_kind_words[k].word, collective_kind_words[k].value};
  words.back() = {"send", std::nullopt};
  return words;
}();

// The memory in which the members of a group have their buffers.
enum class Buffers : std::uint8_t { cpu, gpu };
inline constexpr std::array<EnumName<Buffers>, 2> buffers_words{{
    {"cpu", Buffers::cpu},
    {"gpu", Buffers::gpu},
}};

// Who calls a library. PyTorch has not all that a library has: it knows no reduce-scatter of MPI.
enum class Caller : std::uint8_t { torch, program };
inline constexpr std::array<EnumName<Caller>, 2> caller_words{{
    {"torch", Caller::torch},
    {"program", Caller::program},  // one of its own, such as a benchmark, which has all of the library
}};

struct Backend {
  std::string word;  // what users call it: "gloo"
  std::string name;  // for people to read
  std::string source;
  std::array<std::vector<LibraryOperation>, buffers_words.size()> operations;  // by Buffers
  std::string gpu_needs;  // what buffers on GPUs need besides; empty: nothing

  bool has(LibraryOperation operation, Buffers buffers) const;
};

// Returns the backends that come with the program, in alphabetical order.
std::vector<Backend> backends();
// Throws InputError at `where` if there is none of that word.
Backend find_backend(const std::string& word, const SourceLocation& where);
// Throws InputError at `where`, with the backends that have it, if the backend lacks an operation.
void require_operation(const Backend& backend, LibraryOperation operation, Buffers buffers,
                       const SourceLocation& where);

// `file` names the text in errors. Throws InputError.
Backend read_backend_file(std::string_view text, const std::string& file);

}  // namespace orrery::core
