#include "collective/algorithms/written/msccl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>

#include "base/diagnostics/words.hpp"
#include "base/input/xml_file.hpp"
#include "base/text/token_reader.hpp"
#include "collective/algorithms/written/written_check.hpp"

namespace orrery::core {
namespace {

using Does = WrittenAlgorithm::Does;
using Buffer = WrittenAlgorithm::Buffer;

constexpr std::int64_t max_gpus = 1024, max_chunks = 1 << 20, max_channels = 1024;
constexpr std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t max_moves = 1 << 24;  // chunks that all steps move

constexpr std::array<EnumName<CollectiveKind>, 5> kind_words{{
    {"allreduce", CollectiveKind::all_reduce},
    {"allgather", CollectiveKind::all_gather},
    {"reducescatter", CollectiveKind::reduce_scatter},
    {"reduce_scatter", CollectiveKind::reduce_scatter},
    {"alltoall", CollectiveKind::all_to_all},
}};
constexpr std::array<EnumName<Does>, 9> step_words{{
    {"s", {.sends = true}},
    {"r", {.receives = true, .copies = true}},
    {"rcs", {.receives = true, .copies = true, .sends = true}},
    {"rrc", {.receives = true, .reduces = true, .copies = true}},
    {"rrs", {.receives = true, .reduces = true, .sends = true}},
    {"rrcs", {.receives = true, .reduces = true, .copies = true, .sends = true}},
    {"cpy", {.copies = true}},
    {"re", {.reduces = true, .copies = true}},
    {"nop", {}},
}};
constexpr std::array<EnumName<Buffer>, 3> buffer_words{{
    {"i", Buffer::input},
    {"o", Buffer::output},
    {"s", Buffer::scratch},
}};

constexpr std::string_view algo_attributes[] = {"name",  "proto",    "nchannels", "nchunksperloop",
                                                "ngpus", "coll",     "inplace",   "outofplace",
                                                "redop", "minBytes", "maxBytes"};
constexpr std::string_view gpu_attributes[] = {"id", "i_chunks", "o_chunks", "s_chunks"};
constexpr std::string_view block_attributes[] = {"id", "send", "recv", "chan"};
constexpr std::string_view step_attributes[] = {"s",      "type", "srcbuf", "srcoff", "dstbuf",
                                                "dstoff", "cnt",  "depid",  "deps",   "hasdep"};

class MscclReader {
 public:
  MscclReader(std::string_view text, const std::string& file, Warnings& warnings)
      : warnings_(warnings), xml_(text, file) {
    algorithm_.file = file;
  }

  WrittenAlgorithm read() {
    const XmlElement algo = xml_.root("algo", "an algorithm of MSCCL");
    read_head(algo);
    for (const XmlElement gpu : algo.children()) {
      require(gpu, "gpu", "an `algo`", gpu_attributes);
      add_gpu(gpu);
    }
    if (next_ != algorithm_.size())
      throw InputError(xml_.where(algo),
                       fmt::format("`ngpus` is {}, but the number of elements `gpu` is {}: make them equal",
                                   algorithm_.size(), next_));
    check_written(algorithm_);
    return std::move(algorithm_);
  }

 private:
  WrittenAlgorithm::Spot spot(XmlElement element) const {
    const SourceLocation where = xml_.where(element);
    return {where.line, where.column};
  }
  std::uint32_t number(XmlElement element, const char* name, std::int64_t least, std::int64_t largest) const {
    return static_cast<std::uint32_t>(xml_.whole(element, name, least, largest));
  }
  bool is_on(XmlElement element, const char* name) const { return number(element, name, 0, 1) == 1; }
  template <class Table>
  auto word(XmlElement element, const char* name, const Table& table) const {
    const std::string_view text = xml_.text(element, name);
    const auto value = value_of(table, text);
    if (!value)
      throw InputError(xml_.where(element), fmt::format("unknown `{}` {}: use {}", name, backquoted(text),
                                                        alternatives(words_of(table))));
    return *value;
  }

