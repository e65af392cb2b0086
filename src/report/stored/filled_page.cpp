#include "report/stored/filled_page.hpp"

#include <zlib.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/encoding/base64.hpp"

namespace orrery::core {

namespace {

// Compresses bytes in the form that browsers' DecompressionStream("deflate") takes (RFC 1950).
std::string deflated(const std::string& text) {
  std::string bytes(compressBound(static_cast<uLong>(text.size())), '\0');
  uLongf size = static_cast<uLongf>(bytes.size());
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                static_cast<uLong>(text.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib cannot compress the tables of a page");
  bytes.resize(size);
  return bytes;
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

}  // namespace

std::string filled_page(std::string_view page, const std::string& data, const std::string& title) {
  std::string filled(page);
  const auto fill = [&](std::string_view mark, const std::string& text) {
    filled.replace(filled.find(mark), mark.size(), text);
  };
  fill("<!--tables-->", base64(deflated(data)));  // the title may hold the mark, so it comes last
  fill("<!--title-->", escaped(title));
  return filled;
}

void append_json_text(std::string& json, std::string_view text) {
  json += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace orrery::core
