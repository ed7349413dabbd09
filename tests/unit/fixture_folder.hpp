// A folder of its own for a test, gone afterwards.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace deskmark::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "deskmark-test-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file{path_ + "/" + name, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream{path_ + "/" + name, std::ios::binary} << bytes;
  }

 private:
  std::string path_;
};

}  // namespace deskmark::testing