  void require(XmlElement element, std::string_view name, std::string_view parent,
               std::span<const std::string_view> attributes) const {
    if (element.name() != name)
      throw InputError(xml_.where(element), fmt::format("{} holds elements `{}` alone, not {}", parent, name,
                                                        backquoted(element.name())));
    for (const pugi::xml_attribute attribute : element.attributes())
      if (std::ranges::find(attributes, attribute.name()) == attributes.end())
        warnings_.add(xml_.where(element),
                      fmt::format("the attribute {} means nothing here", backquoted(attribute.name())));
  }

  void read_head(XmlElement algo) {
    require(algo, "algo", "the file", algo_attributes);
    algorithm_.name = xml_.text(algo, "name");
    algorithm_.spot = spot(algo);
    algorithm_.kind = word(algo, "coll", kind_words);
    algorithm_.in_place = algo.attribute("inplace") && is_on(algo, "inplace");
    algorithm_.gpus.resize(number(algo, "ngpus", 2, max_gpus));
    channels_ = number(algo, "nchannels", 1, max_channels);
    algorithm_.chunks = number(algo, "nchunksperloop", 1, max_chunks);
    if (algorithm_.kind != CollectiveKind::all_reduce && algorithm_.chunks % algorithm_.size() != 0)
      throw InputError(
          xml_.where(algo),
          fmt::format("`nchunksperloop` counts the chunks of all GPUs, and {} are no multiple of "
                      "{} GPUs: correct it",
                      algorithm_.chunks, algorithm_.size()));
    read_sizes(algo);
  }

  // As in MSCCL's runtimes, a largest size of 0 is no limit. Tools write 2^64 - 1 for that, too.
  void read_sizes(XmlElement algo) {
    algorithm_.least = Bytes(bytes(algo, "minBytes"));
    const std::uint64_t most = bytes(algo, "maxBytes");
    if (most == 0 || most == max_bytes) return;
    algorithm_.most = Bytes(most);
    if (algorithm_.least > *algorithm_.most)
      throw InputError(
          xml_.where(algo),
          fmt::format("`minBytes` is {}, more than the {} of `maxBytes`: no size is between them",
                      algorithm_.least.count(), most));
  }

  std::uint64_t bytes(XmlElement algo, const char* name) const {
    if (!algo.attribute(name)) return 0;
    const std::string_view written = xml_.text(algo, name);
    if (const auto value = parse_unsigned(written)) return *value;
    throw InputError(xml_.where(algo), fmt::format("`{}` has to be a whole number from 0 to {}, not {}", name,
                                                   max_bytes, backquoted(written)));
  }

  void add_gpu(XmlElement element) {
    if (next_ >= algorithm_.size() || xml_.whole(element, "id", 0, max_gpus - 1) != next_)
      throw InputError(xml_.where(element), fmt::format("the GPUs have the `id` 0 to {} in this order: "
                                                        "correct that of this one",
                                                        algorithm_.size() - 1));
    WrittenAlgorithm::Gpu& gpu = algorithm_.gpus[next_];
    require_chunks(element, "i_chunks", Buffer::input);
    require_chunks(element, "o_chunks", Buffer::output);
    gpu.scratch = number(element, "s_chunks", 0, max_chunks);
    for (const XmlElement block : element.children()) {
      require(block, "tb", "a `gpu`", block_attributes);
      add_block(block, gpu);
    }
    ++next_;
  }

  // For an algorithm in place, one of the two buffers is a part of the other and need not be counted.
  void require_chunks(XmlElement gpu, const char* name, Buffer buffer) const {
    const std::uint32_t expected = algorithm_.chunks_of(next_, buffer);
    const std::uint32_t written = number(gpu, name, 0, max_chunks);
    if (written == expected || (algorithm_.in_place && written == 0)) return;
    throw InputError(
        xml_.where(gpu),
        fmt::format("`{}` is {}, but by `coll`, `nchunksperloop` and `ngpus` it is {}: make them agree", name,
                    written, expected));
  }

