#include "perception/ocr/languages.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace deskmark::ocr {
namespace {

namespace fs = std::filesystem;

bool has_data(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".traineddata") return true;
  }
  return false;
}

std::string find_tessdata(const std::string& asked) {
  std::vector<fs::path> places;
  if (!asked.empty()) {
    places = {asked, fs::path(asked) / "tessdata"};
  } else {
    if (const char* prefix = std::getenv("TESSDATA_PREFIX"); prefix != nullptr && *prefix != '\0') {
      places = {prefix, fs::path(prefix) / "tessdata"};
    }
    for (const char* place : {"/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
                              "/usr/share/tessdata", "/usr/local/share/tessdata"}) {
      places.emplace_back(place);
    }
  }
  for (const fs::path& place : places) {
    if (has_data(place)) return place.string();
  }
  return {};
}

bool plain_name(const std::string& name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

std::string language_package(const std::string& language) {
  std::string name = language;
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return "tesseract-ocr-" + name;
}

Languages find_languages(const std::string& asked, const std::string& tessdata) {
  Languages out;
  out.tessdata = find_tessdata(tessdata);
  std::size_t start = 0;
  while (start <= asked.size()) {
    std::size_t end = asked.find('+', start);
    if (end == std::string::npos) end = asked.size();
    const std::string name = asked.substr(start, end - start);
    start = end + 1;
    if (name.empty()) continue;
    std::error_code error;
    const bool there = plain_name(name) && !out.tessdata.empty() &&
                       fs::exists(fs::path(out.tessdata) / (name + ".traineddata"), error);
    if (!there) {
      out.missing.push_back(name);
      continue;
    }
    if (!out.usable.empty()) out.usable += '+';
    out.usable += name;
  }
  return out;
}

}  // namespace deskmark::ocr
