# Writes a C++ source that holds every YAML and CSV file below ROOT, and the pages about results and about studies:
# cmake -DROOT=... -DPAGE=... -DSTUDY_PAGE=... -DOUTPUT=... -P embed_files.cmake
# The table is that of src/base/files/embedded_file.cpp: names relative to ROOT, in alphabetical order.
file(GLOB_RECURSE names RELATIVE ${ROOT} ${ROOT}/*.yaml ${ROOT}/*.csv)
list(SORT names)
set(entries "")
foreach(name IN LISTS names)
  file(READ ${ROOT}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"=====(${text})=====\"sv},\n")
endforeach()
file(READ ${PAGE} page)
file(READ ${STUDY_PAGE} study_page)
file(WRITE ${OUTPUT} "// Made by cmake/embed_files.cmake.
#include \"base/files/embedded_file.hpp\"

namespace orrery::core {

using namespace std::string_view_literals;

std::span<const EmbeddedFile> embedded_files() {
  static constexpr EmbeddedFile files[] = {
${entries}  };
  return files;
}

std::string_view embedded_page() {
  return R\"=====(${page})=====\"sv;
}

std::string_view embedded_study_page() {
  return R\"=====(${study_page})=====\"sv;
}

}  // namespace orrery::core
")
