#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "perception/vision/regions.hpp"

namespace deskmark {
namespace {

/// The last pictures asked for. Identity is enough: a shared picture never changes.
class Memo {
 public:
  std::shared_ptr<const PictureParts> find(const SharedImage& picture, const std::vector<PictureRect>& areas) {
    const std::lock_guard lock(mutex_);
    for (const Entry& e : entries_) {
      if (e.parts && e.picture.lock() == picture && e.areas == areas) return e.parts;
    }
    return nullptr;
  }
  void store(const SharedImage& picture, std::vector<PictureRect> areas, std::shared_ptr<const PictureParts> parts) {
    const std::lock_guard lock(mutex_);
    entries_[next_] = {picture, std::move(areas), std::move(parts)};
    next_ = (next_ + 1) % entries_.size();
  }

 private:
  struct Entry {
    std::weak_ptr<const Image> picture;
    std::vector<PictureRect> areas;
    std::shared_ptr<const PictureParts> parts;
  };
  std::mutex mutex_;
  std::array<Entry, 4> entries_;
  std::size_t next_ = 0;
};

/// Adds the parts of one area, moved to where the area lies.
void add(PictureParts& to, PictureParts from, const PictureRect& area) {
  const auto regions = static_cast<int>(to.regions.size());
  const auto texts = static_cast<int>(to.text.size());
  to.scale = std::max(to.scale, from.scale);
  for (TextRegion& text : from.text) {
    text.bounds = text.bounds.translated(area.x, area.y);
    to.text.push_back(text);
  }
  for (Region& region : from.regions) {
    region.bounds = region.bounds.translated(area.x, area.y);
    if (!region.indicator.empty()) region.indicator = region.indicator.translated(area.x, area.y);
    if (region.parent >= 0) region.parent += regions;
    for (int& t : region.text) t += texts;
    to.regions.push_back(std::move(region));
  }
}

}  // namespace

std::shared_ptr<const PictureParts> parts_of(const SharedImage& picture, const std::vector<PictureRect>& areas) {
  static Memo memo;
  if (!picture || areas.empty()) return std::make_shared<const PictureParts>();
  if (auto known = memo.find(picture, areas)) return known;
  auto parts = std::make_shared<PictureParts>();
  const PictureRect whole{0, 0, picture->width, picture->height};
  std::vector<PictureRect> done;
  for (const PictureRect& asked : areas) {
    const PictureRect area = intersect(asked, whole);
    const bool twice = std::any_of(done.begin(), done.end(), [&](const PictureRect& d) { return d.contains(area); });
    if (area.empty() || twice) continue;
    done.push_back(area);
    if (area == whole) {
      *parts = find_parts(*picture);
      break;
    }
    add(*parts, find_parts(crop(*picture, area)), area);
  }
  memo.store(picture, areas, parts);
  return parts;
}

}  // namespace deskmark
