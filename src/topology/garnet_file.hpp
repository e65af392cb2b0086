// Network files of ASTRA-sim 1.0's Garnet backend, which simulates packets flit by flit: pairs of a key with
// a colon and a value, such as `num-npus: 12`. Orrery recognises them in order to say what to use instead.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Throws InputError at `file` if `text` is such a file.
void refuse_garnet_file(std::string_view text, const std::string& file);

}  // namespace orrery
