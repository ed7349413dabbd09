#include "perception/atspi/wide_children.hpp"

#include <algorithm>
#include <utility>

#include "perception/atspi/toolkit_rules.hpp"

namespace deskmark::atspi {
namespace {

constexpr int kSamples = 64;  // probes of the first round, spread over all children
constexpr int kSplit = 12;    // probes between two that differ
constexpr int kClose = 12;    // so few between two probes are simply taken
constexpr int kMaxProbes = 1500;
constexpr int kMaxRounds = 8;
constexpr int kEnds = 4;  // first and last children are always looked at: headers

}  // namespace

void WideChildren::find(Caller& caller, ChildGetter getter, int count, RawRect view, std::uint32_t coordinates,
                        bool along_x, int limit, Done done) {
  const std::shared_ptr<WideChildren> self(
      new WideChildren(caller, std::move(getter), count, view, coordinates, along_x, limit, std::move(done)));
  std::vector<int> first;
  for (int i = 0; i < kEnds; ++i) {
    first.push_back(std::min(i, count - 1));
    first.push_back(std::max(0, count - 1 - i));
  }
  for (int i = 0; i < kSamples; ++i) {
    first.push_back(static_cast<int>((static_cast<std::int64_t>(count) - 1) * i / (kSamples - 1)));
  }
  self->probe(first);
}

WideChildren::WideChildren(Caller& caller, ChildGetter getter, int count, RawRect view, std::uint32_t coordinates,
                           bool along_x, int limit, Done done)
    : caller_(caller),
      getter_(std::move(getter)),
      count_(count),
      view_(view),
      coordinates_(coordinates),
      along_x_(along_x),
      limit_(limit),
      done_(std::move(done)) {}

WideChildren::Place WideChildren::place_of(const RawRect& r) const {
  if (!usable(r) || (r.w <= 0 && r.h <= 0)) return Place::Unknown;
  if (along_x_) {
    if (r.x + r.w <= view_.x) return Place::Before;
    return r.x >= view_.x + view_.w ? Place::After : Place::In;
  }
  if (r.y + r.h <= view_.y) return Place::Before;
  return r.y >= view_.y + view_.h ? Place::After : Place::In;
}

void WideChildren::probe(const std::vector<int>& indices) {
  const auto self = shared_from_this();
  waiting_ = 1;
  for (const int index : indices) {
    if (static_cast<int>(probes_.size()) >= kMaxProbes) {
      complete_ = false;
      break;
    }
    if (!probes_.try_emplace(index).second) continue;
    ++waiting_;
    caller_.call(getter_(index), [self, index](GVariant* body) {
      const auto ref = decode_ref(body);
      if (!ref || null_ref(*ref)) {
        if (--self->waiting_ == 0) self->next_round();
        return;
      }
      self->probes_[index].ref = *ref;
      self->caller_.call({ref->bus, ref->path, kComponent, "GetExtents", g_variant_new("(u)", self->coordinates_)},
                         [self, index](GVariant* extents) {
                           Probe& p = self->probes_[index];
                           if (const auto r = decode_rect(extents)) p.place = self->place_of(*r);
                           p.answered = true;
                           if (--self->waiting_ == 0) self->next_round();
                         });
    });
  }
  if (--waiting_ == 0) next_round();
}

void WideChildren::next_round() {
  std::vector<int> more;
  wanted_.clear();
  bool capped = false;
  const auto want = [&](int index) {
    if (static_cast<int>(wanted_.size()) < limit_)
      wanted_.push_back(index);
    else
      capped = true;
  };
  for (auto it = probes_.begin(); it != probes_.end(); ++it) {
    const bool end = it->first < kEnds || it->first >= count_ - kEnds;
    if (it->second.place == Place::In || (end && it->second.answered)) want(it->first);
    const auto next = std::next(it);
    if (next == probes_.end()) break;
    const int gap = next->first - it->first - 1;
    if (gap <= 0) continue;
    const Place a = it->second.place;
    const Place b = next->second.place;
    if (a == b && a != Place::In)
      continue;  // both above, both below, both without a place: nothing in between is in view
    if ((a == Place::In && b == Place::In) || gap <= kClose) {
      for (int i = it->first + 1; i < next->first && !capped; ++i) want(i);
      continue;
    }
    for (int i = 1; i <= kSplit; ++i) {
      more.push_back(it->first + static_cast<int>(static_cast<std::int64_t>(gap) * i / (kSplit + 1)) + 1);
    }
  }
  if (!more.empty() && ++rounds_ < kMaxRounds && static_cast<int>(probes_.size()) < kMaxProbes) return probe(more);
  if (capped || !more.empty()) complete_ = false;
  fetch();
}

void WideChildren::fetch() {
  const auto self = shared_from_this();
  waiting_ = 1;
  for (const int index : wanted_) {
    if (!probes_[index].ref.null()) continue;
    ++waiting_;
    caller_.call(getter_(index), [self, index](GVariant* body) {
      if (const auto ref = decode_ref(body); ref && !null_ref(*ref)) self->probes_[index].ref = *ref;
      if (--self->waiting_ == 0) self->finish();
    });
  }
  if (--waiting_ == 0) finish();
}

void WideChildren::finish() {
  Found found;
  found.complete = complete_;
  std::sort(wanted_.begin(), wanted_.end());
  for (const int index : wanted_) {
    const ObjectRef& ref = probes_[index].ref;
    if (!ref.null()) found.children.emplace_back(index, ref);
  }
  done_(std::move(found));
}

}  // namespace deskmark::atspi
