#include "base/files/foreign_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::core {
namespace {

constexpr std::string_view spaces = " \t\r\n\f\v";

std::string_view behind_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text;
}

bool has_key(std::string_view text, std::string_view key) {
  return text.find(fmt::format("\"{}\"", key)) != text.npos;
}

// Takes a line off a text.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

// Calls back with each word of a text until that returns true, and returns whether it did.
bool any_word(std::string_view text, const auto& is_it) {
  while (true) {
    text = behind_spaces(text);
    if (text.empty()) return false;
    const std::string_view word = text.substr(0, text.find_first_of(spaces));
    if (is_it(word)) return true;
    text.remove_prefix(word.size());
  }
}

// Returns whether a line has this key of YAML, in quotes or without, at any depth and in any list or map.
bool has_yaml_key_in_line(std::string_view line, std::string_view key) {
  constexpr std::string_view before = " \t-{[,\"'", quotes = "\"'";
  for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
    if (at > 0 && before.find(line[at - 1]) == before.npos) continue;
    std::string_view behind = line.substr(at + key.size());
    if (!behind.empty() && quotes.find(behind[0]) != quotes.npos) behind.remove_prefix(1);
    if (behind_spaces(behind).starts_with(':')) return true;
  }
  return false;
}

}  // namespace

bool is_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = behind_spaces(text);
  return text.starts_with('{') || text.starts_with('[');
}

bool is_json_of(std::string_view text, std::initializer_list<std::string_view> keys) {
  return is_json(text) && std::ranges::all_of(keys, [&](std::string_view key) { return has_key(text, key); });
}

bool has_any_key(std::string_view text, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return has_key(text, key); });
}

std::string_view root_element(std::string_view text) {
  while (true) {
    text = behind_spaces(text);
    if (!text.starts_with('<')) return {};
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?") && !text.starts_with("<!")) break;
    const std::size_t end = text.find(comment ? "-->" : ">");
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
    if (comment) text.remove_prefix(std::min<std::size_t>(2, text.size()));
  }
  text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \t\r\n/>"));
}

bool has_yaml_key(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!behind_spaces(line).starts_with('#') && has_yaml_key_in_line(line, key)) return true;
  }
  return false;
}

bool is_infragraph(std::string_view text) {
  return has_yaml_key(text, "instances") && has_yaml_key(text, "devices");
}

// A message begins with its name, which is text, and has fields of bytes alone: `description`, `devices`,
// `links`, `instances` and `edges`.
bool is_infragraph_message(std::string_view text) {
  constexpr std::string_view field_tags = "\x0a\x12\x1a\x22\x2a\x32";
  constexpr unsigned continued = 0x80;
  constexpr std::size_t shortest_beginning = 1 << 12;  // of a file of which more may follow
  const bool may_be_cut = text.size() >= shortest_beginning;
  int fields = 0;
  while (!text.empty()) {
    if (field_tags.find(text[0]) == text.npos || (fields == 0 && text[0] != '\x0a')) return false;
    text.remove_prefix(1);
    std::size_t length = 0;
    for (unsigned shift = 0, byte = continued; (byte & continued) != 0; shift += 7) {
      if (text.empty() || shift > 28) return false;
      byte = static_cast<unsigned char>(text[0]);
      length |= static_cast<std::size_t>(byte & ~continued) << shift;
      text.remove_prefix(1);
    }
    const std::string_view value = text.substr(0, length);
    const auto is_printable = [](char c) { return static_cast<unsigned char>(c) >= ' '; };
    if (fields == 0 && (value.empty() || !std::ranges::all_of(value, is_printable))) return false;
    if (value.size() < length && (fields == 0 || !may_be_cut)) return false;
    text.remove_prefix(value.size());
    ++fields;
  }
  return fields > 1;
}

bool is_goal(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\x7f\x10\0\0\0\0\0\0"sv) || text.starts_with("\x26\x09\0\0\0\0\0\0"sv)) return true;
  while (true) {
    text = behind_spaces(text);
    const std::string_view end = text.starts_with("/*") ? "*/" : "\n";
    if (!text.starts_with("//") && !text.starts_with("/*")) break;
    const std::size_t at = text.find(end);
    if (at == text.npos) return false;
    text.remove_prefix(at + end.size());
  }
  return text.starts_with("num_ranks ") || text.starts_with("num_ranks\t");
}

bool is_simai_table(std::string_view text) {
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  std::string_view rest = behind_spaces(text);
  const std::string_view head = next_line(rest);
  if (head.substr(0, head.find_first_of(spaces)).find_first_not_of(capitals) != head.npos) return false;
  const auto is_label = [](std::string_view word) {
    constexpr std::string_view labels[] = {
        "ep:",     "pp:",      "vpp:",      "ga:",  "expert_parallel_npu_group:",
        "pp_comm", "pp_comm:", "all_gpus:", "mode:"};
    return std::ranges::find(labels, word) != std::end(labels);
  };
  const auto is_of_experts = [&](std::string_view word) {
    constexpr std::string_view collectives[] = {"ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"};
    for (const std::string_view group : {"_DP_EP", "_EP"})
      if (word.ends_with(group))
        return std::ranges::find(collectives, word.substr(0, word.size() - group.size())) !=
               std::end(collectives);
    return false;
  };
  return any_word(head, is_label) || (head.find('{') == head.npos && any_word(rest, is_of_experts));
}

bool is_megatron_arguments(std::string_view text) {
  constexpr std::string_view flags[] = {"--num-layers",
                                        "--hidden-size",
                                        "--num-attention-heads",
                                        "--seq-length",
                                        "--micro-batch-size",
                                        "--global-batch-size",
                                        "--tensor-model-parallel-size",
                                        "--pipeline-model-parallel-size"};
  std::string_view first;
  return any_word(text, [&](std::string_view word) {
    word = word.substr(0, word.find('='));
    if (word == first || std::ranges::find(flags, word) == std::end(flags)) return false;
    return !std::exchange(first, word).empty();
  });
}

bool is_torchtitan_job(std::string_view text) {
  bool in_model = false;
  while (!text.empty()) {
    std::string_view line = behind_spaces(next_line(text));
    line = line.substr(0, line.find_last_not_of(spaces) + 1);
    if (line == "[parallelism]") return true;
    if (line.starts_with('[')) in_model = line == "[model]";
    if (!in_model || !line.starts_with("flavor")) continue;
    line.remove_prefix(std::string_view("flavor").size());
    if (behind_spaces(line).starts_with('=')) return true;
  }
  return false;
}

bool is_simai_bandwidths(std::string_view text) {
  constexpr std::string_view keys[] = {"allreduce,", "allgather,", "reducescatter,", "alltoall,"};
  return std::ranges::any_of(keys, [&](std::string_view key) { return has_yaml_key(text, key); });
}

bool is_ns3_config(std::string_view text) {
  constexpr std::string_view key_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  bool known = false;
  while (!text.empty()) {
    const std::string_view line = behind_spaces(next_line(text));
    if (line.empty() || line.starts_with('#') || line.starts_with('{')) continue;
    const std::string_view key = line.substr(0, line.find_first_of(spaces));
    if (key.find_first_not_of(key_letters) != key.npos) return known;
    known = known || key == "TOPOLOGY_FILE" || key == "CC_MODE" || key == "ENABLE_QCN";
    if (known) return true;
  }
  return false;
}

}  // namespace orrery::core
