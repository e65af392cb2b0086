#include "base/diagnostics/diagnostics.hpp"

#include <string_view>

#include <utility>

#include "base/diagnostics/printable.hpp"

namespace orrery::core {

std::string SourceLocation::text() const {
  std::string out = file;
  if (line > 0) out += ":" + std::to_string(line);
  if (line > 0 && column > 0) out += ":" + std::to_string(column);
  return out;
}

namespace {
std::string located(const SourceLocation& where, const char* severity, const std::string& text) {
  return printable_lines((where.file.empty() ? "" : where.text() + ": ") + severity + ": " + text);
}
}  // namespace

InputError::InputError(const SourceLocation& where, const std::string& what_and_what_to_do)
    : std::runtime_error(located(where, "error", what_and_what_to_do)),
      facts_(std::make_shared<const Facts>(Facts{where, what_and_what_to_do})) {}

namespace {
std::string with_lines(std::string text, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 20;
  if (!lines.empty()) text += ":";
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) text += "\n  " + lines[i];
  if (lines.size() > most) text += "\n  and " + std::to_string(lines.size() - most) + " more";
  return text;
}
}  // namespace

StallError::StallError(const std::string& what, const std::vector<std::string>& lines)
    : std::runtime_error(with_lines(what, lines)) {}

namespace {
constexpr std::string_view placeless = "error: ";  // the beginning of an error without a place
}

std::string text_of(const InputError& error) {
  const std::string_view text = error.what();
  return std::string(text.starts_with(placeless) ? text.substr(placeless.size()) : text);
}

void with_place(const SourceLocation& where, const std::function<void()>& function) {
  throw_if(with_place(where, fault_in(function)));
}

InputFault fault_in(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const InputError& error) {
    return error;
  }
  return std::nullopt;
}

InputFault with_place(const SourceLocation& where, InputFault fault) {
  if (!fault || !std::string_view(fault->what()).starts_with(placeless)) return fault;
  return InputError(where, text_of(*fault));
}

void throw_if(const InputFault& fault) {
  if (fault) throw InputError(*fault);
}

void Warnings::add(const SourceLocation& where, const std::string& text) {
  add_line(located(where, "warning", text));
}

void Warnings::add_all(const Warnings& others) {
  for (const std::string& line : others.lines()) add_line(line);
}

void Warnings::add_line(std::string line) {
  if (known_.insert(line).second) lines_.push_back(std::move(line));
}

}  // namespace orrery::core
