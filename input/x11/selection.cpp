#include "input/x11/selection.hpp"

#include <algorithm>

namespace deskmark::x11_input {
namespace {

constexpr std::size_t kPart = 128 * 1024;  // bytes; more goes in parts (INCR)

std::vector<unsigned char> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::vector<unsigned char> bytes_of(const std::vector<long>& items) {
  const auto* first = reinterpret_cast<const unsigned char*>(items.data());
  return {first, first + items.size() * sizeof(long)};
}

void put(Link& link, XID window, Atom property, const Content& c, std::size_t from, std::size_t bytes) {
  const std::size_t item = c.format == 32 ? sizeof(long) : static_cast<std::size_t>(c.format) / 8;
  XChangeProperty(link.x(), window, property, c.type, c.format, PropModeReplace, c.data.data() + from,
                  static_cast<int>(bytes / item));
}

/// Empty when a character is not in Latin-1.
std::optional<std::string> latin1(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      out += text[i];
    } else if ((lead == 0xc2 || lead == 0xc3) && i + 1 < text.size()) {
      out += static_cast<char>((lead & 3U) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3fU));
    } else {
      return std::nullopt;
    }
  }
  return out;
}

/// The part of a resource id that tells its client.
XID client_of(Link& link, XID id) { return id & ~reinterpret_cast<_XPrivDisplay>(link.x())->private4; }

}  // namespace

std::vector<Content> text_contents(Link& link, const std::string& text) {
  std::vector<Content> out;
  const Atom utf8 = link.atom("UTF8_STRING");
  out.push_back({utf8, utf8, 8, bytes_of(text)});
  out.push_back({link.atom("TEXT"), utf8, 8, bytes_of(text)});
  for (const char* name : {"text/plain;charset=utf-8", "text/plain"})
    out.push_back({link.atom(name), link.atom(name), 8, bytes_of(text)});
  if (const auto narrow = latin1(text)) out.push_back({XA_STRING, XA_STRING, 8, bytes_of(*narrow)});
  const Atom hint = link.atom("x-kde-passwordManagerHint");
  out.push_back({hint, hint, 8, bytes_of("secret")});
  return out;
}

bool SelectionServer::own(Atom selection, std::vector<Content> contents, const Deadline& deadline) {
  // Link::now() would lose what others ask meanwhile.
  const Atom stamp = link_.atom("_DESKMARK_OWNED");
  if (link_.dead()) return false;
  XChangeProperty(link_.x(), link_.own_window(), stamp, XA_INTEGER, 32, PropModeReplace, nullptr, 0);
  Time now = CurrentTime;
  link_.wait(deadline, [&](const XEvent& event) {
    if (event.type != 0) handle(event);
    if (event.type == PropertyNotify && event.xproperty.window == link_.own_window() && event.xproperty.atom == stamp)
      now = event.xproperty.time;
    return now != CurrentTime;
  });
  if (link_.dead() || now == CurrentTime) return false;
  XSetSelectionOwner(link_.x(), selection, link_.own_window(), now);
  if (XGetSelectionOwner(link_.x(), selection) != link_.own_window()) return false;
  offers_[selection] = {now, std::move(contents)};
  return true;
}

void SelectionServer::drop(Atom selection) {
  if (offers_.erase(selection) == 0 || link_.dead()) return;
  if (XGetSelectionOwner(link_.x(), selection) == link_.own_window())
    XSetSelectionOwner(link_.x(), selection, kNone, CurrentTime);
  XFlush(link_.x());
}

bool SelectionServer::is_text(Atom target) const {
  for (const char* name : {"UTF8_STRING", "TEXT", "STRING", "text/plain;charset=utf-8", "text/plain"}) {
    if (target == link_.atom(name)) return true;
  }
  return false;
}

bool SelectionServer::gave_text_to(XID window) const {
  return std::any_of(takers_.begin(), takers_.end(),
                     [&](XID taker) { return client_of(link_, taker) == client_of(link_, window); });
}

