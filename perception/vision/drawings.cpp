#include <algorithm>
#include <vector>

#include "perception/vision/units.hpp"

namespace deskmark::vision {

bool too_close_to_read(std::vector<int> middles, int least) {
  if (middles.size() < 3) return false;
  std::sort(middles.begin(), middles.end());
  std::vector<int> pitch;
  for (std::size_t i = 1; i < middles.size(); ++i) {
    if (middles[i] - middles[i - 1] > 1) pitch.push_back(middles[i] - middles[i - 1]);
  }
  if (pitch.size() < 2) return false;
  std::sort(pitch.begin(), pitch.end());
  return pitch[pitch.size() / 2] <= least;
}

bool find_drawing(Arrangement& a, Surface& s) {
  if (std::max(s.area.w, s.area.h) > a.px(128)) return false;
  std::vector<int> middles;
  for (const Row& row : rows_of(s)) middles.push_back(mid_y(span_of(row)));
  if (!too_close_to_read(std::move(middles), a.px(kReadablePitch))) return false;
  Draft d{s.area, RegionKind::Icon, 0.45, {}, {}, false};
  for (Unit& u : s.units) {
    use(a, u);
    if (u.line >= 0) d.text.push_back(u.line);
  }
  a.drafts.push_back(std::move(d));
  return true;
}

}  // namespace deskmark::vision
