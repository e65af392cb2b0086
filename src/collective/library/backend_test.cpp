// Backends of torch.distributed against the table of PyTorch's documentation of torch.distributed.
#include "collective/library/backend.hpp"

#include <gtest/gtest.h>

#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"

namespace orrery::core::backend_test {
namespace {

using enum CollectiveKind;

std::string refusal(const std::string& backend, LibraryOperation operation, Buffers buffers) {
  try {
    require_operation(find_backend(backend, {"here"}), operation, buffers, {"here"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The documentation's table has a cross for these.
TEST(Backend, LackWhatPyTorchSays) {
  int lacking = 0;
  for (const Backend& backend : backends())
    for (const auto& [word, operation] : library_operation_words)
      for (const Buffers buffers : {Buffers::cpu, Buffers::gpu}) {
        const bool on_gpu = buffers == Buffers::gpu;
        const bool is_lacking = backend.word == "gloo"  ? on_gpu && (!operation || operation == barrier)
                                : backend.word == "mpi" ? operation == reduce_scatter
                                                        : !on_gpu;
        EXPECT_EQ(backend.has(operation, buffers), !is_lacking) << backend.word << " " << word << on_gpu;
        lacking += is_lacking;
      }
  EXPECT_EQ(lacking, 2 + 2 + 10 + 10);
  EXPECT_EQ(find_backend("mpi", {}).gpu_needs, "an MPI library that was built with CUDA");
}

TEST(Backend, ARefusalNamesThoseThatHaveIt) {
  EXPECT_EQ(refusal("nccl", all_reduce, Buffers::cpu),
            "here: error: PyTorch's backend `nccl` has no all-reduce of buffers in the memory of hosts; take "
            "`gloo` or `mpi` (`orrery list backends` shows all)");
  EXPECT_EQ(
      refusal("mpi", reduce_scatter, Buffers::gpu),
      "here: error: PyTorch's backend `mpi` has no reduce-scatter of buffers in the memory of GPUs; take "
      "`gloo`, `nccl` or `xccl` (`orrery list backends` shows all)");
  EXPECT_NE(refusal("gloo", {}, Buffers::gpu).find("no send"), std::string::npos);
  EXPECT_EQ(refusal("gloo", all_to_all, Buffers::gpu), "");
  EXPECT_THROW(find_backend("ucc", {"here"}), InputError);
}

TEST(Backend, OnlyPyTorchLacksThem) {
  const LibraryConstants mpi = find_library_constants("mpi", {}, no_files());
  ClusterLinks links{"xeon-skylake", "", 8, 0};
  EXPECT_THROW(CollectiveLibrary(mpi, links, {"here"}).seconds(reduce_scatter, 1e6, {8, 8}), InputError);
  links.caller = Caller::program;
  EXPECT_GT(CollectiveLibrary(mpi, links, {"here"}).seconds(reduce_scatter, 1e6, {8, 8}), 0);
}

TEST(Backend, LibrariesHaveTheirBuffersSomewhere) {
  for (const auto& [library, buffers] : {std::pair("gloo", Buffers::cpu),
                                         {"mpi", Buffers::cpu},
                                         {"nccl", Buffers::gpu},
                                         {"ideal", Buffers::gpu}})
    EXPECT_EQ(find_library_constants(library, {}, no_files()).buffers, buffers) << library;
  const LibraryConstants nccl = find_library_constants("nccl", {}, no_files());
  ClusterLinks links{"nvlink4", "", 8, 0};
  EXPECT_NO_THROW(CollectiveLibrary(nccl, links, {"here"}).seconds(all_reduce, 1e6, {8, 8}));
  links.buffers = Buffers::cpu;
  EXPECT_THROW(CollectiveLibrary(nccl, links, {"here"}).seconds(all_reduce, 1e6, {8, 8}), InputError);
}

}  // namespace
}  // namespace orrery::core::backend_test