void SelectionServer::handle(const XEvent& event) {
  if (event.type == SelectionRequest) {
    answer(event.xselectionrequest);
  } else if (event.type == SelectionClear) {
    // Our own claims anew clear nothing; this is somebody who copied.
    if (XGetSelectionOwner(link_.x(), event.xselectionclear.selection) != link_.own_window())
      offers_.erase(event.xselectionclear.selection);
  } else if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete) {
    send_more(event.xproperty.window, event.xproperty.atom);
  }
}

void SelectionServer::answer(const XSelectionRequestEvent& request) {
  ++asked_;
  XEvent reply{};
  reply.xselection.type = SelectionNotify;
  reply.xselection.requestor = request.requestor;
  reply.xselection.selection = request.selection;
  reply.xselection.target = request.target;
  reply.xselection.time = request.time;
  const Atom property = request.property == kNone ? request.target : request.property;
  const auto offer = offers_.find(request.selection);
  if (offer != offers_.end()) {
    const bool many = request.target == link_.atom("MULTIPLE");
    const bool done = many ? request.property != kNone && convert_many(offer->second, request.requestor, property)
                           : convert(offer->second, request.requestor, request.target, property);
    if (done) reply.xselection.property = property;
  }
  XSendEvent(link_.x(), request.requestor, kFalse, NoEventMask, &reply);
  XFlush(link_.x());
}

bool SelectionServer::convert(const Offer& offer, XID requestor, Atom target, Atom property) {
  if (target == link_.atom("TARGETS")) {
    std::vector<long> all;
    for (const char* name : {"TARGETS", "TIMESTAMP", "MULTIPLE"}) all.push_back(static_cast<long>(link_.atom(name)));
    for (const Content& c : offer.contents) all.push_back(static_cast<long>(c.target));
    const Content list{target, XA_ATOM, 32, bytes_of(all)};
    put(link_, requestor, property, list, 0, list.data.size());
    return true;
  }
  if (target == link_.atom("TIMESTAMP")) {
    const Content time{target, XA_INTEGER, 32, bytes_of(std::vector<long>{static_cast<long>(offer.since)})};
    put(link_, requestor, property, time, 0, time.data.size());
    return true;
  }
  const auto found =
      std::find_if(offer.contents.begin(), offer.contents.end(), [&](const Content& c) { return c.target == target; });
  if (found == offer.contents.end()) return false;
  if (found->data.size() <= kPart) {
    put(link_, requestor, property, *found, 0, found->data.size());
    if (is_text(target)) takers_.push_back(requestor);
    return true;
  }
  XSelectInput(link_.x(), requestor, PropertyChangeMask);
  const Content size{target, link_.atom("INCR"), 32,
                     bytes_of(std::vector<long>{static_cast<long>(found->data.size())})};
  put(link_, requestor, property, size, 0, size.data.size());
  sending_.push_back({requestor, property, *found, 0, is_text(target), false});
  return true;
}

bool SelectionServer::convert_many(const Offer& offer, XID requestor, Atom property) {
  const auto pairs = link_.property(requestor, property, AnyPropertyType);
  if (pairs.empty() || pairs.size() % 2 != 0) return false;
  std::vector<long> done(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (!convert(offer, requestor, pairs[i], pairs[i + 1])) done[i + 1] = kNone;
  }
  const Content list{kNone, link_.atom("ATOM_PAIR"), 32, bytes_of(done)};
  put(link_, requestor, property, list, 0, list.data.size());
  return true;
}

void SelectionServer::send_more(XID requestor, Atom property) {
  const auto found = std::find_if(sending_.begin(), sending_.end(),
                                  [&](const Sending& s) { return s.requestor == requestor && s.property == property; });
  if (found == sending_.end()) return;
  if (found->last) {
    if (found->text) takers_.push_back(requestor);
    sending_.erase(found);
    return;
  }
  const std::size_t part = std::min(kPart, found->content.data.size() - found->sent);
  put(link_, requestor, property, found->content, found->sent, part);
  found->sent += part;
  found->last = part == 0;
  XFlush(link_.x());
}

}  // namespace deskmark::x11_input
