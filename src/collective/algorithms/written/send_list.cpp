#include "collective/algorithms/written/send_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "collective/algorithms/written/written_check.hpp"

namespace orrery::core {
namespace {

using Buffer = WrittenAlgorithm::Buffer;
using StepId = WrittenAlgorithm::StepId;

constexpr std::uint32_t max_list_chunks = 1'000'000;
constexpr std::uint64_t max_list_moves = 100'000'000;  // of chunks, by all sends together

// Makes the steps of all members, send by send.
class Steps {
 public:
  Steps(const SendList& list, const std::string& name, const SourceLocation& where)
      : list_(list), name_(name), where_(where), members_(list.members) {
    made_.name = name;
    made_.file = where.file;
    made_.spot = {where.line, where.column};
    made_.kind = list.kind;
    made_.chunks = list.chunks;
    made_.in_place = list.kind != CollectiveKind::all_to_all;
    made_.any_size = true;
    made_.gpus.resize(list.members);
    for (Member& member : members_) {
      member.written.resize(list.chunks);
      member.read.resize(list.chunks);
    }
    // What a member has for itself stays in its own memory.
    if (list.kind == CollectiveKind::all_to_all) keep_own();
  }

  WrittenAlgorithm make() {
    for (const SendList::Send& send : list_.sends) add(send);
    return std::move(made_);
  }

 private:
  // What a member's steps do to its chunks.
  struct Member {
    std::vector<std::optional<StepId>> written;  // by chunk: the step that wrote it last
    std::vector<std::vector<StepId>> read;       // by chunk: the steps that have sent it since
    std::map<std::pair<bool, std::uint32_t>, std::uint32_t>
        blocks;  // by whether they send, and to or from whom
  };

  bool separate() const { return list_.kind == CollectiveKind::all_to_all; }
  Buffer source_buffer() const {
    return list_.kind == CollectiveKind::all_gather ? Buffer::output : Buffer::input;
  }
  Buffer destination_buffer() const { return separate() ? Buffer::output : source_buffer(); }

  void keep_own() {
    const std::uint32_t own = list_.chunks / list_.members;
    for (std::uint32_t member = 0; member < list_.members; ++member) {
      WrittenAlgorithm::Block block;
      WrittenAlgorithm::Step step;
      step.does.copies = true;
      step.source = {Buffer::input, member * own};
      step.destination = {Buffer::output, member * own};
      step.count = own;
      step.spot = made_.spot;
      block.steps.push_back(step);
      block.spot = made_.spot;
      made_.gpus[member].blocks.push_back(std::move(block));
    }
  }

  void add(const SendList::Send& send) {
    check(send);
    std::vector<StepId> for_source, for_destination;
    Member& from = members_[send.from];
    Member& to = members_[send.to];
    for (std::uint32_t i = 0; i < send.count; ++i) {
      if (!separate())
        if (const auto& writer = from.written[send.chunk + i]) for_source.push_back(*writer);
      const std::uint32_t target = send.into + i;
      if (const auto& writer = to.written[target]) for_destination.push_back(*writer);
      if (!separate())
        for_destination.insert(for_destination.end(), to.read[target].begin(), to.read[target].end());
    }
    const StepId sent = append(send, true, std::move(for_source));
    const StepId received = append(send, false, std::move(for_destination));
    for (std::uint32_t i = 0; i < send.count; ++i) {
      from.read[send.chunk + i].push_back(sent);
      to.written[send.into + i] = received;
      to.read[send.into + i].clear();
    }
  }

  void check(const SendList::Send& send) {
    if (send.from >= list_.members || send.to >= list_.members || send.from == send.to)
      refuse(send, fmt::format("members are 0 to {}, and the two have to differ", list_.members - 1));
    const std::uint64_t chunks = list_.chunks;
    if (send.count == 0 || std::uint64_t{send.chunk} + send.count > chunks ||
        std::uint64_t{send.into} + send.count > chunks)
      refuse(send, fmt::format("chunks are 0 to {}, and a send takes at least one", chunks - 1));
    if (separate() && send.reduces) refuse(send, "an all-to-all adds nothing up");
    moves_ += send.count;
    if (moves_ > max_list_moves)
      throw InputError(where_, fmt::format("{} sends more than {} chunks in all: cut the data into fewer",
                                           name_, max_list_moves));
  }

