// Written algorithms as programs of their members.
#include <fmt/format.h>

#include <algorithm>

#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/program_builder.hpp"
#include "collective/algorithms/written/written_source.hpp"

namespace orrery::core {
namespace {

// A program in which a GPU prepares each message that it sends, and each that it receives.
class WrittenProgram {
 public:
  WrittenProgram(const WrittenAlgorithm::Gpu& gpu, Bytes all, std::uint32_t chunks)
      : gpu_(gpu), all_(all), chunks_(chunks) {}

  MemberProgram make() {
    for (const WrittenAlgorithm::Block& block : gpu_.blocks) add(block);
    for (std::size_t block = 0; block < gpu_.blocks.size(); ++block)
      for (std::size_t number = 0; number < gpu_.blocks[block].steps.size(); ++number)
        if (const auto after = gpu_.blocks[block].steps[number].after)
          program_.wait(spans_[block][number].first, spans_[after->block][after->step].last);
    MemberProgram program = program_.finish();
    program.name = "written algorithm";
    return program;
  }

 private:
  using Kind = MemberProgram::Kind;
  using Steps = ProgramBuilder::Steps;
  struct Span {  // of steps of the program
    std::uint32_t first, last;
  };

  void add(const WrittenAlgorithm::Block& block) {
    std::vector<Span>& spans = spans_.emplace_back();
    for (const WrittenAlgorithm::Step& step : block.steps) {
      const Steps before = spans.empty() ? Steps{} : Steps{spans.back().last};
      const auto first = static_cast<std::uint32_t>(program_.steps().size());
      spans.push_back({first, add(step, block, before)});
    }
  }

  // Returns the step after which the block goes on. The block does not wait until its message has been
  // delivered. A copy or a sum within a GPU takes no time.
  std::uint32_t add(const WrittenAlgorithm::Step& step, const WrittenAlgorithm::Block& block, Steps before) {
    const auto [receives, reduces, copies, sends] = step.does;
    const Bytes bytes = share(step.count);
    if (!receives && !sends) return program_.add({.kind = Kind::compute}, before);
    if (receives)
      before = {program_.add(
          {.kind = Kind::receive, .peer = *block.from, .bytes = bytes, .tag = block.channel}, before)};
    before = {program_.add({.kind = Kind::prepare,
                            .bytes = bytes,
                            .arrived = receives,
                            .reduces = reduces,
                            .passed_on = receives && sends},
                           before)};
    if (sends)
      program_.add({.kind = Kind::send, .peer = *block.to, .bytes = bytes, .tag = block.channel}, before);
    return before[0];
  }

  // Returns the bytes of this many chunks. Chunks times bytes might be too large a number.
  Bytes share(std::uint32_t count) const {
    return all_ / chunks_ * count + Bytes(all_.count() % chunks_ * count / chunks_);
  }

  const WrittenAlgorithm::Gpu& gpu_;
  Bytes all_;  // in the larger one of input and output
  std::uint32_t chunks_;
  ProgramBuilder program_;
  std::vector<std::vector<Span>> spans_;  // by block and step
};

// Returns the bytes in the larger one of input and output. MSCCL compares these with the limits of a file.
Bytes bytes_of_all(const PhaseRequest& request) {
  return request.kind == CollectiveKind::all_gather ? request.input * request.members : request.input;
}

bool has_size(const WrittenAlgorithm& algorithm, Bytes all) {
  return all >= algorithm.least && (!algorithm.most || all <= *algorithm.most);
}

bool fits(const WrittenAlgorithm& algorithm, const PhaseRequest& request) {
  const Bytes all = bytes_of_all(request);
  return has_size(algorithm, all) && (algorithm.any_size || all.count() % algorithm.chunks == 0);
}

std::string what_fits(const WrittenAlgorithm& algorithm, const PhaseRequest& request) {
  if (has_size(algorithm, bytes_of_all(request)))
    return fmt::format("multiples of {} bytes, as it cuts them into so many chunks (`nchunksperloop`)",
                       algorithm.chunks);
  const std::string least = fmt::format("at least {}", algorithm.least.count());
  return algorithm.most ? fmt::format("{} and at most {} bytes", least, algorithm.most->count())
                        : least + " bytes";
}

// `algorithm` is null where nothing is written for the kind and the number of members.
[[noreturn]] void refuse(const WrittenAlgorithm* algorithm, const PhaseRequest& request) {
  const WrittenSource& source = *request.written;
  const bool other_kind = source.only_kind() && request.kind != *source.only_kind();
  throw InputError(
      request.where,
      fmt::format("{} is for {}, but this phase is {} of {} bytes{} among {}: say with "
                  "`otherwise` which algorithm runs what the file does not{}",
                  source.name(), algorithm ? what_fits(*algorithm, request) : source.what_for(),
                  name_of(request.kind), bytes_of_all(request).count(),
                  request.kind == CollectiveKind::all_gather ? " in all" : "", request.members,
                  other_kind ? ", or make the collective one phase by `span: machine` or `all-reduce-shape: "
                               "baseline`"
                             : ""));
}

Schedule make_written(const PhaseRequest& request) {
  const WrittenAlgorithm* const written = request.written->find(request.kind, request.members);
  if (!written || !fits(*written, request)) {
    if (!request.otherwise) refuse(written, request);
    return request.otherwise->make(request);
  }
  const WrittenAlgorithm& algorithm = *written;
  const Bytes all = bytes_of_all(request);
  ProgramSchedule schedule;
  for (std::uint32_t position = 0; position < request.members; ++position) {
    schedule.members.push_back({position, 0});
    schedule.programs.push_back(WrittenProgram(algorithm.gpus[position], all, algorithm.chunks).make());
  }
  return schedule;
}

}  // namespace

const AlgorithmKind msccl_algorithm{.name = "msccl", .make = make_written, .from_file = true};

}  // namespace orrery::core
