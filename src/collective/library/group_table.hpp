// Reads tables of collectives on groups as CSV: collectives to ask a library for, perhaps with their measured
// times.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/csv_rows.hpp"
#include "collective/library/collective_library.hpp"

namespace orrery::core {

// The way in which a benchmark measures the time of a collective.
enum class TimedBy : std::uint8_t { kernel, call };
inline constexpr std::array<EnumName<TimedBy>, 2> timed_by_words{{
    {"kernel", TimedBy::kernel},  // time of its kernel, or of many calls queued in a row
    {"call", TimedBy::call},      // time of a call that waited for the call before it: the host's time counts
}};

struct GroupRow {
  ClusterLinks links;
  LibraryOperation operation = CollectiveKind::all_reduce;
  GroupPlacement group{2, 2};
  double bytes = 0;
  std::optional<LibraryAlgorithm> algorithm;  // empty: the library chooses
  TimedBy timed_by = TimedBy::kernel;
  std::optional<double> seconds;  // measured time
  SourceLocation where;
};

// Throws InputError at the row's place for groups that the machine cannot have, and for what the library
// lacks.
CollectiveCost cost_of(const GroupRow& row, const LibraryConstants& constants, Warnings& warnings);

// Throws InputError at `where` for an operation that has but one algorithm in a library.
void require_several_algorithms(const LibraryOperation& operation, const LibraryConstants& constants,
                                const SourceLocation& where);

// Returns the class of links inside a node where nobody names one: those of an H100, or the library's first.
const char* usual_link(const LibraryConstants& constants);

// Returns how many GPUs of a group are in each node where nobody says it: as many as can be.
int most_per_node(const ClusterLinks& links, int members);

// Reads a CSV file as csv_rows() has it. Throws InputError.
std::vector<GroupRow> read_group_table(std::string_view text, const std::string& file);

std::vector<KeyPath> group_table_columns();

}  // namespace orrery::core