  [[noreturn]] void refuse(const SendList::Send& send, const std::string& why) const {
    throw InputError(where_,
                     fmt::format("{} sends {} of its chunks from {} on from member {} to chunk {} of member "
                                 "{}, but {}",
                                 name_, send.count, send.chunk, send.from, send.into, send.to, why));
  }

  // Adds what one end of a send does. A step waits for one other step of its member besides the one before
  // it, so that empty steps stand in front of one that waits for several.
  StepId append(const SendList::Send& send, bool sends, std::vector<StepId> after) {
    const std::uint32_t member = sends ? send.from : send.to, peer = sends ? send.to : send.from;
    WrittenAlgorithm::Gpu& gpu = made_.gpus[member];
    const auto [found, is_new] = members_[member].blocks.try_emplace({sends, peer}, gpu.blocks.size());
    const std::uint32_t number = found->second;
    if (is_new) {
      gpu.blocks.emplace_back();
      (sends ? gpu.blocks.back().to : gpu.blocks.back().from) = peer;
      gpu.blocks.back().spot = made_.spot;
    }
    std::vector<WrittenAlgorithm::Step>& steps = gpu.blocks[number].steps;
    std::erase_if(after, [&](const StepId& step) { return step.block == number; });
    std::ranges::sort(after, {}, [](const StepId& step) { return std::pair(step.block, step.step); });
    // Of the steps of one block, the last one ends last.
    std::vector<StepId> last;
    for (const StepId& step : after)
      if (!last.empty() && last.back().block == step.block)
        last.back() = step;
      else
        last.push_back(step);
    for (std::size_t i = 0; i + 1 < last.size(); ++i) add_step(steps, {}, send, last[i]);
    WrittenAlgorithm::Does does;
    does.sends = sends;
    does.receives = !sends;
    does.reduces = !sends && send.reduces;
    does.copies = !sends;
    add_step(steps, does, send, last.empty() ? std::nullopt : std::optional(last.back()));
    return {number, static_cast<std::uint32_t>(steps.size() - 1)};
  }

  void add_step(std::vector<WrittenAlgorithm::Step>& steps, WrittenAlgorithm::Does does,
                const SendList::Send& send, std::optional<StepId> after) {
    WrittenAlgorithm::Step step;
    step.does = does;
    step.source = does.sends ? WrittenAlgorithm::Place{source_buffer(), send.chunk}
                             : WrittenAlgorithm::Place{destination_buffer(), send.into};
    step.destination = {destination_buffer(), send.into};
    step.count = send.count;
    step.after = after;
    step.tells = true;
    step.spot = made_.spot;
    steps.push_back(step);
  }

  const SendList& list_;
  const std::string& name_;
  const SourceLocation& where_;
  std::vector<Member> members_;
  std::uint64_t moves_ = 0;
  WrittenAlgorithm made_;
};

}  // namespace

WrittenAlgorithm written_of(const SendList& list, const std::string& name, const SourceLocation& where) {
  if (list.chunks == 0 || list.chunks > max_list_chunks)
    throw InputError(where, fmt::format("{} cuts data into {} chunks, but they have to be 1 to {}", name,
                                        list.chunks, max_list_chunks));
  if (list.kind != CollectiveKind::all_reduce && list.chunks % list.members != 0)
    throw InputError(
        where, fmt::format("{} cuts the data of {} into {} chunks, which are no multiple of {} members", name,
                           name_of(list.kind), list.chunks, list.members));
  const WrittenAlgorithm written = Steps(list, name, where).make();
  check_written(written);
  return written;
}

}  // namespace orrery::core
