// Which runs of a sweep are meant, by their places among all.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "study/store/run_store.hpp"

namespace orrery::core {

// Says of the number of a run whether it is asked for. Several threads may ask. Empty: all runs are.
using RunChoice = std::function<bool(std::size_t number)>;

// A list of numbers that rise. A sweep may have millions, so neighbours are kept as ranges.
class RunNumbers {
 public:
  // Adds a number, which is above all that are there.
  void add(std::size_t number);
  bool contains(std::size_t number) const;
  std::size_t size() const { return size_; }

  // Returns a text such as "0-15,32,48-63".
  std::string text() const;

 private:
  std::vector<RunRange> ranges_;  // each begins behind the end of the one before
  std::size_t size_ = 0;
};

// Reads such a text, in which numbers have to rise. Throws InputError at `where`.
RunNumbers read_run_numbers(std::string_view text, const SourceLocation& where);

}  // namespace orrery::core
