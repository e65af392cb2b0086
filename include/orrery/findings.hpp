// What a study found: tables, and what the program prints of it.
//
//   const orrery::Findings found = orrery::explain(run).value();
//   std::cout << found.text();
//   const orrery::Table blame = found.table("blame").value();
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/table.hpp"

namespace orrery {

namespace core {
struct Access;
}

// How a study is carried out. No result depends on it.
struct StudyOptions {
  int threads = 0;  // simulations at a time; 0: one for each core
  // Asks the study to stop, which it does at the latest when the simulations under way have ended.
  std::stop_token stop = {};
  // Gets the share of the work that is done, from 0 to 1, now and then and by one thread at a time, which
  // need not be the caller's. A study of several parts begins at 0 again with each. It must not throw.
  std::function<void(double share)> progress = {};
};

// Copies share what they hold, which never changes, so several threads may use one.
class ORRERY_API Findings {
 public:
  struct State;
  explicit Findings(std::shared_ptr<const State> state);

  // Returns the names of the tables, in the order in which the program shows them.
  std::vector<std::string> tables() const;
  // Returns the table of that name. The problem says which ones there are, where there is none of that name.
  Result<Table> table(std::string_view name) const;
  // Returns everything in one object of JSON, as the program's command prints it with --json.
  const std::string& json() const;
  // Returns what the program's command prints.
  const std::string& text() const;
  // Returns the warnings that the study gave, each with its place.
  const std::vector<std::string>& warnings() const;

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

}  // namespace orrery
