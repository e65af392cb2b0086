#include "study/experiment/report_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/unreachable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/input/node_reader.hpp"

namespace orrery::core {

ReportChoice::ReportChoice(const InputNode& node, const std::set<std::string>& runs) {
  if (node.kind == InputNode::Kind::list) {
    kind_ = Kind::named;
    for (const InputNode& name : list_of(node, "reports"))
      add(scalar_of(name, "reports[]"), runs, name.where);
    return;
  }
  const std::string text = node.kind == InputNode::Kind::scalar ? node.text : "";
  if (text != "all" && text != "none") reject_value(node, "reports", "`all`, `none` or a list of runs");
  kind_ = text == "all" ? Kind::all : Kind::none;
}

ReportChoice::ReportChoice(std::string_view text, const std::set<std::string>& runs) {
  kind_ = text == "all" ? Kind::all : text == "none" ? Kind::none : Kind::named;
  if (kind_ != Kind::named) return;
  while (!text.empty()) {
    const std::string name(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    add(name, runs, {"--reports"});
  }
}

bool ReportChoice::wants(const std::string& run, std::size_t runs) const {
  switch (kind_) {
    case Kind::few:
      return runs <= max_unasked;
    case Kind::all:
      return true;
    case Kind::none:
      return false;
    case Kind::named:
      return names_.contains(run);
  }
  unreachable("every choice of runs says which it wants");
}

void ReportChoice::add(const std::string& name, const std::set<std::string>& runs,
                       const SourceLocation& where) {
  if (!runs.contains(name)) {
    const std::vector<std::string_view> known(runs.begin(), runs.end());
    const std::string meant = suggestion(name, known);
    throw InputError(where, fmt::format("there is no run {}{}", backquoted(name),
                                        meant.empty() ? "; write `all`, `none` or names of runs" : meant));
  }
  names_.insert(name);
}

}  // namespace orrery::core
