// Errors as values: what is wrong, where, and what to do.
//
//   auto experiment = orrery::Experiment::load("step.yaml");
//   if (!experiment)
//     for (const orrery::Problem& problem : experiment.problems()) std::cerr << problem << '\n';
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "orrery/export.hpp"

namespace orrery {

// Tells problems apart by who can do something about them.
enum class ProblemKind : std::uint8_t {
  input,     // the caller gave something that is wrong, or that this machine is too small for
  stall,     // a simulation cannot go on; the message says which rank waits for what
  stopped,   // the caller asked to stop
  internal,  // a fault of Orrery, which its authors would like to know
};

// One thing that is wrong.
struct Problem {
  ProblemKind kind = ProblemKind::input;  // who can do something about it
  // "file:line:column" in a file, "experiment.workload.model" in a Document; empty where it is not known.
  std::string place;
  std::string message;  // what is wrong, and mostly what to do
  std::string hint;  // what to do, where the message says that after a semicolon; it is a part of the message
  std::string run;   // name of the run, for a problem of one of several runs

  // Returns "place: error: message".
  ORRERY_API std::string text() const;
};
ORRERY_API std::ostream& operator<<(std::ostream& out, const Problem& problem);

// Several of them, in the order in which they were found.
using Problems = std::vector<Problem>;

// Thrown by Result::value() where there is no value. what() has a line for each problem.
class ORRERY_API Error : public std::runtime_error {
 public:
  // Requires at least one problem.
  explicit Error(Problems problems);
  // Returns what it was made of.
  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

// Holds a value, or the problems because of which there is none. Several threads may read one result.
template <class Value>
class [[nodiscard]] Result {
 public:
  Result(Value value) : value_(std::move(value)) {}
  // Requires at least one problem.
  Result(Problems problems) : problems_(std::move(problems)) {}
  Result(Problem problem) : problems_{std::move(problem)} {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  // Empty where there is a value.
  const Problems& problems() const { return problems_; }

  // Throws Error where there is no value.
  const Value& value() const& {
    require();
    return *value_;
  }
  Value&& value() && {
    require();
    return *std::move(value_);
  }
  // Require a value.
  const Value& operator*() const& { return *value_; }
  Value&& operator*() && { return *std::move(value_); }
  const Value* operator->() const { return &*value_; }

 private:
  void require() const {
    if (!value_) throw Error(problems_);
  }

  std::optional<Value> value_;
  Problems problems_;
};

}  // namespace orrery
