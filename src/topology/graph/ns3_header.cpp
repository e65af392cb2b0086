#include "topology/graph/ns3_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "base/words.hpp"
#include "topology/topology_check.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t most_links_of_ns3 = 100'000'000;
constexpr std::size_t fewest_words = 3, most_words = 6;

std::vector<Token> words_of_header(TokenReader& tokens) {
  std::vector<Token> words;
  while (!tokens.at_end() && (words.empty() || tokens.peek().line == words[0].line))
    words.push_back(tokens.next(""));
  return words;
}

bool is_name(std::string_view word) {
  const char first = word.empty() ? '0' : word[0];
  return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
}

class HeaderReader {
 public:
  explicit HeaderReader(TokenReader& tokens) : tokens_(tokens), words_(words_of_header(tokens)) {}

  Ns3Header read() {
    if (words_.size() == most_words && is_name(words_.back().text)) return of_simai();
    if (words_.size() == fewest_words) return of_numbers(2);
    if (words_.size() > fewest_words && words_.size() <= most_words) return of_numbers(3);
    refuse(words_.empty() ? tokens_.peek() : words_[0],
           fmt::format("the first line has {} words, but has to have three numbers, nodes, switches and "
                       "links; or four, nodes, switches, racks and links; or SimAI's six words: nodes, GPUs "
                       "of a server, NVSwitches, switches, links and the type of GPU",
                       words_.size()));
  }

 private:
  [[noreturn]] void refuse(const Token& at, const std::string& text) const {
    throw InputError(tokens_.where(at), text);
  }

  std::uint64_t number(std::size_t word, std::string_view what, std::uint64_t largest) const {
    const Token& token = words_[word];
    const auto value = parse_unsigned(token.text);
    if (value && *value <= largest) return *value;
    refuse(token, fmt::format("`{}` is not {}, which is a whole number up to {}", token.text, what, largest));
  }

  // The words behind the links, if there are any, are rates.
  Ns3Header of_numbers(std::size_t links) const {
    Ns3Header header;
    header.nodes = number(0, "the number of nodes", most_npus);
    header.switches = number(1, "the number of switches", header.nodes);
    if (links > 2) number(2, "the number of racks", header.switches);
    header.links = number(links, "the number of links", most_links_of_ns3);
    for (std::size_t word = links + 1; word < words_.size(); ++word)
      ns3_rate(words_[word].text, tokens_.where(words_[word]));
    return header;
  }

  Ns3Header of_simai() const {
    Ns3Header header;
    header.nodes = number(0, "the number of nodes", most_npus);
    header.per_server = static_cast<int>(number(1, "the number of GPUs of a server", most_npus));
    header.server_switches = number(2, "the number of NVSwitches", header.nodes);
    header.switches = number(3, "the number of switches", header.nodes);
    header.links = number(4, "the number of links", most_links_of_ns3);
    if (header.all_switches() >= header.nodes)
      refuse(words_[0], fmt::format("{} nodes cannot have {} NVSwitches and {} switches, as no GPU is left",
                                    header.nodes, header.server_switches, header.switches));
    const std::uint64_t gpus = header.nodes - header.all_switches();
    if (header.per_server == 0 || gpus % static_cast<std::uint64_t>(header.per_server) != 0)
      refuse(words_[1], fmt::format("{} nodes without {} switches are {} GPUs, which are no servers of {}: "
                                    "correct one of the numbers",
                                    header.nodes, header.all_switches(), gpus, header.per_server));
    const std::uint64_t servers = gpus / static_cast<std::uint64_t>(header.per_server);
    if (header.server_switches % servers != 0)
      refuse(words_[2], fmt::format("{} NVSwitches cannot be shared out among {} servers: correct one of the "
                                    "numbers",
                                    header.server_switches, servers));
    // The switches of older servers do not add up (NVLink SHARP came with the H100).
    constexpr std::string_view older[] = {"P100", "V100", "A100", "A800"};
    header.reduces = std::ranges::find(older, words_[5].text) == std::end(older);
    return header;
  }

  TokenReader& tokens_;
  std::vector<Token> words_;
};

struct RateUnit {
  std::string_view prefix;
  double factor;
};
constexpr std::array<RateUnit, 10> prefixes{{{"", 1},
                                             {"k", 1e3},
                                             {"K", 1e3},
                                             {"M", 1e6},
                                             {"G", 1e9},
                                             {"T", 1e12},
                                             {"Ki", 1024.},
                                             {"Mi", 1024. * 1024},
                                             {"Gi", 1024. * 1024 * 1024},
                                             {"Ti", 1024. * 1024 * 1024 * 1024}}};

std::optional<double> bits_of_unit(std::string_view unit) {
  if (unit.empty()) return 1;
  double bits = 0;
  for (const auto& [ending, of] :
       {std::pair<std::string_view, double>{"bps", 1}, {"b/s", 1}, {"Bps", 8}, {"B/s", 8}, {"bit/s", 1}}) {
    if (!unit.ends_with(ending)) continue;
    unit.remove_suffix(ending.size());
    bits = of;
    break;
  }
  for (const RateUnit& known : prefixes)
    if (bits > 0 && unit == known.prefix) return bits * known.factor;
  return std::nullopt;
}

}  // namespace

bool begins_like_ns3(std::string_view text) {
  TokenReader tokens(text, "");
  std::size_t count = 0;
  int line = 0;
  while (!tokens.at_end() && (count == 0 || tokens.peek().line == line)) {
    const Token token = tokens.next("");
    line = token.line;
    const bool is_number = parse_unsigned(token.text).has_value();
    const bool may_stand =
        is_number ||
        (count >= fewest_words && !token.text.empty() && (token.text[0] >= '0' && token.text[0] <= '9')) ||
        (count + 1 == most_words && is_name(token.text));
    if (!may_stand || ++count > most_words) return false;
  }
  return count >= fewest_words;
}

Ns3Header read_ns3_header(TokenReader& tokens) {
  return HeaderReader(tokens).read();
}

Bandwidth ns3_rate(std::string_view text, const SourceLocation& where) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  const auto number = parse_real(text.substr(0, end));
  const auto bits = bits_of_unit(text.substr(end));
  if (!number || !bits)
    throw InputError(
        where, fmt::format("{} is no rate, such as 100Gbps, or 100000000000 in bit/s", backquoted(text)));
  constexpr double bits_per_gb = 8e9, least = 1e-12, most = 1e12;
  const double gb_per_s = *number * *bits / bits_per_gb;
  if (!(gb_per_s >= least && gb_per_s <= most))
    throw InputError(where, fmt::format("{} is out of range for a rate", backquoted(text)));
  return Bandwidth::from_gb_per_s(gb_per_s);
}

Time ns3_delay(std::string_view text, const SourceLocation& where) {
  const auto seconds = parse_real(text);
  if (!seconds) return parse_time(text, where);
  if (!Time::is_input_ns(*seconds * 1e9))
    throw InputError(
        where, fmt::format("{} is no delay, which is a number of seconds up to 30 days", backquoted(text)));
  return Time::from_ns_rounded(*seconds * 1e9);
}

}  // namespace orrery
