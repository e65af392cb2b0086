#include "collective/algorithms/written/written_check.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace orrery::core {
namespace {

using Buffer = WrittenAlgorithm::Buffer;
using Place = WrittenAlgorithm::Place;
using Step = WrittenAlgorithm::Step;

// Numbers sets of GPUs, and keeps each set once.
class GpuSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = 0;

  explicit GpuSets(std::uint32_t gpus) : words_((gpus + 63) / 64) {
    number(Words(words_));
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      Words alone(words_);
      alone[gpu / 64] = std::uint64_t{1} << gpu % 64;
      number(std::move(alone));
    }
  }

  static Id of(std::uint32_t gpu) { return gpu + 1; }
  Id both(Id a, Id b) {
    Words words = *sets_[a];
    for (std::size_t i = 0; i < words_; ++i) words[i] |= (*sets_[b])[i];
    return number(std::move(words));
  }
  // Returns a GPU that is in both sets; none if they have no GPU in common.
  std::optional<std::uint32_t> in_both(Id a, Id b) const {
    for (std::uint32_t i = 0; i < words_; ++i)
      if (const std::uint64_t common = (*sets_[a])[i] & (*sets_[b])[i])
        return i * 64 + static_cast<std::uint32_t>(std::countr_zero(common));
    return std::nullopt;
  }
  bool has(Id set, std::uint32_t gpu) const { return (*sets_[set])[gpu / 64] >> gpu % 64 & 1; }

 private:
  using Words = std::vector<std::uint64_t>;

  Id number(Words words) {
    const auto [found, is_new] = numbers_.try_emplace(std::move(words), static_cast<Id>(sets_.size()));
    if (is_new) sets_.push_back(&found->first);
    return found->second;
  }

  std::size_t words_;
  std::map<Words, Id> numbers_;
  std::vector<const Words*> sets_;
};

// A place holds the sum of one chunk of the inputs of some GPUs. Without any GPU nothing has been written
// there.
struct Sum {
  std::uint32_t chunk = 0;
  GpuSets::Id gpus = GpuSets::none;
};

class WrittenRun {
 public:
  explicit WrittenRun(const WrittenAlgorithm& algorithm) : algorithm_(algorithm), sets_(algorithm.size()) {
    for (std::uint32_t gpu = 0; gpu < algorithm_.size(); ++gpu) {
      GpuState& state = gpus_.emplace_back();
      for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
        state.buffers[static_cast<std::size_t>(buffer)].resize(
            aliased(buffer) ? 0 : algorithm_.chunks_of(gpu, buffer));
      for (std::uint32_t chunk = 0; chunk < algorithm_.chunks_of(gpu, Buffer::input); ++chunk)
        at(gpu, {Buffer::input, chunk}) = {chunk, GpuSets::of(gpu)};
      state.blocks.resize(algorithm_.gpus[gpu].blocks.size());
      for (std::uint32_t block = 0; block < state.blocks.size(); ++block) join(gpu, block);
    }
  }

  void check() {
    for (std::uint32_t gpu = 0; gpu < algorithm_.size(); ++gpu)
      for (std::uint32_t block = 0; block < gpus_[gpu].blocks.size(); ++block) {
        ready_.push_back({gpu, block});
        while (!ready_.empty()) {
          const BlockId next = ready_.front();
          ready_.pop_front();
          run(next);
        }
      }
    refuse_waiting();
    refuse_unreceived();
    check_result();
  }

 private:
  struct BlockId {
    std::uint32_t gpu = 0, block = 0;
  };
  struct Message {
    std::vector<Sum> chunks;
    const Step* sent_by;
  };
  struct Connection {  // of a channel, from a GPU to another one
    std::optional<BlockId> sender, receiver;
    std::deque<Message> under_way;
  };
  struct BlockState {
    std::uint32_t next = 0;  // step
    Connection *to = nullptr, *from = nullptr;
    std::vector<BlockId> waiting;  // for steps of this block
  };
  struct GpuState {
    std::array<std::vector<Sum>, 3> buffers;  // by Buffer
    std::vector<BlockState> blocks;
  };

  const WrittenAlgorithm::Block& written(BlockId id) const {
    return algorithm_.gpus[id.gpu].blocks[id.block];
  }
  BlockState& state(BlockId id) { return gpus_[id.gpu].blocks[id.block]; }
  [[noreturn]] void refuse(const WrittenAlgorithm::Spot& at, const std::string& why) const {
    throw InputError(algorithm_.where(at), why);
  }