  void add_block(XmlElement element, WrittenAlgorithm::Gpu& gpu) {
    if (xml_.whole(element, "id", 0, max_chunks) != static_cast<std::int64_t>(gpu.blocks.size()))
      throw InputError(xml_.where(element),
                       "the thread blocks of a GPU have the `id` 0, 1, 2 ... in this "
                       "order: correct that of this one");
    WrittenAlgorithm::Block block;
    block.to = peer(element, "send");
    block.from = peer(element, "recv");
    block.channel = number(element, "chan", 0, static_cast<std::int64_t>(channels_) - 1);
    block.spot = spot(element);
    for (const XmlElement step : element.children()) {
      require(step, "step", "a `tb`", step_attributes);
      if (xml_.whole(step, "s", 0, max_chunks) != static_cast<std::int64_t>(block.steps.size()))
        throw InputError(xml_.where(step),
                         "the steps of a thread block have the `s` 0, 1, 2 ... in this "
                         "order: correct that of this one");
      block.steps.push_back(read_step(step, block));
    }
    gpu.blocks.push_back(std::move(block));
  }

  std::optional<std::uint32_t> peer(XmlElement block, const char* name) const {
    const std::int64_t peer = xml_.whole(block, name, -1, static_cast<std::int64_t>(algorithm_.size()) - 1);
    if (peer < 0) return std::nullopt;
    if (peer == next_)
      throw InputError(xml_.where(block), fmt::format("`{}` is the GPU itself: name another one", name));
    return static_cast<std::uint32_t>(peer);
  }

  WrittenAlgorithm::Step read_step(XmlElement element, const WrittenAlgorithm::Block& block) {
    WrittenAlgorithm::Step step;
    step.does = word(element, "type", step_words);
    step.spot = spot(element);
    step.tells = is_on(element, "hasdep");
    const std::int64_t waits_for = xml_.whole(element, "depid", -1, max_chunks);
    if (waits_for >= 0)
      step.after = {static_cast<std::uint32_t>(waits_for), number(element, "deps", 0, max_chunks)};
    if (step.does.sends && !block.to)
      throw InputError(xml_.where(element), "the step sends, but its thread block has no GPU to `send` to");
    if (step.does.receives && !block.from)
      throw InputError(xml_.where(element),
                       "the step receives, but its thread block has no GPU to `recv` from");
    if (step.does.is_nothing()) return step;
    step.count = number(element, "cnt", 1, max_chunks);
    moves_ += step.count;
    if (moves_ > max_moves)
      throw InputError(xml_.where(element), fmt::format("the steps up to this one move more than {} chunks: "
                                                        "use fewer",
                                                        max_moves));
    if (step.does.reads()) step.source = place(element, "srcbuf", "srcoff", step.count);
    if (step.does.copies) step.destination = place(element, "dstbuf", "dstoff", step.count);
    return step;
  }

  WrittenAlgorithm::Place place(XmlElement step, const char* buffer, const char* offset,
                                std::uint32_t count) const {
    const WrittenAlgorithm::Place place{word(step, buffer, buffer_words),
                                        number(step, offset, 0, max_chunks)};
    const std::uint32_t held = algorithm_.chunks_of(next_, place.buffer);
    if (place.chunk + count <= held) return place;
    throw InputError(
        xml_.where(step),
        fmt::format("`{}` and `cnt` lead to chunk {}, counted from 0, of a buffer `{}` of {}: correct them",
                    offset, place.chunk + count - 1, word_of(buffer_words, place.buffer), held));
  }

  Warnings& warnings_;
  XmlFile xml_;
  WrittenAlgorithm algorithm_;
  std::uint32_t next_ = 0;  // GPU
  std::uint32_t channels_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace

WrittenAlgorithm read_msccl_file(std::string_view text, const std::string& file, Warnings& warnings) {
  return MscclReader(text, file, warnings).read();
}

}  // namespace orrery::core
