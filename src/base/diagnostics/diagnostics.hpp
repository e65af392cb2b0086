// Reports users' mistakes as located errors and warnings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace orrery::core {

// A place in an input. Line and column count from 1; 0 means "the file as a whole". `file` may also be the
// name of a command-line option, e.g. "--num-passes".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;

  std::string text() const;  // "file:line:column", without the parts that are not known
};

// Reports bad input. It ends the work at hand; what() is "file:line:column: error: what is wrong, what to
// do".
class InputError : public std::runtime_error {
 public:
  InputError(const SourceLocation& where, const std::string& what_and_what_to_do);

  const SourceLocation& where() const { return facts_->where; }
  // Returns what is wrong and what to do, without the place.
  const std::string& message() const { return facts_->message; }

 private:
  struct Facts {
    SourceLocation where;
    std::string message;
  };
  std::shared_ptr<const Facts> facts_;  // shared, so that copying an error cannot fail
};

// Returns the text of an error without "error: " in front. It is for callers that know the place of an error
// which has none itself.
std::string text_of(const InputError& error);
// Calls a function, and throws its InputErrors that have no place with this one.
void with_place(const SourceLocation& where, const std::function<void()>& function);

// Says what a check finds wrong with an input, if anything is. Some callers throw it; others only ask whether
// there is something.
using InputFault = std::optional<InputError>;
// Throws what is wrong, if anything is.
void throw_if(const InputFault& fault);
// Returns what is wrong with something that is tried, such as a run with another value, and that as a whole
// may be impossible. It is for reading and for simulating, which find out only on their way; a check returns
// its fault itself.
[[nodiscard]] InputFault fault_in(const std::function<void()>& attempt);
// Returns the same, at this place if it has none itself.
[[nodiscard]] InputFault with_place(const SourceLocation& where, InputFault fault);

// Reports a run that cannot go on although no input is malformed; what() says which rank waits for what.
class StallError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // The message is `what`, followed by the first of `lines`. There may be no lines.
  StallError(const std::string& what, const std::vector<std::string>& lines);
};

// Ends work because the caller asked to stop it.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped before the end") {}
};

// Collects warnings ("file:line:column: warning: ..."), each text once. The owner of the collection prints
// them.
class Warnings {
 public:
  void add(const SourceLocation& where, const std::string& text);
  void add_all(const Warnings& others);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add_line(std::string line);

  std::vector<std::string> lines_;
  std::unordered_set<std::string> known_;
};

}  // namespace orrery::core
