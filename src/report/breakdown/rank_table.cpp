#include "report/breakdown/rank_table.hpp"

#include <vector>

namespace orrery::core {

namespace {

constexpr Column<ClassTimeRow> columns[] = {
    {"rank", "", "Number of the NPU, the lowest of those for which the line stands.",
     [](auto& row) { return row.of.rank; }},
    {"npus", "", "Number of NPUs for which the line stands.", [](auto& row) { return row.of.ranks; }},
    {"part", "", "Name of its part of the program. It is empty where all NPUs run the same program.",
     [](auto& row) { return std::string_view(row.program.parts[row.of.part].name); }},
    {"end_us", "us", "Time at which the NPU ends.", [](auto& row) { return row.of.end; }},
    {"compute_us", "us", "Time in which it computes. The next four columns are parts of it.",
     [](auto& row) { return row.of.parts.compute; }},
    {"host_us", "us", "The part in which only its host computes, or launches what it is to compute.",
     [](auto& row) { return row.of.parts.host; }},
    {"remote_memory_us", "us",
     "The part in which it does nothing but load from or store to memory beyond its own.",
     [](auto& row) { return row.of.parts.memory; }},
    {"update_us", "us", "The part in which it updates weights.",
     [](auto& row) { return row.of.parts.update; }},
    {"contention_us", "us",
     "The part by which computation takes longer because collectives beside it take processors and memory "
     "bandwidth from it.",
     [](auto& row) { return row.of.parts.contention; }},
    {"bubble_us", "us", "Time in which it waits and would wait even if communication took no time.",
     [](auto& row) { return row.of.parts.bubble; }},
    {"exposed_us", "us", "Exposed communication: all other time in which it waits.",
     [](auto& row) { return row.of.parts.exposed; }},
    {"idle_us", "us",
     "Time after its own end. Compute, bubble, exposed communication and idle time add up to the total of "
     "the "
     "run.",
     [](auto& row) { return row.of.parts.idle; }},
};

}  // namespace

const Table<ClassTimeRow> rank_time_table(columns);

TableRows rank_times_rows(const Program& program, const Breakdown& breakdown) {
  constexpr std::size_t most = 10'000;
  if (breakdown.classes.size() < 2 || breakdown.classes.size() > most) return {};
  std::vector<ClassTimeRow> rows;
  for (const ClassTime& one : breakdown.classes) rows.push_back({program, one});
  return {rank_time_table, std::move(rows)};
}

}  // namespace orrery::core
