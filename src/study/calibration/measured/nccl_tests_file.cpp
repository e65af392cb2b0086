#include "study/calibration/measured/nccl_tests_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text/text_lines.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

// Names of the programs without "_perf".
constexpr std::array<EnumName<CollectiveKind>, 7> programs{{
    {"all_reduce", CollectiveKind::all_reduce},
    {"all_gather", CollectiveKind::all_gather},
    {"reduce_scatter", CollectiveKind::reduce_scatter},
    {"alltoall", CollectiveKind::all_to_all},
    {"broadcast", CollectiveKind::broadcast},
    {"reduce", CollectiveKind::reduce},
    {"gather", CollectiveKind::gather},
}};

// Returns the words of a line, each with its place.
std::vector<Token> words_of_line(const Token& line) {
  std::vector<Token> words;
  constexpr std::string_view blanks = " \t";
  for (std::size_t at = line.text.find_first_not_of(blanks); at != line.text.npos;) {
    const std::size_t end = std::min(line.text.find_first_of(blanks, at), line.text.size());
    words.push_back({line.text.substr(at, end - at), line.line, line.column + static_cast<int>(at)});
    at = line.text.find_first_not_of(blanks, end);
  }
  return words;
}

// The places of the columns that are read; the first `time` is that out of place.
struct Columns {
  std::size_t size = 0, operation = 0, time = 0, algorithm_bandwidth = 0, bus_bandwidth = 0;
};

class NcclTests {
 public:
  NcclTests(const std::string& file, std::optional<CollectiveKind> kind) : file_(file), asked_(kind) {}

  std::vector<MeasuredCollective> read(std::string_view text) {
    for (const Token& line : lines_of(text)) {
      std::vector<Token> words = words_of_line(line);
      if (words.empty()) continue;
      if (words.front().text.starts_with('#'))
        read_remark(words);
      else if (columns_ && parse_unsigned(words.front().text))
        read_row(words);
    }
    settle_kind();
    if (rows_.empty())
      throw InputError({file_},
                       "has no line with the time of a collective; give the output of a program of "
                       "nccl-tests, such as all_reduce_perf, as it was printed");
    return std::move(rows_);
  }

 private:
  SourceLocation where(const Token& word) const { return {file_, word.line, word.column}; }

  void read_remark(const std::vector<Token>& words) {
    const auto at = [&](std::string_view text) { return std::ranges::find(words, text, &Token::text); };
    const auto rank = at("Rank"), on = at("on"), starting = at("starting:");
    if (rank != words.end() && on != words.end() && on + 1 != words.end()) {
      begin_another();
      ++members_;
      nodes_.emplace((on + 1)->text);
    } else if (starting != words.end() && starting + 1 != words.end()) {
      begin_another();
      named_ = program((starting + 1)->text);
    } else if (at("algbw") != words.end() && at("time") != words.end()) {
      read_titles(words);
    }
  }

  // Several outputs may stand in one file, one behind the other.
  void begin_another() {
    if (!columns_) return;  // the list of GPUs goes on
    settle_kind();
    named_.reset();
    members_ = 0;
    nodes_.clear();
    columns_.reset();
  }

  static std::optional<CollectiveKind> program(std::string_view name) {
    if (const std::size_t end = name.find("_perf"); end != name.npos) name = name.substr(0, end);
    return value_of(programs, name);
  }

  void read_titles(const std::vector<Token>& words) {
    const std::size_t sign = words.front().text == "#" ? 1 : 0;  // it is no column
    const auto place = [&](std::string_view title) {
      const auto found = std::ranges::find_if(words, [&](const Token& word) {
        return word.text == title || (word.text.starts_with('#') && word.text.substr(1) == title);
      });
      if (found == words.end())
        throw InputError(where(words.front()),
                         fmt::format("this line of titles has no column `{}`; give the output as it was "
                                     "printed",
                                     title));
      return static_cast<std::size_t>(found - words.begin()) - sign;
    };
    columns_ = {place("size"), place("redop"), place("time"), place("algbw"), place("busbw")};
  }

  void read_row(const std::vector<Token>& words) {
    if (members_ == 0)
      throw InputError({file_}, "does not say which GPUs took part; leave its lines `# Rank` in");
    const auto number = [&](std::size_t column, const char* what) {
      if (column >= words.size())
        throw InputError(where(words.back()), fmt::format("the line ends where its {} has to stand", what));
      const auto value = parse_real(words[column].text);
      if (!value || *value < 0)
        throw InputError(where(words[column]), fmt::format("{} has to be a number, not {}", what,
                                                           backquoted(std::string(words[column].text))));
      return *value;
    };
    const double bytes = number(columns_->size, "size"), us = number(columns_->time, "time");
    if (bytes == 0) return;  // nccl-tests measure collectives of nothing, too
    if (us == 0) throw InputError(where(words[columns_->time]), "a collective takes more than 0 us");
    const double of_algorithm = number(columns_->algorithm_bandwidth, "algbw"),
                 of_bus = number(columns_->bus_bandwidth, "busbw");
    if (of_algorithm > 0) ratio_ = of_bus / of_algorithm;
    adds_ = words[columns_->operation].text != "none";
    rows_.push_back({CollectiveKind::all_reduce, group(), bytes, us * 1e-6, where(words.front())});
  }

  GroupPlacement group() const {
    const int nodes = static_cast<int>(nodes_.size());
    if (members_ % nodes != 0)
      throw InputError({file_}, fmt::format("has {} GPUs on {} nodes; a group that is not spread evenly "
                                            "cannot be calibrated from",
                                            members_, nodes));
    return {members_, members_ / nodes};
  }

  // Says of which kind the rows of the table are that ends.
  void settle_kind() {
    if (settled_ == rows_.size()) return;
    const CollectiveKind kind = kind_of_table();
    for (; settled_ < rows_.size(); ++settled_) rows_[settled_].kind = kind;
  }

  CollectiveKind kind_of_table() const {
    if (asked_) return *asked_;
    if (named_) return *named_;
    const double share = (members_ - 1.0) / members_;
    const auto is = [&](double expected) { return std::abs(ratio_ - expected) < 0.1 * expected; };
    if (adds_ && members_ > 2 && is(2 * share)) return CollectiveKind::all_reduce;
    if (adds_ && is(share)) return CollectiveKind::reduce_scatter;
    throw InputError(rows_[settled_].where,
                     "this table does not tell of which collective it is; give it by `--kind`, such as "
                     "`--kind=all-gather`");
  }

  const std::string& file_;
  std::optional<CollectiveKind> asked_, named_;
  int members_ = 0;
  std::set<std::string, std::less<>> nodes_;
  std::optional<Columns> columns_;
  std::vector<MeasuredCollective> rows_;
  std::size_t settled_ = 0;  // rows whose kind is known
  // Of the last row whose bandwidths are above 0: bus bandwidth over algorithm bandwidth, and whether it adds
  // up.
  double ratio_ = 0;
  bool adds_ = false;
};

}  // namespace

bool is_nccl_tests(std::string_view text) {
  return text.find("algbw") != text.npos && text.find("busbw") != text.npos;
}

std::vector<MeasuredCollective> read_nccl_tests(std::string_view text, const std::string& file,
                                                std::optional<CollectiveKind> kind) {
  return NcclTests(file, kind).read(text);
}

}  // namespace orrery::core
