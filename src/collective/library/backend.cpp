#include "collective/library/backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/nearest_names.hpp"
#include "base/files/embedded_file.hpp"
#include "base/input/keys.hpp"

namespace orrery::core {
namespace {

template <Buffers buffers>
void read_operations(const InputNode& node, const KeyFacts& key, Backend& backend) {
  std::vector<LibraryOperation>& found = backend.operations[static_cast<std::size_t>(buffers)];
  for (const InputNode& item : list_of(node, key.name))
    found.push_back(word_value_of(item, key.name, library_operation_words));
}

constexpr Key<Backend> backend_keys[] = {
    key::label<&Backend::name>("name", "required", "name for people to read"),
    key::text<&Backend::source>("source", "", "source of the list, for people to read"),
    key::custom<read_operations<Buffers::cpu>>("cpu", "list of operations", "none",
                                               "operations on buffers in the memory of hosts"),
    key::custom<read_operations<Buffers::gpu>>("gpu", "list of operations", "none",
                                               "operations on buffers in the memory of GPUs"),
    key::text<&Backend::gpu_needs>("gpu-needs", "nothing", "what buffers on GPUs need besides"),
};

std::string_view words_for(Buffers buffers) {
  return buffers == Buffers::cpu ? "in the memory of hosts" : "in the memory of GPUs";
}

}  // namespace

bool Backend::has(LibraryOperation operation, Buffers buffers) const {
  const std::vector<LibraryOperation>& known = operations[static_cast<std::size_t>(buffers)];
  return std::ranges::find(known, operation) != known.end();
}

std::vector<Backend> backends() {
  std::vector<Backend> found;
  for (const std::string_view word : embedded_names("backends")) {
    const std::string file = fmt::format("backends/{}.yaml", word);
    found.push_back(read_backend_file(*embedded_file(file), file));
    found.back().word = word;
  }
  return found;
}

Backend find_backend(const std::string& word, const SourceLocation& where) {
  std::vector<std::string_view> words;
  std::vector<Backend> known = backends();
  for (Backend& backend : known) {
    if (backend.word == word) return std::move(backend);
    words.push_back(backend.word);
  }
  throw InputError(where, none_of_name("backend", word, words));
}

void require_operation(const Backend& backend, LibraryOperation operation, Buffers buffers,
                       const SourceLocation& where) {
  if (backend.has(operation, buffers)) return;
  const std::vector<Backend> known = backends();
  std::vector<std::string_view> having;
  for (const Backend& other : known)
    if (other.has(operation, buffers)) having.push_back(other.word);
  throw InputError(
      where,
      fmt::format("PyTorch's backend {} has no {} of buffers {}; {} (`orrery list backends` shows all)",
                  backquoted(backend.word), word_of(library_operation_words, operation), words_for(buffers),
                  having.empty() ? "no backend has it" : "take " + alternatives(having)));
}

Backend read_backend_file(std::string_view text, const std::string& file) {
  Backend backend;
  read_map(parse_yaml(text, file), "a backend", backend_keys, backend);
  return backend;
}

}  // namespace orrery::core
