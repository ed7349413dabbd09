// What was read before, by the content of the pixels. Thread-safe; bounded, least recently used goes first.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "perception/model/observation.hpp"
#include "perception/ocr/prepare.hpp"

namespace deskmark::ocr {

class LineCache {
 public:
  explicit LineCache(std::size_t limit) : limit_(limit) {}

  std::optional<TextLine> find(const PictureKey& key) {
    const std::lock_guard lock(mutex_);
    const auto it = index_.find(key);
    if (it == index_.end()) return std::nullopt;
    order_.splice(order_.begin(), order_, it->second);
    return it->second->second;
  }
  void store(const PictureKey& key, TextLine line) {
    const std::lock_guard lock(mutex_);
    if (limit_ == 0 || index_.contains(key)) return;
    order_.emplace_front(key, std::move(line));
    index_.emplace(key, order_.begin());
    while (order_.size() > limit_) {
      index_.erase(order_.back().first);
      order_.pop_back();
    }
  }

 private:
  struct Hash {
    std::size_t operator()(const PictureKey& key) const { return static_cast<std::size_t>(key.a ^ (key.b << 1)); }
  };
  using Entry = std::pair<PictureKey, TextLine>;
  std::mutex mutex_;
  std::size_t limit_;
  std::list<Entry> order_;  // newest first
  std::unordered_map<PictureKey, std::list<Entry>::iterator, Hash> index_;
};

}  // namespace deskmark::ocr
