#include "src/engine/receipt.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "src/policy/private_file.hpp"

namespace deskmark {
namespace {

namespace fs = std::filesystem;

std::string_view bytes_of(const Reply& reply) {
  return {reinterpret_cast<const char*>(reply.picture.data()), reply.picture.size()};
}

}  // namespace

nlohmann::ordered_json picture_receipt(const Snapshot& snapshot, const Reply& reply) {
  const Scene& scene = snapshot.scene;
  const DeviceRect& area = snapshot.observation.area;
  const Window& window = snapshot.observation.target;
  nlohmann::ordered_json r;
  r["width"] = scene.width;
  r["height"] = scene.height;
  r["mime"] = reply.picture_mime;
  r["bytes"] = reply.picture.size();
  r["sha256"] = sha256_hex(bytes_of(reply));
  r["producer"] = "deskmark";
  r["version"] = DESKMARK_VERSION;
  if (window.id) {
    r["window_id"] = window.id;
    r["window"] = {window.bounds.x, window.bounds.y, window.bounds.w, window.bounds.h};
  } else {
    r["window_id"] = nullptr;
  }
  r["area"] = {area.x, area.y, area.w, area.h};
  r["origin"] = {scene.mapping.origin.x, scene.mapping.origin.y};
  r["scale"] = {scene.mapping.scale_x, scene.mapping.scale_y};
  return r;
}

void PictureStore::keep(const Reply& reply, nlohmann::ordered_json& body) const {
  if (most_ <= 0 || reply.picture.empty()) return;
  const auto warn = [&](const std::string& why) {
    body["warnings"].push_back(
        {{"code", "picture_not_kept"}, {"message", "The picture could not be left as a file: " + why}});
  };
  if (directory_.empty()) return warn("there is no directory for it");
  if (const auto problem = make_private_directory(directory_)) return warn(*problem);
  // The time first, so that names sort by age.
  std::string name = utc_now();
  std::erase_if(name, [](char c) { return c == ':' || c == '-' || c == '.'; });
  const std::string path =
      directory_ + "/" + name + "-" + random_word(6) + (reply.picture_mime == "image/jpeg" ? ".jpg" : ".png");
  if (const auto problem = write_private_file(path, bytes_of(reply))) return warn(*problem);
  body["screenshot_path"] = path;
  drop_old();
}

void PictureStore::drop_old() const {
  const FileLock lock(directory_ + "/pictures.lock", FileLock::Wait::Yes);
  std::error_code ignored;
  std::vector<std::pair<std::string, std::int64_t>> files;
  for (const auto& item : fs::directory_iterator(directory_, ignored)) {
    const std::string extension = item.path().extension();
    if (extension != ".png" && extension != ".jpg") continue;
    // What is no file of ours is not followed, measured or removed.
    if (!fs::is_regular_file(item.symlink_status(ignored))) continue;
    files.emplace_back(item.path(), static_cast<std::int64_t>(item.file_size(ignored)));
  }
  std::sort(files.begin(), files.end());
  std::int64_t total = 0;
  for (const auto& [path, size] : files) total += size;
  std::size_t count = files.size();
  for (const auto& [path, size] : files) {
    if (count <= 1 || (count <= static_cast<std::size_t>(most_) && total <= kMostBytes)) break;
    fs::remove(path, ignored);
    total -= size;
    --count;
  }
}

}  // namespace deskmark
