#include "simulate/waiting_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace orrery::core {

namespace {

void add_texts(const std::vector<std::string>& texts, std::vector<std::string>& lines) {
  constexpr std::size_t max_texts = 3;
  for (std::size_t i = 0; i < std::min(texts.size(), max_texts); ++i) lines.push_back("  " + texts[i]);
  if (texts.size() > max_texts)
    lines.push_back(fmt::format("  and {} more of its phases", texts.size() - max_texts));
}

}  // namespace

std::vector<std::string> waiting_lines(
    const std::vector<WaitingOperation>& operations,
    const std::vector<CollectiveBackend::Waiting>& collectives,
    const std::function<std::string(ClassId of_class, std::uint32_t token)>& name) {
  std::map<std::pair<ClassId, std::uint32_t>, std::vector<std::string>> texts;  // by class and token
  for (const CollectiveBackend::Waiting& one : collectives)
    texts[{one.of_class, one.token}].push_back(one.text);
  std::vector<std::string> lines;
  for (const WaitingOperation& operation : operations) {
    lines.push_back(fmt::format("{} waits for {}, started at {} us{}", operation.who, operation.what,
                                operation.started.us(),
                                operation.detail.empty() ? "" : ": " + operation.detail));
    if (const auto found = texts.extract({operation.of_class, operation.token}))
      add_texts(found.mapped(), lines);
  }
  for (const auto& [collective, waits] : texts) {
    lines.push_back(fmt::format("other ranks wait for {}", name(collective.first, collective.second)));
    add_texts(waits, lines);
  }
  return lines;
}

}  // namespace orrery::core