  // For an algorithm in place, the smaller one of input and output is the part of the larger one that belongs
  // to this GPU.
  bool aliased(Buffer buffer) const {
    if (!algorithm_.in_place) return false;
    return buffer == (algorithm_.kind == CollectiveKind::all_gather ? Buffer::input : Buffer::output);
  }
  Sum& at(std::uint32_t gpu, Place place) {
    if (aliased(place.buffer)) {
      place.chunk += algorithm_.chunks_of(gpu, place.buffer) < algorithm_.chunks
                         ? gpu * algorithm_.chunks_of(gpu, place.buffer)
                         : 0;
      place.buffer = place.buffer == Buffer::input ? Buffer::output : Buffer::input;
    }
    return gpus_[gpu].buffers[static_cast<std::size_t>(place.buffer)][place.chunk];
  }

  void join(std::uint32_t gpu, std::uint32_t block) {
    const WrittenAlgorithm::Block& from = algorithm_.gpus[gpu].blocks[block];
    const auto take = [&](std::optional<BlockId>& end, std::string_view does, std::uint32_t peer) {
      if (end)
        refuse(from.spot, fmt::format("two thread blocks of GPU {} {} GPU {} on channel {}: give one another "
                                      "`chan`",
                                      gpu, does, peer, from.channel));
      end = BlockId{gpu, block};
    };
    BlockState& state = gpus_[gpu].blocks[block];
    if (from.to) {
      state.to = &connections_[{gpu, *from.to, from.channel}];
      take(state.to->sender, "send to", *from.to);
    }
    if (from.from) {
      state.from = &connections_[{*from.from, gpu, from.channel}];
      take(state.from->receiver, "receive from", *from.from);
    }
  }

  // Carries out the steps of a block until one has to wait.
  void run(BlockId id) {
    const std::vector<Step>& steps = written(id).steps;
    for (BlockState& block = state(id); block.next < steps.size(); ++block.next) {
      const Step& step = steps[block.next];
      if (step.after && waits(id, step)) return;
      if (step.does.receives && block.from->under_way.empty()) return;
      carry_out(id, step);
      for (const BlockId waiting : std::exchange(block.waiting, {})) ready_.push_back(waiting);
    }
  }

  bool waits(BlockId id, const Step& step) {
    const std::vector<WrittenAlgorithm::Block>& blocks = algorithm_.gpus[id.gpu].blocks;
    const auto [block, number] = *step.after;
    if (block >= blocks.size() || number >= blocks[block].steps.size())
      refuse(step.spot, fmt::format("the step waits for step {} of thread block {}, which GPU {} does not "
                                    "have: correct `depid` and `deps`",
                                    number, block, id.gpu));
    const Step& awaited = blocks[block].steps[number];
    if (!awaited.tells)
      refuse(awaited.spot, fmt::format("step {} of thread block {} waits for this one: write `hasdep=\"1\"`, "
                                       "else it never hears of its end",
                                       state(id).next, id.block));
    BlockState& other = gpus_[id.gpu].blocks[block];
    if (other.next > number) return false;
    other.waiting.push_back(id);
    return true;
  }

  void carry_out(BlockId id, const Step& step) {
    std::vector<Sum> data(step.count);
    if (step.does.receives) data = received(id, step);
    for (std::uint32_t i = 0; i < step.count; ++i) {
      const Place source{step.source.buffer, step.source.chunk + i};
      const Place destination{step.destination.buffer, step.destination.chunk + i};
      if (step.does.reads()) data[i] = sum(step, data[i], at(id.gpu, source));
      if (step.does.reduces && !step.does.receives) data[i] = sum(step, data[i], at(id.gpu, destination));
      if (step.does.copies) at(id.gpu, destination) = data[i];
    }
    if (!step.does.sends) return;
    Connection& to = *state(id).to;
    to.under_way.push_back({std::move(data), &step});
    if (to.receiver) ready_.push_back(*to.receiver);
  }

  std::vector<Sum> received(BlockId id, const Step& step) {
    std::deque<Message>& under_way = state(id).from->under_way;
    Message message = std::move(under_way.front());
    under_way.pop_front();
    if (message.chunks.size() != step.count)
      refuse(step.spot,
             fmt::format("the step receives other chunks, counted by `cnt`, than GPU {} sends in line "
                         "{}: {} and {}; make them equal",
                         *written(id).from, message.sent_by->spot.line, step.count, message.chunks.size()));
    return std::move(message.chunks);
  }

