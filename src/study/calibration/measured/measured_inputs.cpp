#include "study/calibration/measured/measured_inputs.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/paths.hpp"
#include "study/calibration/measured/nccl_tests_file.hpp"

namespace orrery::core {
namespace {

// Returns the beginning of a file, which is enough to tell its kind.
std::string beginning_of(const std::string& file) {
  constexpr std::size_t enough = 1 << 16;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, "cannot be read; name a file with measurements");
  std::string text(enough, '\0');
  in.read(text.data(), static_cast<std::streamsize>(enough));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// Returns the first line that is no remark and not empty.
std::string_view titles_of_table(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line[first] != '#') return line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

// Returns the list to which the file belongs.
std::vector<std::string>& list_for(const std::string& file, MeasuredInputs& inputs) {
  if (is_folder(file) || file.ends_with(".et")) return inputs.kernels;
  const std::string text = beginning_of(file);
  const bool is_compressed = text.starts_with("\x1f\x8b");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (is_compressed || (first != text.npos && (text[first] == '{' || text[first] == '[')))
    return inputs.kernels;
  if (is_nccl_tests(text)) return inputs.collectives;
  const std::string_view titles = titles_of_table(text);
  if (titles.find("step_s") != titles.npos) return inputs.steps;
  if (titles.find("time_us") != titles.npos) return inputs.products;
  throw InputError({file},
                   "is no file to calibrate from; give a trace of the PyTorch profiler, the output of "
                   "nccl-tests, a table of products with the columns m, n, k, datatype and time_us, or one "
                   "of steps with the columns experiment and step_s");
}

}  // namespace

MeasuredInputs::MeasuredInputs(const std::vector<std::string>& files, const std::string& option) {
  if (files.empty()) throw InputError({option}, "name files with measurements to calibrate from");
  for (const std::string& file : files) list_for(file, *this).push_back(file);
  const int of_software = !steps.empty() + !kernels.empty();
  const bool of_machine = !products.empty() || !collectives.empty();
  if (of_software + of_machine > 1)
    throw InputError(
        {option},
        "products and collectives tell constants of a machine, and a profile or steps those of its "
        "software, which depend on the machine's: calibrate from one after the other, and name the file of "
        "the first in the experiments of the next");
}

}  // namespace orrery::core
