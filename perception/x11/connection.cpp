#include "perception/x11/connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/randr.h>
#include <xcb/res.h>
#include <xcb/shape.h>
#include <xcb/shm.h>
#include <xcb/xcbext.h>

#include <array>
#include <cstring>
#include <string_view>
#include <thread>

namespace deskmark::x11 {
namespace {

constexpr int kConnectTries = 3;
constexpr std::string_view kStartOne =
    "start one with `deskmark desktop start`, or name another with DISPLAY or --display";

bool socket_answers(int number) {
  const std::string path = "/tmp/.X11-unix/X" + std::to_string(number);
  for (const bool abstract : {true, false}) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t at = abstract ? 1 : 0;
    std::memcpy(address.sun_path + at, path.data(), std::min(path.size(), sizeof address.sun_path - 2));
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + at + path.size());
    const bool connected = connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    close(fd);
    if (connected) return true;
  }
  return false;
}

EdgeError why_not(const std::string& display, int xcb_error) {
  if (display.empty()) {
    return {"display_unavailable", "no display is named (DISPLAY is not set); " + std::string{kStartOne}};
  }
  char* host = nullptr;
  int number = 0;
  int screen = 0;
  const bool parsed = xcb_parse_display(display.c_str(), &host, &number, &screen) != 0;
  const std::string machine = host != nullptr ? host : "";
  std::free(host);
  std::string what = "no X server answers on display \"" + display + "\"";
  if (!parsed) {
    what = "\"" + display + "\" is not the name of a display (expected the form :0)";
  } else if (xcb_error == XCB_CONN_CLOSED_INVALID_SCREEN) {
    what = "display \"" + display + "\" has no screen of that number";
  } else if ((machine.empty() || machine == "unix") && socket_answers(number)) {
    what = "the X server on display \"" + display + "\" refuses the connection (is XAUTHORITY right?)";
  }
  return {"display_unavailable", what + "; " + std::string{kStartOne}};
}

bool is_local_socket(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  return getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0 && address.ss_family == AF_UNIX;
}

}  // namespace

std::unique_ptr<Connection> Connection::open(const std::string& display, EdgeError& error) {
  if (display.empty()) {
    error = why_not(display, 0);
    return nullptr;
  }
  int number = 0;
  std::unique_ptr<Connection> made{new Connection};
  made->display_ = display;
  made->connection_ = xcb_connect(display.c_str(), &number);
  // A server whose last client just left starts over and drops whoever comes meanwhile.
  for (int tries = 1; tries < kConnectTries && xcb_connection_has_error(made->connection_) == XCB_CONN_ERROR; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    xcb_disconnect(made->connection_);
    made->connection_ = xcb_connect(display.c_str(), &number);
  }
  if (const int failed = xcb_connection_has_error(made->connection_); failed != 0) {
    error = why_not(display, failed);
    return nullptr;
  }
  xcb_screen_iterator_t screens = xcb_setup_roots_iterator(&made->setup());
  for (; number > 0 && screens.rem > 1; --number) xcb_screen_next(&screens);
  made->screen_ = screens.data;

  const Deadline deadline = Deadline::in(std::chrono::seconds{5});
  made->query_extensions(deadline);
  if (!made->intern_atoms(deadline)) {
    error = made->fault().value_or(EdgeError{"internal", "the X server does not intern atoms"});
    return nullptr;
  }
  return made;
}

Connection::~Connection() { xcb_disconnect(connection_); }

std::optional<EdgeError> Connection::fault() const {
  if (dead()) {
    return EdgeError{"display_unavailable",
                     "the X server of display \"" + display_ + "\" is gone; " + std::string{kStartOne}};
  }
  if (late_) return EdgeError{"timeout", "the X server of display \"" + display_ + "\" did not answer in time"};
  return std::nullopt;
}

void* Connection::take_raw(unsigned int sequence, const Deadline& deadline) {
  bool flushed = false;
  for (;;) {
    if (late_) {
      xcb_discard_reply(connection_, sequence);
      return nullptr;
    }
    void* reply = nullptr;
    xcb_generic_error_t* failed = nullptr;
    if (xcb_poll_for_reply(connection_, sequence, &reply, &failed) != 0) {
      failed_ = failed != nullptr;
      std::free(failed);
      return reply;
    }
    if (dead()) return nullptr;
    if (!flushed) {
      // Sending may read, too: what was waited for can be there now without the socket ever becoming readable again.
      xcb_flush(connection_);
      flushed = true;
    } else if (!wait_readable(deadline)) {
      late_ = true;
    }
  }
}

bool Connection::succeeded(xcb_void_cookie_t cookie, const Deadline& deadline) {
  failed_ = false;
  (void)take_raw(cookie.sequence, deadline);
  return !failed_ && !late_ && !dead();
}

bool Connection::sync(const Deadline& deadline) {
  return take<xcb_get_input_focus_reply_t>(xcb_get_input_focus(connection_).sequence, deadline) != nullptr;
}

