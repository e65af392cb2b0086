// Puts data and a title into a page that the build has made of web/.
#pragma once

#include <string>
#include <string_view>

namespace orrery::core {

// Returns the page with the data, which may be any bytes, compressed and as base64 (web/inflate.js unpacks
// it), and with the title.
std::string filled_page(std::string_view page, const std::string& data, const std::string& title);

// Adds the text as JSON. Bytes that are no UTF-8 are replaced.
void append_json_text(std::string& json, std::string_view text);

}  // namespace orrery::core
