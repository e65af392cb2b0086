# What a static program links for fmt: ORRERY_STATIC_FMT. Debian has no static fmt. Its headers alone would do, but then
# every file that includes them compiles all of fmt, which takes longer than most files of this project. So the
# definitions are compiled once here, where that works with the installed version.
try_compile(ORRERY_CAN_COMPILE_FMT
  SOURCE_FROM_CONTENT use_of_fmt.cpp "
    #include <fmt/format.h>
    #include <iterator>
    #include <string>
    int main(int count, char**) {
      std::string text = fmt::format(\"{} {:.3f} {:g} {:>{}}\", count, 0.5 * count, 0.5f, \"text\", 9);
      fmt::format_to(std::back_inserter(text), \"{} {:x} {} {} {}\", 1ull, 1u, 'c', true, text);
      return text.empty();
    }"
  SOURCES ${PROJECT_SOURCE_DIR}/cmake/fmt_definitions.cpp
  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
if(ORRERY_CAN_COMPILE_FMT)
  add_library(orrery_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_definitions.cpp)
  target_include_directories(orrery_fmt SYSTEM PUBLIC
    $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
  set(ORRERY_STATIC_FMT orrery_fmt)
else()
  set(ORRERY_STATIC_FMT fmt::fmt-header-only)
endif()
