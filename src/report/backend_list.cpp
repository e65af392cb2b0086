#include "report/backend_list.hpp"

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

constexpr Column<ListedOperation> operation_columns[] = {
    {"backend", "",
     "Word for the backend of torch.distributed, and for the library of collectives of that name.",
     [](auto& row) { return row.backend; }},
    {"name", "", "Full name.", [](auto& row) { return row.name; }},
    {"operation", "", "Kind of collective, or `send` for a send with its receive.",
     [](auto& row) { return word_of(library_operation_words, row.operation); }},
    {"buffers", "", "Memory of the buffers: `cpu` or `gpu`.",
     [](auto& row) { return word_of(buffers_words, row.buffers); }},
    {"supported", "", "Whether the backend has the operation on such buffers.",
     [](auto& row) { return row.is_there; }},
    {"needs", "", "What else has to be there. It is empty where nothing has to.",
     [](auto& row) { return row.needs; }},
    {"source", "", "Source of the fact.", [](auto& row) { return row.source; }},
};

std::string needs_of(const Backend& backend, Buffers buffers) {
  return buffers == Buffers::gpu ? backend.gpu_needs : "";
}

}  // namespace

const Table<ListedOperation> backend_operation_table(operation_columns);

std::vector<ListedOperation> listed_operations() {
  std::vector<ListedOperation> list;
  for (const Backend& backend : backends())
    for (const auto& [operation_word, operation] : library_operation_words)
      for (const auto& [buffers_word, buffers] : buffers_words) {
        const bool is_there = backend.has(operation, buffers);
        list.push_back({backend.word, backend.name, backend.source, operation, buffers, is_there,
                        is_there ? needs_of(backend, buffers) : ""});
      }
  return list;
}

std::string backend_list_text() {
  const std::vector<Backend> known = backends();
  std::string text = fmt::format("{:<16}", "operation"), second = fmt::format("{:<16}", "");
  std::string notes;
  for (const Backend& backend : known) {
    text += fmt::format("{:<10}", backend.word);
    second += "cpu  gpu  ";
    if (!backend.gpu_needs.empty())
      notes += fmt::format("* {}: only with {}\n", backend.word, backend.gpu_needs);
  }
  const auto end_line = [](std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
    line += '\n';
  };
  end_line(text);
  end_line(second);
  text += second;
  for (const auto& [word, operation] : library_operation_words) {
    std::string line = fmt::format("{:<16}", word);
    for (const Backend& backend : known)
      for (const Buffers buffers : {Buffers::cpu, Buffers::gpu}) {
        const bool is_there = backend.has(operation, buffers);
        const std::string_view mark = is_there && !needs_of(backend, buffers).empty() ? "*" : "";
        line += fmt::format("{:<5}", fmt::format("{}{}", is_there ? "yes" : "no", mark));
      }
    end_line(line);
    text += line;
  }
  return text + notes;
}

}  // namespace orrery::core
