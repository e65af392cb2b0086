// Reads what the programs of nccl-tests (all_reduce_perf and its like) print.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/library/collective_library.hpp"

namespace orrery::core {

struct MeasuredCollective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  GroupPlacement group{2, 2};
  double bytes = 0;    // of the whole tensor
  double seconds = 0;  // out of place
  SourceLocation where;
};

// Returns whether a text looks like that.
bool is_nccl_tests(std::string_view text);

// Returns the rows of all tables in the text. The group is that of the lines `# Rank`, one for each GPU. The
// kind of collective is that which the text names or, in older versions, that which the ratio of its
// bandwidths and its operation tell; `kind` says it where several have the same. Throws InputError.
std::vector<MeasuredCollective> read_nccl_tests(std::string_view text, const std::string& file,
                                                std::optional<CollectiveKind> kind);

}  // namespace orrery::core
