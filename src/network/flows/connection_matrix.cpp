// A connection matrix has this form in tokens, where `#` stands for a whole number:
//
//   Nodes #  Connections #  and, if there are any, Triggers #  and  Failures #
//   for each connection a line: #->#  id #  start # or trigger #  size #, and any of  send_done_trigger #,
//     recv_done_trigger #  and  prio #; starts are in ps
//   for each trigger a line: trigger id #  oneshot, multishot or barrier  and  count # of those that fire it
//   for each failure a line: failure  switch_type TOR, AGG or CORE  switch_id #  link_id #
#include "network/flows/connection_matrix.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

constexpr std::int64_t max_connections = 100'000'000;
constexpr std::int64_t max_bytes_of_one = static_cast<std::int64_t>(Bytes::largest_input().count());
constexpr std::int64_t max_trigger = 0xffffffff;

// The levels of switches.
constexpr std::array<EnumName<int>, 3> switch_words{{{"TOR", 1}, {"AGG", 2}, {"CORE", 3}}};

class MatrixReader {
 public:
  MatrixReader(std::string_view text, const std::string& file) : tokens_(text, file), file_(file) {}

  ConnectionMatrix read() {
    nodes_ = headed("Nodes", max_npus);
    const std::int64_t connections = headed("Connections", max_connections);
    std::int64_t failures = 0;
    if (is_next("Triggers")) headed("Triggers", max_connections);
    if (is_next("Failures")) failures = headed("Failures", max_connections);
    while (!tokens_.at_end()) {
      const Token token = tokens_.next("");
      if (token.text == "trigger")
        read_trigger(token);
      else if (token.text == "failure")
        read_failure(token);
      else
        read_connection(token);
    }
    require_as_many("connections", connections, matrix_.flows.size());
    require_as_many("failures", failures, matrix_.failures.size());
    for (std::size_t flow = 0; flow < matrix_.flows.size(); ++flow) wait(flow);
    return std::move(matrix_);
  }

 private:
  struct Trigger {
    std::vector<std::uint32_t> fired_by;  // flows
    std::int64_t count = 1;               // how often it has to fire until it starts others
    bool declared = false;
  };

  bool is_next(std::string_view word) { return !tokens_.at_end() && tokens_.peek().text == word; }
  void require_as_many(std::string_view what, std::int64_t said, std::size_t found) const {
    if (static_cast<std::int64_t>(found) == said) return;
    throw InputError({file_}, fmt::format("the matrix says that it has {} {}, and there are {}: correct "
                                          "their number",
                                          said, what, found));
  }

  void require_word(std::string_view word) {
    const Token token = tokens_.next(word);
    if (token.text != word)
      throw InputError(tokens_.where(token),
                       fmt::format("{} stands where `{}` has to stand", backquoted(token.text), word));
  }
  std::int64_t headed(std::string_view word, std::int64_t largest) {
    require_word(word);
    return whole(word, largest);
  }
  std::int64_t whole(std::string_view what, std::int64_t largest) {
    const Token token = tokens_.next(what);
    return whole_in(token.text, token, what, largest);
  }
  std::int64_t whole_in(std::string_view text, const Token& token, std::string_view what,
                        std::int64_t largest) const {
    const auto value = parse_signed(text);
    if (value && *value >= 0 && *value <= largest) return *value;
    throw InputError(tokens_.where(token),
                     fmt::format("{} is no number of `{}`, which is whole and at most {}", backquoted(text),
                                 what, largest));
  }

  // Returns whether the next token is on the same line.
  bool goes_on(const Token& first) const { return !tokens_.at_end() && tokens_.peek().line == first.line; }

  void read_trigger(const Token& first) {
    Trigger& trigger = triggers_[headed("id", max_trigger - 1)];
    trigger.declared = true;
    while (goes_on(first)) {
      const Token token = tokens_.next("");
      if (token.text == "count")
        trigger.count = whole("count", max_connections);
      else if (token.text != "oneshot" && token.text != "multishot" && token.text != "barrier")
        throw InputError(tokens_.where(token),
                         fmt::format("{} is no kind of trigger: `oneshot`, `multishot` or `barrier`",
                                     backquoted(token.text)));
    }
  }

