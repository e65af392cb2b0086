#include "topology/graph/formats/ns3_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/text/quantity.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t max_links_of_ns3 = 100'000'000;
constexpr std::size_t fewest_words = 3, max_words = 6;

// Returns the first words, on whatever lines they stand.
std::vector<Token> first_words(TokenReader tokens) {
  std::vector<Token> words;
  while (!tokens.at_end() && words.size() < max_words) words.push_back(tokens.next(""));
  return words;
}

std::size_t words_in_first_line(TokenReader tokens) {
  std::size_t count = 0;
  for (const int line = tokens.peek().line; !tokens.at_end() && tokens.peek().line == line; ++count)
    tokens.next("");
  return count;
}

std::size_t words_in(TokenReader tokens) {
  std::size_t count = 0;
  for (; !tokens.at_end(); ++count) tokens.next("");
  return count;
}

bool has_unit_of_rate(std::string_view word) {
  return word.ends_with("bps") || word.ends_with("Bps") || word.ends_with("b/s") || word.ends_with("B/s") ||
         word.ends_with("bit/s");
}

bool is_name(std::string_view word) {
  const char first = word.empty() ? '0' : word[0];
  return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
}

class HeaderReader {
 public:
  explicit HeaderReader(TokenReader& tokens) : tokens_(tokens), words_(first_words(tokens)) {}

  Ns3Header read() {
    const std::size_t in_line = words_in_first_line(tokens_), all = words_in(tokens_);
    const auto ends_with_name = [&](std::size_t words) {
      return words == max_words && words_.size() == max_words && is_name(words_.back().text);
    };
    const bool by_line = in_line >= fewest_words && in_line <= max_words;
    if (ends_with_name(in_line)) return of_simai();
    // ns-3 reads words, so that lines may end anywhere. The number of all words tells the form then.
    for (const std::size_t numbers : {fewest_words, fewest_words + 1})
      if (in_line != numbers && words_of_network(numbers) == all) return take(numbers);
    if (by_line) return take(in_line);
    if (ends_with_name(max_words)) return of_simai();
    refuse(words_.empty() ? tokens_.peek() : words_[0],
           fmt::format("the first line has {} {}, but has to have three numbers, nodes, switches and "
                       "links; or four, nodes, switches, racks and links; or SimAI's six words: nodes, GPUs "
                       "of a server, NVSwitches, switches, links and the type of GPU",
                       in_line, in_line == 1 ? "word" : "words"));
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

  // Returns how many words a file has whose first line has so many numbers; none: they are no numbers.
  std::optional<std::size_t> words_of_network(std::size_t numbers) const {
    constexpr std::size_t words_of_link = 5;
    if (words_.size() < numbers) return std::nullopt;
    const auto switches = parse_unsigned(words_[1].text), links = parse_unsigned(words_[numbers - 1].text);
    if (!switches || !links || *switches > max_npus || *links > max_links_of_ns3) return std::nullopt;
    return numbers + *switches + *links * words_of_link;
  }

  // Takes the words of a first line that has so many.
  Ns3Header take(std::size_t words) {
    words_.resize(words);
    for (std::size_t word = 0; word < words; ++word) tokens_.next("");
    return of_numbers(words == fewest_words ? 2 : 3);
  }

  // The words behind the links, if there are any, are rates.
  Ns3Header of_numbers(std::size_t links) const {
    Ns3Header header;
    header.nodes = number(0, "the number of nodes", max_npus);
    header.switches = number(1, "the number of switches", header.nodes);
    if (links > 2) number(2, "the number of racks", header.switches);
    header.links = number(links, "the number of links", max_links_of_ns3);
    for (std::size_t word = links + 1; word < words_.size(); ++word) {
      ns3_rate(words_[word].text, tokens_.where(words_[word]));
      if (is_low_bare_rate(words_[word].text))
        refuse(
            words_[word],
            fmt::format("`{}` stands behind the number of links, where only rates stand, such as 100Gbps: "
                        "leave it out, or correct the numbers of nodes, switches, racks and links before it",
                        words_[word].text));
    }
    return header;
  }

  Ns3Header of_simai() {
    for (std::size_t word = 0; word < max_words; ++word) tokens_.next("");
    Ns3Header header;
    header.nodes = number(0, "the number of nodes", max_npus);
    header.per_server = static_cast<int>(number(1, "the number of GPUs of a server", max_npus));
    header.server_switches = number(2, "the number of NVSwitches", header.nodes);
    header.switches = number(3, "the number of switches", header.nodes);
    header.links = number(4, "the number of links", max_links_of_ns3);
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
  const int line = tokens.peek().line;
  std::size_t count = 0;
  const auto begins_with_digit = [](std::string_view word) { return word[0] >= '0' && word[0] <= '9'; };
  for (; !tokens.at_end() && tokens.peek().line == line; ++count) {
    const std::string_view word = tokens.next("").text;
    const bool is_number = count >= fewest_words ? begins_with_digit(word) : parse_unsigned(word).has_value();
    if (!is_number && !(count + 1 == max_words && is_name(word))) return false;
  }
  if (count >= fewest_words && count <= max_words) return true;
  // Lines may end anywhere. Then a rate tells this from other files that begin with numbers.
  if (count == 0) return false;
  for (TokenReader all(text, ""); !all.at_end();) {
    const std::string_view word = all.next("").text;
    if (begins_with_digit(word) && has_unit_of_rate(word)) return true;
  }
  return false;
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

bool is_low_bare_rate(std::string_view text) {
  constexpr double lowest_of_a_network = 1e6;  // bit/s
  const auto bits = parse_real(text);
  return bits && *bits < lowest_of_a_network;
}

Time ns3_delay(std::string_view text, const SourceLocation& where) {
  const auto seconds = parse_real(text);
  if (!seconds) return parse_time(text, where);
  if (!Time::is_input_ns(*seconds * 1e9))
    throw InputError(
        where, fmt::format("{} is no delay, which is a number of seconds up to 30 days", backquoted(text)));
  return Time::from_ns_rounded(*seconds * 1e9);
}

}  // namespace orrery::core
