// What the public class of findings holds.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/problems.hpp"
#include "orrery/findings.hpp"
#include "report/table/row_sink.hpp"

namespace orrery {

struct Findings::State {
  std::vector<std::shared_ptr<const core::TypedTable>> tables;
  std::string json, text;
  std::vector<std::string> warnings;
};

namespace core {

// The tables may refer to what the caller has: they are copied at once.
Findings findings_of(const std::vector<NamedRows>& tables, const nlohmann::ordered_json& json,
                     std::string text, const Warnings& warnings);

// Returns the rows as programs see them.
orrery::Table table_of(const NamedRows& rows);

// Calls a function that finds something, and makes problems of what it throws.
template <class Find>
auto found_by(const Find& find) -> Result<decltype(find())> {
  try {
    return find();
  } catch (...) {
    return problem_of_exception();
  }
}

}  // namespace core
}  // namespace orrery
