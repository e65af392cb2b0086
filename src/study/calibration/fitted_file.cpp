#include "study/calibration/fitted_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/files/embedded_file.hpp"

namespace orrery::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view stack_prefix = "stack.";
constexpr const char* first_line =
    "# Constants fitted to measurements by orrery calibrate; ± is a standard error.\n";

std::string quoted(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '\'' ? "''" : std::string(1, c);
  return "'" + doubled + "'";
}

// Returns a word as it is, and a path as it is from the folder.
std::string base_from(const std::string& word, const std::string& folder) {
  if (!is_path(word)) return quoted(word);
  const fs::path from = fs::proximate(word, folder.empty() ? fs::path(".") : fs::path(folder));
  return quoted(from.has_parent_path() ? from.string() : "./" + from.string());
}

std::string remark_of(const FittedConstant& fitted) {
  if (!fitted.is_fitted()) return "moves with the constant that it follows";
  if (!fitted.error) return "fit; one row does not tell how certain it is";
  return "fit; ± " + fitted.text_of_error();
}

// Constants that are not fitted stay as the base has them, unless they moved with another.
bool is_written(const FittedConstant& fitted) {
  return fitted.is_fitted() || fitted.after != fitted.before;
}

std::string line_of(std::string_view key, const FittedConstant& fitted) {
  return fmt::format("{}: {}  # {}\n", key, fitted.constant->text(fitted.after), remark_of(fitted));
}

// Keys in maps within maps. Lines of values are in the order in which they were added.
struct Tree {
  std::vector<std::pair<std::string, std::string>> lines;  // remarks and values at this level, by their keys
  std::map<std::string, Tree, std::less<>> maps;

  void add(std::string_view path, const FittedConstant& fitted) {
    const std::size_t dot = path.find('.');
    if (dot == path.npos)
      lines.emplace_back(path, line_of(path, fitted));
    else
      maps[std::string(path.substr(0, dot))].add(path.substr(dot + 1), fitted);
  }

  std::string text(std::size_t indent) const {
    std::string text;
    const std::string blanks(indent, ' ');
    for (const auto& [key, value] : lines) text += blanks + value;
    for (const auto& [key, below] : maps) text += blanks + key + ":\n" + below.text(indent + 2);
    return text;
  }
};

}  // namespace

std::string fitted_stack(const Calibration& calibration, const InputNode& base, const std::string& folder,
                         const std::string& source) {
  std::string text = first_line;
  std::string of = "none";
  if (base.kind == InputNode::Kind::scalar) of = base.text;
  if (const InputNode* const below = base.find("base")) of = below->text;
  text += fmt::format("base: {}\nname: {}\nsource: {}\n", base_from(of, folder),
                      quoted("calibrated, over " + of), quoted(source));
  for (std::size_t i = 0; i < base.items.size(); ++i) {  // keys that the user had set over its base
    const std::string& key = base.names[i].text;
    bool is_own = key == "base" || key == "name" || key == "source";
    for (const FittedConstant& fitted : calibration.constants)
      is_own = is_own || (is_written(fitted) && fitted.constant->key.substr(stack_prefix.size()) == key);
    if (!is_own) text += fmt::format("{}: {}\n", key, quoted(base.items[i].text));
  }
  for (const FittedConstant& fitted : calibration.constants)
    if (is_written(fitted)) text += line_of(fitted.constant->key.substr(stack_prefix.size()), fitted);
  return text;
}

std::string fitted_platform(const std::vector<Calibration>& calibrations, const std::string& base,
                            const std::string& folder, const std::string& source) {
  Tree tree;
  for (const Calibration& calibration : calibrations)
    for (const FittedConstant& fitted : calibration.constants)
      if (is_written(fitted)) tree.add(fitted.constant->key, fitted);
  return first_line + fmt::format("base: {}\nsource: {}\n", base_from(base, folder), quoted(source)) +
         tree.text(0);
}

}  // namespace orrery::core
