// Keeps what was read of networks, systems, workloads and the like, for the runs that have them in common.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"

namespace orrery::core {

// Several threads may use it. Those that need the same piece at the same time read it once.
class PieceCache {
 public:
  static constexpr std::size_t all = ~std::size_t{0};

  // Keeps that many pieces, those that were used last.
  explicit PieceCache(std::size_t most = all) : most_(most) {}

  // Returns the value of a key, which `read` makes of what it reads with the warnings and the loader that it
  // is called with. Each time, the warnings are added to `warnings`, and `load` tells of the files. The key
  // has to say the type of the value and all that it depends on. What `read` throws is thrown, and nothing is
  // kept then.
  template <class Value, class Read>
  std::shared_ptr<const Value> get(const std::string& key, Warnings& warnings, const FileLoader& load,
                                   const Read& read) {
    const std::shared_ptr<Piece> piece = piece_of(key);
    const std::lock_guard lock(piece->mutex);
    if (!piece->value) {
      Warnings own;
      // What is read may keep the loader, and read files later.
      auto files = std::make_shared<HeardFiles>();
      piece->value = std::make_shared<const Value>(read(own, load.heard_by(files)));
      piece->warnings = std::move(own);
      piece->files = std::move(files);
    }
    load.tell_of(piece->files);
    warnings.add_all(piece->warnings);
    return std::static_pointer_cast<const Value>(piece->value);
  }

 private:
  struct Piece {
    std::mutex mutex;  // of all below; held while the piece is read
    std::shared_ptr<const void> value;
    Warnings warnings;
    std::shared_ptr<const HeardFiles> files;
  };
  using Order = std::list<std::pair<std::string, std::shared_ptr<Piece>>>;

  std::shared_ptr<Piece> piece_of(const std::string& key);

  const std::size_t most_;
  std::mutex mutex_;  // of the members below
  Order order_;       // the last one was used last
  std::unordered_map<std::string, Order::iterator> places_;
};

}  // namespace orrery::core
