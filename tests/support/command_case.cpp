#include "support/command_case.hpp"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test {

namespace fs = std::filesystem;

namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

constexpr const char* forms_of_files =
    "a file is '=== file NAME', '=== trace NAME', '=== repository NAME' or '=== no NAME'";

// A word in double quotes may hold blanks.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

class Parser {
 public:
  Parser(const std::string& text, std::string name) : name_(std::move(name)) {
    if (!text.empty() && text.back() != '\n') {
      line_ = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
      fail("the last line lacks its end");
    }
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  CommandCase parse() {
    while (!at_end() && current().starts_with("#")) ++line_;
    if (!at_end() && current().starts_with("$ ")) command();
    while (!at_end()) section();
    return std::move(case_);
  }

 private:
  bool at_end() const { return line_ > static_cast<int>(lines_.size()); }
  const std::string& current() const { return lines_[static_cast<std::size_t>(line_ - 1)]; }
  static bool is_header(const std::string& line) {
    return line.starts_with("--- ") || line.starts_with("=== ");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(name_ + ":" + std::to_string(line_) + ": " + what);
  }

  void command() {
    std::vector<std::string> words = words_of(current());
    if (words.size() < 2 || words[1] != "orrery") fail("the command must begin with '$ orrery'");
    case_.command = std::vector<std::string>(words.begin() + 2, words.end());
    ++line_;
  }

  void section() {
    const std::vector<std::string> words = words_of(current());
    if (!is_header(current()) || words.size() < 2)
      fail("expected '# comment', '$ orrery ...', '--- section' or '=== file NAME' in this order");
    const bool escaped = words.back() == "escaped";
    const std::vector<std::string> header(words.begin(), words.end() - (escaped ? 1 : 0));
    if (header.front() == "---")
      expectation(header, escaped);
    else
      file(header, escaped);
  }

  void expectation(const std::vector<std::string>& header, bool escaped) {
    const std::string& what = header.size() > 1 ? header[1] : header[0];
    if (what == "exit" && header.size() == 3 && !escaped) {
      case_.exit_code = exit_code(header[2]);
      expect_no_text();
    } else if (what == "stderr" && header.size() == 2) {
      if (!case_.error.empty()) fail("there are two sections of stderr");
      case_.error = text(escaped);
    } else if (what == "stdout" && header.size() == 2) {
      if (case_.output) fail("there are two sections of stdout");
      case_.output = text(escaped);
    } else if (what == "wrote" && header.size() == 3) {
      case_.results.push_back({header[2], ""});
      case_.results.back().text = text(escaped);
    } else if (what == "files" && header.size() == 2 && !escaped) {
      std::istringstream names(text(false));
      for (std::string name; std::getline(names, name);) case_.written.push_back(name);
    } else {
      fail(
          "a section is '--- stderr', '--- stdout', '--- wrote FILE', each of which may be 'escaped', "
          "'--- exit CODE' or '--- files'");
    }
  }

  void file(const std::vector<std::string>& header, bool escaped) {
    if (header.size() != 3) fail(forms_of_files);
    const std::string& name = header[2];
    if (std::ranges::any_of(case_.files, [&](const CaseFile& other) { return other.name == name; }))
      fail("the file '" + name + "' is there twice");
    if (header[1] == "file") {
      case_.files.push_back({CaseFile::Kind::bytes, name, text(escaped)});
    } else if (header[1] == "trace") {
      case_.files.push_back({CaseFile::Kind::trace, name, text(escaped)});
    } else if ((header[1] == "no" || header[1] == "repository") && !escaped) {
      case_.files.push_back(
          {header[1] == "no" ? CaseFile::Kind::absent : CaseFile::Kind::repository, name, ""});
      expect_no_text();
    } else {
      fail(forms_of_files);
    }
  }

  int exit_code(const std::string& word) const {
    int code = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), code);
    if (error != std::errc() || end != word.data() + word.size()) fail("'" + word + "' is no exit code");
    if (case_.exit_code) fail("there are two exit codes");
    return code;
  }

  void expect_no_text() {
    ++line_;
    if (!at_end() && !is_header(current())) fail("there is text below a header that has none");
  }

  // The lines below the current header, which is passed.
  std::string text(bool escaped) {
    std::string all;
    for (++line_; !at_end() && !is_header(current()); ++line_) {
      const std::string& line = current();
      if (std::ranges::any_of(line, [](char c) { return is_control(c) && c != '\t'; }))
        fail("there is a control character: write \\xHH and 'escaped' behind the header");
      if (escaped && !append_unescaped(line, all)) continue;
      if (!escaped) all += line;
      all += '\n';
    }
    return all;
  }

  // Returns whether the line has an end. It has none if a backslash stands there.
  bool append_unescaped(const std::string& line, std::string& bytes) const {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] != '\\') {
        bytes += line[i];
        continue;
      }
      if (i + 1 == line.size()) return false;
      const char kind = line[++i];
      if (kind == '\\') {
        bytes += '\\';
      } else if (kind == 'r') {
        bytes += '\r';
      } else if (kind == 'x') {
        bytes += byte_at(line, i + 1);
        i += 2;
      } else {
        fail("'\\" + std::string(1, kind) +
             R"(' is no escape: \\, \r, \xHH, and \ at the end of a line are)");
      }
    }
    return true;
  }

  char byte_at(const std::string& line, std::size_t place) const {
    unsigned value = 0;
    const char* const begin = line.data() + place;
    const char* const end = line.data() + std::min(place + 2, line.size());
    if (end - begin != 2 || std::from_chars(begin, end, value, 16).ptr != end)
      fail("\\x needs two hexadecimal digits");
    return static_cast<char>(value);
  }

  std::string name_;
  std::vector<std::string> lines_;
  int line_ = 1;  // from 1
  CommandCase case_;
};

}  // namespace

CommandCase parse_command_case(const std::string& text, const std::string& name) {
  return Parser(text, name).parse();
}

void write_inputs(const CommandCase& command_case, const fs::path& folder) {
  for (const CaseFile& file : command_case.files) {
    const fs::path path = folder / file.name;
    fs::remove(path);
    fs::create_directories(path.parent_path());
    switch (file.kind) {
      case CaseFile::Kind::absent:
        break;
      case CaseFile::Kind::bytes:
        write_file_atomically(path.string(), file.text);
        break;
      case CaseFile::Kind::trace:
        write_file_atomically(path.string(), trace_of_text(file.text));
        break;
      case CaseFile::Kind::repository:
        fs::copy_file(fs::path(source_dir()) / file.name, path);
        break;
    }
  }
}

Outcome call_in(const fs::path& folder, const CommandCase& command_case) {
  const fs::path start = fs::current_path();
  fs::current_path(folder);
  Outcome outcome = call_orrery(command_case.command.value());
  fs::current_path(start);
  return outcome;
}

std::vector<std::string> all_cases_below(const fs::path& folder) {
  std::vector<std::string> cases;
  for (const auto& group : fs::directory_iterator(folder)) {
    if (!group.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(group)) {
      if (entry.path().filename() == "common.txt") continue;
      const bool is_text = entry.is_regular_file() && entry.path().extension() == ".txt";
      const fs::path name = fs::relative(entry.path(), folder);
      cases.push_back(is_text ? fs::path(name).replace_extension().string() : name.string());
    }
  }
  std::ranges::sort(cases);
  return cases;
}

std::string test_name_of(std::string case_name) {
  std::ranges::replace_if(
      case_name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return case_name;
}

}  // namespace orrery::core::test