  void read_failure(const Token& first) {
    MatrixFailure failure;
    failure.where = tokens_.where(first);
    const auto part = [&](std::string_view word) {
      return static_cast<std::uint32_t>(headed(word, max_trigger));
    };
    require_word("switch_type");
    const Token type = tokens_.next("switch type");
    const std::optional<int> level = value_of(switch_words, type.text);
    if (!level)
      throw InputError(tokens_.where(type),
                       fmt::format("{} is no kind of switch: `TOR`, `AGG` or `CORE`", backquoted(type.text)));
    failure.level = *level;
    failure.number = part("switch_id");
    failure.link = part("link_id");
    matrix_.failures.push_back(failure);
  }

  void read_connection(const Token& first) {
    const std::size_t arrow = first.text.find("->");
    if (arrow == first.text.npos)
      throw InputError(tokens_.where(first),
                       fmt::format("{} is no connection such as `0->1`, no trigger and no failure",
                                   backquoted(first.text)));
    Flow flow;
    flow.where = tokens_.where(first);
    flow.source = static_cast<int>(whole_in(first.text.substr(0, arrow), first, "source", nodes_ - 1));
    flow.destination =
        static_cast<int>(whole_in(first.text.substr(arrow + 2), first, "destination", nodes_ - 1));
    std::int64_t waits_for = -1;
    while (goes_on(first)) read_part(flow, waits_for);
    waits_.push_back(waits_for);
    matrix_.flows.push_back(std::move(flow));
  }

  void read_part(Flow& flow, std::int64_t& waits_for) {
    const Token token = tokens_.next("");
    const auto number = static_cast<std::uint32_t>(matrix_.flows.size());
    if (token.text == "id") {
      whole("id", max_connections);
    } else if (token.text == "start") {
      flow.start = Time::from_ps(whole("start", Time::longest_input().ps()));
    } else if (token.text == "size") {
      flow.bytes = Bytes(static_cast<std::uint64_t>(whole("size", max_bytes_of_one)));
    } else if (token.text == "prio") {
      constexpr std::int64_t largest = 7;
      flow.priority = static_cast<int>(whole("prio", largest));
    } else if (token.text == "trigger") {
      waits_for = whole("trigger", max_trigger - 1);
    } else if (token.text == "send_done_trigger" || token.text == "recv_done_trigger") {
      triggers_[whole(token.text, max_trigger - 1)].fired_by.push_back(number);
    } else {
      throw InputError(tokens_.where(token),
                       fmt::format("{} is no part of a connection: `id`, `start`, `size`, `prio`, `trigger`, "
                                   "`send_done_trigger` or `recv_done_trigger`",
                                   backquoted(token.text)));
    }
  }

  void wait(std::size_t number) {
    if (waits_[number] < 0) return;
    Flow& flow = matrix_.flows[number];
    const auto found = triggers_.find(waits_[number]);
    if (found == triggers_.end() || found->second.fired_by.empty())
      throw InputError(flow.where, fmt::format("the connection waits for trigger {}, which nothing fires",
                                               waits_[number]));
    const Trigger& trigger = found->second;
    if (!trigger.declared)
      throw InputError(flow.where,
                       fmt::format("the connection waits for trigger {}, which is not declared: add "
                                   "`trigger id {} oneshot`",
                                   waits_[number], waits_[number]));
    if (trigger.count != static_cast<std::int64_t>(trigger.fired_by.size()))
      throw InputError(flow.where,
                       fmt::format("trigger {} is fired by {} connections and starts others after {}; "
                                   "here it has to wait for all: correct `count`",
                                   waits_[number], trigger.fired_by.size(), trigger.count));
    flow.after = trigger.fired_by;
  }

  TokenReader tokens_;
  std::string file_;
  std::int64_t nodes_ = 0;
  ConnectionMatrix matrix_;
  std::vector<std::int64_t> waits_;  // trigger, by flow; -1: none
  std::map<std::int64_t, Trigger> triggers_;
};

}  // namespace

bool is_connection_matrix(std::string_view text) {
  TokenReader tokens(text, "");
  return !tokens.at_end() && tokens.peek().text == "Nodes";
}

ConnectionMatrix read_connection_matrix(std::string_view text, const std::string& file) {
  return MatrixReader(text, file).read();
}

}  // namespace orrery::core
