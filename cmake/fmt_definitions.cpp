// The definitions that programs with fmt's headers alone need from fmt's library, of which Debian has no
// static one. The headers can define them in every file that includes them; that takes five seconds of each.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template FMT_API char decimal_point_impl(locale_ref);
#if FMT_VERSION >= 100000
template FMT_API void vformat_to(buffer<char>&, string_view, vformat_args<>::type, locale_ref);
#endif
}  // namespace detail
FMT_END_NAMESPACE
