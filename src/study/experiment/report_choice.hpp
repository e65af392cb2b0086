// Says which runs of an experiment write reports of their own, beside the tables that hold a row of every
// run.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/input/input_node.hpp"

namespace orrery::core {

class ReportChoice {
 public:
  // If there are more runs than this, none writes reports unless it is asked to: the files, ten for each run,
  // would take longer than most simulations.
  static constexpr std::size_t max_unasked = 100;

  // Chooses all runs, if they are no more than that.
  ReportChoice() = default;
  // Reads the key `reports` of an experiment file: `all`, `none` or a list of runs, which have to be among
  // `runs`.
  ReportChoice(const InputNode& node, const std::set<std::string>& runs);
  // Reads the flag --reports, which is the same, except that a list has names with commas between them.
  ReportChoice(std::string_view text, const std::set<std::string>& runs);

  bool wants(const std::string& run, std::size_t runs) const;

 private:
  enum class Kind { few, all, none, named };

  void add(const std::string& name, const std::set<std::string>& runs, const SourceLocation& where);

  Kind kind_ = Kind::few;
  std::set<std::string> names_;
};

}  // namespace orrery::core
