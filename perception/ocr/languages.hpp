// Which of the asked languages are installed.
#pragma once

#include <string>
#include <vector>

namespace deskmark::ocr {

struct Languages {
  std::string tessdata;              ///< folder that holds them, empty: none found
  std::string usable;                ///< joined by '+', empty: none
  std::vector<std::string> missing;  ///< asked for and not there
};

[[nodiscard]] Languages find_languages(const std::string& asked, const std::string& tessdata);
/// The Debian package of a language ("chi_sim" -> "tesseract-ocr-chi-sim").
[[nodiscard]] std::string language_package(const std::string& language);

}  // namespace deskmark::ocr
