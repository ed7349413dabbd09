#include "perception/marks/reading_order.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace deskmark {

std::vector<int> reading_order(const std::vector<DeviceRect>& rects) {
  const auto at = [&](int i) -> const DeviceRect& { return rects[static_cast<std::size_t>(i)]; };
  std::vector<int> by_top(rects.size());
  std::iota(by_top.begin(), by_top.end(), 0);
  std::stable_sort(by_top.begin(), by_top.end(),
                   [&](int a, int b) { return std::tie(at(a).y, at(a).x) < std::tie(at(b).y, at(b).x); });

  std::vector<int> order;
  order.reserve(rects.size());
  std::vector<int> line;
  std::vector<int> later;
  // `pending` stays sorted by top; what does not fit the current line is looked at again for the next one.
  std::size_t next = 0;
  std::vector<int> pending;
  while (next < by_top.size() || !pending.empty()) {
    const auto first = [&] { return pending.empty() ? by_top[next] : pending.front(); };
    const int top = pending.empty() ? at(first()).y
                                    : (next < by_top.size() ? std::min(at(pending.front()).y, at(by_top[next]).y)
                                                            : at(pending.front()).y);
    // The line is as high as the lowest of what starts at its top: something tall beside it does not stretch it.
    int height = 1 << 20;
    const auto measure = [&](int i) {
      const int h = std::min(at(i).h, height);
      if ((at(i).y - top) * 2 < h) height = h;
    };
    for (const int i : pending) measure(i);
    for (std::size_t k = next; k < by_top.size() && at(by_top[k]).y < top + height; ++k) measure(by_top[k]);

    const auto fits = [&](int i) { return at(i).y + std::min(at(i).h, height) / 2 < top + height; };
    line.clear();
    later.clear();
    for (const int i : pending) (fits(i) ? line : later).push_back(i);
    for (; next < by_top.size() && at(by_top[next]).y < top + height; ++next) {
      (fits(by_top[next]) ? line : later).push_back(by_top[next]);
    }
    if (line.empty()) {  // cannot be: whatever set `top` fits; kept so that the loop always ends
      line.push_back(later.front());
      later.erase(later.begin());
    }
    std::stable_sort(line.begin(), line.end(),
                     [&](int a, int b) { return std::tie(at(a).x, at(a).y) < std::tie(at(b).x, at(b).y); });
    order.insert(order.end(), line.begin(), line.end());
    pending.swap(later);
  }
  return order;
}

}  // namespace deskmark