  Sum sum(const Step& step, const Sum& own, const Sum& read) {
    if (read.gpus == GpuSets::none)
      refuse(step.spot,
             "the step reads a chunk into which nothing has been written: correct its place or what "
             "it waits for");
    if (own.gpus == GpuSets::none) return read;
    if (own.chunk != read.chunk)
      refuse(step.spot, fmt::format("the step adds chunk {} of the input to chunk {}: correct its place",
                                    own.chunk, read.chunk));
    if (const auto gpu = sets_.in_both(own.gpus, read.gpus))
      refuse(step.spot,
             fmt::format("the step adds what GPU {} contributes to chunk {} a second time: correct "
                         "its place",
                         *gpu, own.chunk));
    return {own.chunk, sets_.both(own.gpus, read.gpus)};
  }

  void refuse_waiting() {
    for (std::uint32_t gpu = 0; gpu < algorithm_.size(); ++gpu)
      for (std::uint32_t block = 0; block < gpus_[gpu].blocks.size(); ++block) {
        const std::vector<Step>& steps = written({gpu, block}).steps;
        const std::uint32_t next = gpus_[gpu].blocks[block].next;
        if (next == steps.size()) continue;
        const Step& step = steps[next];
        const bool for_step = step.after && gpus_[gpu].blocks[step.after->block].next <= step.after->step;
        const std::string awaited =
            for_step ? fmt::format("step {} of thread block {}", step.after->step, step.after->block)
                     : fmt::format("a message from GPU {} on channel {}", *written({gpu, block}).from,
                                   written({gpu, block}).channel);
        refuse(step.spot,
               fmt::format("GPU {} waits here for {}, which never comes: match sends and receives, "
                           "and break the circle of steps that wait for each other",
                           gpu, awaited));
      }
  }

  void refuse_unreceived() const {
    for (const auto& [ends, connection] : connections_)
      if (!connection.under_way.empty())
        refuse(connection.under_way.front().sent_by->spot,
               fmt::format("GPU {} never receives on channel {} what this step sends: add the step that does",
                           std::get<1>(ends), std::get<2>(ends)));
  }

  // Returns the sum that the output chunk of a GPU has to hold.
  Sum wanted(std::uint32_t gpu, std::uint32_t chunk) const {
    const std::uint32_t each = algorithm_.chunks / algorithm_.size();
    switch (algorithm_.kind) {
      case CollectiveKind::all_gather:
        return {chunk % each, GpuSets::of(chunk / each)};
      case CollectiveKind::all_to_all:
        return {gpu * each + chunk % each, GpuSets::of(chunk / each)};
      case CollectiveKind::reduce_scatter:
        return {gpu * each + chunk, GpuSets::none};
      default:
        return {chunk, GpuSets::none};
    }
  }

  void check_result() {
    for (std::uint32_t gpu = 0; gpu < algorithm_.size(); ++gpu)
      for (std::uint32_t chunk = 0; chunk < algorithm_.chunks_of(gpu, Buffer::output); ++chunk)
        check_output(gpu, chunk, at(gpu, {Buffer::output, chunk}));
  }

  void check_output(std::uint32_t gpu, std::uint32_t chunk, const Sum& found) const {
    const Sum sought = wanted(gpu, chunk);
    const std::string where = fmt::format("in the end, chunk {} of the output of GPU {} ", chunk, gpu);
    if (found.gpus == GpuSets::none)
      refuse(algorithm_.spot, where + "holds nothing: add steps that write it");
    const bool one = sought.gpus != GpuSets::none;
    for (std::uint32_t other = 0; other < algorithm_.size(); ++other)
      if ((!one || sets_.has(sought.gpus, other)) && !sets_.has(found.gpus, other))
        refuse(algorithm_.spot,
               where + fmt::format("lacks what GPU {} contributes: add the step that brings it", other));
    if (found.chunk != sought.chunk || (one && found.gpus != sought.gpus))
      refuse(algorithm_.spot, where + fmt::format("holds chunk {} of an input, but it has to be chunk {}: "
                                                  "correct the places of steps",
                                                  found.chunk, sought.chunk));
  }

  const WrittenAlgorithm& algorithm_;
  GpuSets sets_;
  std::vector<GpuState> gpus_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Connection> connections_;
  std::deque<BlockId> ready_;
};

}  // namespace

void check_written(const WrittenAlgorithm& algorithm) {
  WrittenRun(algorithm).check();
}

}  // namespace orrery::core
