#include "support/random_trace_files.hpp"

#include <fmt/format.h>

#include <vector>

#include "support/trace_text.hpp"

namespace orrery::core::test {
namespace {

// One step of all ranks, which each of them takes in its own way.
struct Step {
  int id = 0;
  std::string after;  // words that say which step it waits for
  int form = 0;       // 0 to 99: computes, sends or receives a message, or takes part in a collective
  int duration = 0, type = 0, bytes = 0, shift = 1;
  bool grouped = false;
};

Step random_step(Random& random, int id, int npus, bool equal) {
  Step step;
  step.id = id;
  step.form = random.between(0, 99);
  step.duration = random.between(0, 60);
  if (id > 1) step.after = fmt::format(" after={}", random.chance(70) ? id - 1 : random.between(1, id - 1));
  step.type = random.pick<int>({0, 0, 2, 6, 8});
  step.bytes = random.pick<int>({1000, 65536, 1 << 20, 5 << 20});
  step.grouped = !equal && random.chance(50);
  step.shift = random.between(1, npus - 1);
  return step;
}

std::string compute(const Step& step, int extra) {
  return fmt::format("compute {} name=c{}{} duration={} num_ops=1000 tensor_size=1000\n", step.id, step.id,
                     step.after, step.duration + extra);
}

// Even ranks send to odd ones.
std::string message(const Step& step, int rank, int npus) {
  const int half = npus / 2, place = rank / 2;
  if (rank % 2 == 0)
    return fmt::format("send {} name=s{}{} comm_size={} comm_tag={} comm_dst={}\n", step.id, step.id,
                       step.after, step.bytes, step.id, ((place + step.shift) % half) * 2 + 1);
  return fmt::format("receive {} name=r{}{} comm_size={} comm_tag={} comm_src={}\n", step.id, step.id,
                     step.after, step.bytes, step.id, ((((place - step.shift) % half) + half) % half) * 2);
}

std::string line_of(const Step& step, int rank, int npus, int group_size, bool equal) {
  const bool pairs = !equal && npus % 2 == 0;
  if (step.form < 35 || (step.form < 60 && !pairs)) return compute(step, equal ? 0 : rank % 3);
  if (step.form < 60) return message(step, rank, npus);
  const std::string group = step.grouped ? fmt::format(" pg_name:string={}", 1 + rank / group_size) : "";
  return fmt::format("collective {} name=a{}{} comm_type={} comm_size={}{}\n", step.id, step.id, step.after,
                     step.type, step.bytes, group);
}

std::string groups_of(int npus, int size) {
  std::string groups;
  for (int rank = 0; rank < npus; ++rank)
    groups += rank % size != 0 ? fmt::format(", {}", rank)
                               : fmt::format("{}\"{}\": [{}", rank == 0 ? "" : "], ", 1 + rank / size, rank);
  return "{ " + groups + "] }\n";
}

}  // namespace

RandomTraceFiles random_trace_files(Random& random, int npus) {
  const bool equal = random.chance(35);
  const int size = random.pick<int>({1, 2, 4}), steps = random.between(2, 10);
  std::vector<std::string> traces(static_cast<std::size_t>(npus));
  for (int id = 1; id <= steps; ++id) {
    const Step step = random_step(random, id, npus, equal);
    for (int rank = 0; rank < npus; ++rank)
      traces[static_cast<std::size_t>(rank)] += line_of(step, rank, npus, size, equal);
  }
  RandomTraceFiles made;
  if (equal) {
    made.files["t.et"] = trace_of_text(traces[0]);
    return made;
  }
  for (int rank = 0; rank < npus; ++rank)
    made.files[fmt::format("t.{}.et", rank)] = trace_of_text(traces[static_cast<std::size_t>(rank)]);
  made.groups = "groups.json";
  made.files[made.groups] = groups_of(npus, size);
  return made;
}

}  // namespace orrery::core::test
