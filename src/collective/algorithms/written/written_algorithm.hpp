// An algorithm of a collective that a user has written: thread blocks of each GPU that carry out steps on
// chunks, as in MSCCL (docs/models/collectives.md, Written algorithms).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bytes.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

struct WrittenAlgorithm {
  enum class Buffer : std::uint8_t { input, output, scratch };
  struct Place {  // a chunk of a buffer
    Buffer buffer = Buffer::input;
    std::uint32_t chunk = 0;
  };
  // A step does what is set here, in this order: it receives, adds what it has received to its source, writes
  // the result to its destination, and sends it.
  struct Does {
    bool receives = false;
    bool reduces = false;  // if it does not receive, it adds its source to its destination
    bool copies = false;
    bool sends = false;

    bool reads() const { return !receives || reduces; }  // its source
    bool is_nothing() const { return !receives && !copies && !sends; }
  };
  struct StepId {
    std::uint32_t block = 0, step = 0;
  };
  struct Spot {  // in the file
    int line = 0, column = 0;
  };
  struct Step {
    Does does;
    Place source, destination;
    std::uint32_t count = 0;  // chunks, one behind the other
    // A step of the same GPU that it waits for, besides the step before it in its block.
    std::optional<StepId> after;
    bool tells = false;  // others may wait for it
    Spot spot;
  };
  struct Block {
    std::optional<std::uint32_t> to, from;  // the GPUs that it sends to and receives from
    std::uint32_t channel = 0;
    std::vector<Step> steps;
    Spot spot;
  };
  struct Gpu {
    std::uint32_t scratch = 0;  // number of chunks
    std::vector<Block> blocks;
  };

  std::string name, file;
  Spot spot;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::uint32_t chunks = 0;  // of the larger one of input and output
  bool in_place = false;     // the smaller buffer is a part of the larger one, or both are the same
  bool any_size = false;     // it also runs sizes that cannot be cut into equal chunks of whole bytes
  // It is for sizes from `least` to `most`, both included, of all members' parts together: of the larger one
  // of input and output. No `most`: for all sizes from `least` on.
  Bytes least;
  std::optional<Bytes> most;
  std::vector<Gpu> gpus;

  SourceLocation where(const Spot& at) const { return {file, at.line, at.column}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(gpus.size()); }
  // Returns how many chunks a buffer of a GPU has.
  std::uint32_t chunks_of(std::uint32_t gpu, Buffer buffer) const {
    if (buffer == Buffer::scratch) return gpus[gpu].scratch;
    const Buffer smaller = kind == CollectiveKind::all_gather ? Buffer::input : Buffer::output;
    const bool differ = kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
    return differ && buffer == smaller ? chunks / size() : chunks;
  }
};

}  // namespace orrery::core
