// Reads algorithms of MSCCL, Microsoft's runtime of collectives that users write:
//
//   <algo name="ring" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0">
//     <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
//       <tb id="0" send="1" recv="1" chan="0">
//         <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1"
//               depid="-1" deps="-1" hasdep="0"/>
//
// Cowan et al., "MSCCLang: Microsoft Collective Communication Language", ASPLOS 2023.
#pragma once

#include <string>
#include <string_view>

#include "collective/algorithms/written/written_algorithm.hpp"

namespace orrery::core {

// Throws InputError where the text is no such file, where sends and receives do not match, where steps wait
// for each other, and where the result is not that of the collective.
WrittenAlgorithm read_msccl_file(std::string_view text, const std::string& file, Warnings& warnings);

}  // namespace orrery::core