bool Connection::wait_readable(const Deadline& until) {
  pollfd server{descriptor(), POLLIN, 0};
  for (;;) {
    const auto left = until.left();
    const int ready = poll(&server, 1, static_cast<int>(std::min<std::int64_t>(left.count() + 1, 60'000)));
    if (ready > 0) return true;
    if (until.passed()) return false;
  }
}

bool Connection::drain(const std::function<void(const xcb_generic_event_t&)>& handler) {
  // Handlers send, and sending may read: done when a round brought nothing. A client that floods us is not followed
  // forever.
  constexpr int kMostRounds = 100;
  bool handled = false;
  bool any = true;
  for (int round = 0; any && round < kMostRounds; ++round) {
    any = false;
    xcb_flush(connection_);
    while (xcb_generic_event_t* raw = xcb_poll_for_event(connection_)) {
      const Reply<xcb_generic_event_t> event{raw};
      any = true;
      // Response type 0 is the error of a request nobody waits for (a window that vanished): nothing to do.
      if (event->response_type != 0) handler(*event);
    }
    handled = handled || any;
  }
  return handled;
}

bool Connection::intern_atoms(const Deadline& deadline) {
  struct Wanted {
    const char* name;
    xcb_atom_t* atom;
  };
  const Wanted wanted[] = {
#define DESKMARK_ATOM(id, name) {name, &atoms_.id},
#include "perception/x11/atoms.inc"
#undef DESKMARK_ATOM
  };
  std::array<xcb_intern_atom_cookie_t, std::size(wanted)> sent{};
  for (std::size_t i = 0; i < sent.size(); ++i) {
    sent[i] = xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(std::strlen(wanted[i].name)), wanted[i].name);
  }
  bool all = true;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const auto reply = take<xcb_intern_atom_reply_t>(sent[i].sequence, deadline);
    if (reply) *wanted[i].atom = reply->atom;
    all = all && reply;
  }
  return all;
}

void Connection::query_extensions(const Deadline& deadline) {
  xcb_extension_t* const used[] = {&xcb_composite_id, &xcb_damage_id, &xcb_shm_id,
                                   &xcb_randr_id,     &xcb_res_id,    &xcb_shape_id};
  for (xcb_extension_t* extension : used) xcb_prefetch_extension_data(connection_, extension);
  const auto present = [&](xcb_extension_t* extension) {
    const xcb_query_extension_reply_t* data = xcb_get_extension_data(connection_, extension);
    return data != nullptr && data->present != 0 ? data : nullptr;
  };
  if (present(&xcb_composite_id) != nullptr) {
    const auto version =
        take<xcb_composite_query_version_reply_t>(xcb_composite_query_version(connection_, 0, 4).sequence, deadline);
    extensions_.composite = version && (version->major_version > 0 || version->minor_version >= 2);
  }
  if (const auto* data = present(&xcb_damage_id)) {
    const auto version =
        take<xcb_damage_query_version_reply_t>(xcb_damage_query_version(connection_, 1, 1).sequence, deadline);
    extensions_.damage = version != nullptr;
    extensions_.damage_event = static_cast<std::uint8_t>(data->first_event + XCB_DAMAGE_NOTIFY);
  }
  if (present(&xcb_shm_id) != nullptr && is_local_socket(descriptor())) {
    const auto version = take<xcb_shm_query_version_reply_t>(xcb_shm_query_version(connection_).sequence, deadline);
    extensions_.shared_memory =
        version && (version->major_version > 1 || (version->major_version == 1 && version->minor_version >= 2));
  }
  if (present(&xcb_randr_id) != nullptr) {
    const auto version =
        take<xcb_randr_query_version_reply_t>(xcb_randr_query_version(connection_, 1, 5).sequence, deadline);
    extensions_.monitors =
        version && (version->major_version > 1 || (version->major_version == 1 && version->minor_version >= 5));
  }
  if (present(&xcb_res_id) != nullptr) {
    const auto version =
        take<xcb_res_query_version_reply_t>(xcb_res_query_version(connection_, 1, 2).sequence, deadline);
    extensions_.resource_ids =
        version && (version->server_major > 1 || (version->server_major == 1 && version->server_minor >= 2));
  }
  extensions_.shape = present(&xcb_shape_id) != nullptr;
  extensions_.xwayland = is_xwayland(deadline);
}

bool Connection::is_xwayland(const Deadline& deadline) {
  // Since 23.1 XWayland names itself with an extension; older ones by their outputs, XWAYLAND0 and so on.
  constexpr std::string_view kName = "XWAYLAND";
  const auto asked = xcb_query_extension(connection_, kName.size(), kName.data());
  const auto extension = take<xcb_query_extension_reply_t>(asked.sequence, deadline);
  if (extension && extension->present != 0) return true;
  if (!extensions_.monitors) return false;
  const auto resources = take<xcb_randr_get_screen_resources_current_reply_t>(
      xcb_randr_get_screen_resources_current(connection_, root()).sequence, deadline);
  if (!resources) return false;
  const xcb_randr_output_t* outputs = xcb_randr_get_screen_resources_current_outputs(resources.get());
  for (int i = 0; i < xcb_randr_get_screen_resources_current_outputs_length(resources.get()); ++i) {
    const auto info = take<xcb_randr_get_output_info_reply_t>(
        xcb_randr_get_output_info(connection_, outputs[i], resources->config_timestamp).sequence, deadline);
    if (!info) continue;
    const std::string_view name{reinterpret_cast<const char*>(xcb_randr_get_output_info_name(info.get())),
                                static_cast<std::size_t>(xcb_randr_get_output_info_name_length(info.get()))};
    if (name.starts_with(kName)) return true;
  }
  return false;
}

}  // namespace deskmark::x11
