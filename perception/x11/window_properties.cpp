#include "perception/x11/window_properties.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "perception/x11/property.hpp"
#include "perception/x11/text.hpp"

namespace deskmark::x11 {
namespace {

constexpr std::size_t kPipelined = 256;  // windows asked about at once, some twenty requests each
constexpr std::uint32_t kTextWords = 512;

enum Slot : std::size_t {
  kNetName,
  kName,
  kClass,
  kPid,
  kMachine,
  kTransientFor,
  kLeader,
  kHints,
  kType,
  kNetState,
  kWmState,
  kExtents,
  kGtkId,
  kKdeFile,
  kBamfFile,
  kDesktop,
  kSlots,
};

struct Asked {
  unsigned int attributes = 0;
  unsigned int geometry = 0;
  unsigned int place = 0;
  std::array<unsigned int, kSlots> properties{};
};

struct Answers {
  Reply<xcb_get_window_attributes_reply_t> attributes;
  Reply<xcb_get_geometry_reply_t> geometry;
  Reply<xcb_translate_coordinates_reply_t> place;
  std::array<Reply<xcb_get_property_reply_t>, kSlots> properties;

  [[nodiscard]] const xcb_get_property_reply_t* operator[](Slot slot) const { return properties[slot].get(); }
  [[nodiscard]] std::vector<std::uint32_t> words(Slot slot) const { return property_words(properties[slot].get()); }
  [[nodiscard]] std::uint32_t word(Slot slot) const {
    const auto all = words(slot);
    return all.empty() ? 0 : all.front();
  }
};

Asked ask(const Connection& connection, xcb_window_t id) {
  const Atoms& atoms = connection.atoms();
  xcb_connection_t* const c = connection.xcb();
  struct Wanted {
    xcb_atom_t atom;
    std::uint32_t words;
  };
  const std::array<Wanted, kSlots> wanted{{
      {atoms.net_name, kTextWords},
      {XCB_ATOM_WM_NAME, kTextWords},
      {XCB_ATOM_WM_CLASS, kTextWords},
      {atoms.net_pid, 1},
      {XCB_ATOM_WM_CLIENT_MACHINE, 64},
      {XCB_ATOM_WM_TRANSIENT_FOR, 1},
      {atoms.client_leader, 1},
      {XCB_ATOM_WM_HINTS, 9},
      {atoms.net_type, 16},
      {atoms.net_state, 32},
      {atoms.wm_state, 1},
      {atoms.frame_extents, 4},
      {atoms.gtk_application, 128},
      {atoms.kde_desktop_file, 128},
      {atoms.bamf_desktop_file, 256},
      {atoms.net_desktop, 1},
  }};
  Asked asked;
  asked.attributes = xcb_get_window_attributes(c, id).sequence;
  asked.geometry = xcb_get_geometry(c, id).sequence;
  asked.place = xcb_translate_coordinates(c, id, connection.root(), 0, 0).sequence;
  for (std::size_t i = 0; i < kSlots; ++i) {
    asked.properties[i] = ask_property(connection, id, wanted[i].atom, wanted[i].words);
  }
  return asked;
}

Answers take(Connection& connection, const Asked& asked, const Deadline& deadline) {
  Answers answers;
  answers.attributes = connection.take<xcb_get_window_attributes_reply_t>(asked.attributes, deadline);
  answers.geometry = connection.take<xcb_get_geometry_reply_t>(asked.geometry, deadline);
  answers.place = connection.take<xcb_translate_coordinates_reply_t>(asked.place, deadline);
  for (std::size_t i = 0; i < kSlots; ++i) {
    answers.properties[i] = connection.take<xcb_get_property_reply_t>(asked.properties[i], deadline);
  }
  return answers;
}

std::vector<WindowType> listed_types(const Atoms& atoms, const std::vector<std::uint32_t>& words) {
  std::vector<WindowType> types;
  for (const std::uint32_t word : words) {
    const auto type = word == atoms.type_normal          ? WindowType::Normal
                      : word == atoms.type_dialog        ? WindowType::Dialog
                      : word == atoms.type_utility       ? WindowType::Utility
                      : word == atoms.type_splash        ? WindowType::Splash
                      : word == atoms.type_toolbar       ? WindowType::Toolbar
                      : word == atoms.type_menu          ? WindowType::Menu
                      : word == atoms.type_dropdown_menu ? WindowType::DropdownMenu
                      : word == atoms.type_popup_menu    ? WindowType::PopupMenu
                      : word == atoms.type_combo         ? WindowType::Combo
                      : word == atoms.type_tooltip       ? WindowType::Tooltip
                      : word == atoms.type_notification  ? WindowType::Notification
                      : word == atoms.type_dock          ? WindowType::Dock
                      : word == atoms.type_desktop       ? WindowType::Desktop
                      : word == atoms.type_dnd           ? WindowType::Dnd
                                                         : WindowType::Unknown;
    types.push_back(type);
  }
  return types;
}

std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t length = readlink(path.c_str(), buffer.data(), buffer.size());
  return length > 0 ? std::string(buffer.data(), static_cast<std::size_t>(length)) : std::string{};
}

/// Base name of the program of `pid`; empty when /proc does not tell.
std::string process_name(int pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::string exe = link_target(folder + "/exe");
  constexpr std::string_view kDeleted = " (deleted)";
  if (exe.ends_with(kDeleted)) exe.resize(exe.size() - kDeleted.size());
  if (!exe.empty()) return valid_utf8(exe.substr(exe.rfind('/') + 1));
  std::ifstream comm{folder + "/comm"};
  std::string name;
  std::getline(comm, name);
  return valid_utf8(name);
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

class Describer {
 public:
  Describer(Connection& connection, const RootState& root)
      : connection_(connection), atoms_(connection.atoms()), root_(root), host_(host_name()) {}

  DescribedClient describe(const Client& client, const Answers& answers) const {
    DescribedClient out;
    if (!answers.attributes || !answers.geometry || !answers.place) return out;
    if (answers.attributes->_class != XCB_WINDOW_CLASS_INPUT_OUTPUT) return out;
    out.alive = answers.geometry->width > 1 && answers.geometry->height > 1;
    out.viewable = answers.attributes->map_state == XCB_MAP_STATE_VIEWABLE;
    Window& window = out.window;
    window.id = client.id;
    window.surface = {answers.place->dst_x, answers.place->dst_y, answers.geometry->width, answers.geometry->height};
    window.bounds = without_shadow(window.surface, answers.words(kExtents));
    window.override_redirect = answers.attributes->override_redirect != 0;
    window.title = property_text(atoms_, answers[kNetName]);
    if (window.title.empty()) window.title = property_text(atoms_, answers[kName]);
    read_class(window, property_bytes(answers[kClass]));
    read_desktop_id(window, answers);
    read_process(window, answers);
    read_ties(out.ties, window.id, answers);
    window.type = choose_type(listed_types(atoms_, answers.words(kType)), window.override_redirect,
                              out.ties.says_transient, window.bounds, root_.screen);
    read_state(out, client, answers);
    return out;
  }

 private:
  static void read_class(Window& window, std::string_view both) {
    const std::size_t end = both.find('\0');
    window.wm_instance = valid_utf8(both);
    if (end != std::string_view::npos) window.wm_class = valid_utf8(both.substr(end + 1));
  }

  void read_desktop_id(Window& window, const Answers& answers) const {
    for (const Slot slot : {kGtkId, kKdeFile, kBamfFile}) {
      window.desktop_id = desktop_id_of_file(property_text(atoms_, answers[slot]));
      if (!window.desktop_id.empty()) return;
    }
  }

  void read_process(Window& window, const Answers& answers) const {
    ProcessClues clues;
    if (const std::uint32_t said = answers.word(kPid); said > 0 && said <= INT_MAX) clues.said = static_cast<int>(said);
    if (const auto seen = root_.pids.find(connection_.maker(window.id)); seen != root_.pids.end()) {
      clues.connected = seen->second;
    }
    clues.machine_is_this = names_this_machine(property_text(atoms_, answers[kMachine]), host_);
    if (!clues.machine_is_this && clues.connected) {
      const std::string there = link_target("/proc/" + std::to_string(*clues.connected) + "/ns/uts");
      clues.connected_elsewhere = !there.empty() && there != link_target("/proc/self/ns/uts");
    }
    window.pid = choose_pid(clues);
    if (window.pid) window.process = process_name(*window.pid);
  }

  void read_ties(Ties& ties, xcb_window_t id, const Answers& answers) const {
    const auto transient = answers.words(kTransientFor);
    ties.says_transient = !transient.empty();
    ties.transient_for = transient.empty() || transient.front() == connection_.root() ? 0 : transient.front();
    ties.leader = answers.word(kLeader);
    constexpr std::uint32_t kGroupHint = 1U << 6;
    const auto hints = answers.words(kHints);
    if (hints.size() >= 9 && (hints[0] & kGroupHint) != 0 && hints[8] != connection_.root()) ties.group = hints[8];
    ties.maker = connection_.maker(id);
  }

  void read_state(DescribedClient& out, const Client& client, const Answers& answers) const {
    Window& window = out.window;
    bool hidden = false;
    bool shaded = false;
    for (const std::uint32_t state : answers.words(kNetState)) {
      hidden = hidden || state == atoms_.state_hidden;
      shaded = shaded || state == atoms_.state_shaded;
      window.modal = window.modal || state == atoms_.state_modal;
    }
    constexpr std::uint32_t kEverywhere = 0xffffffff;
    const auto desktop = answers.words(kDesktop);
    const bool elsewhere =
        root_.desktop && !desktop.empty() && desktop.front() != kEverywhere && desktop.front() != *root_.desktop;
    // Window managers mark windows of other workspaces Iconic too; only HIDDEN says minimised there. A shaded window
    // shows nothing but its title bar, whether it is unmapped for that or only clipped away.
    constexpr std::uint32_t kIconic = 3;
    const bool iconic = client.managed && !out.viewable && answers.word(kWmState) == kIconic;
    window.minimized = shaded || (!out.viewable && (hidden || (iconic && !elsewhere)));
    window.off_screen =
        elsewhere || (!out.viewable && !window.minimized) || intersect(window.bounds, root_.screen).empty();
  }

  Connection& connection_;
  const Atoms& atoms_;
  const RootState& root_;
  std::string host_;
};

}  // namespace

std::vector<DescribedClient> describe_clients(Connection& connection, const std::vector<Client>& clients,
                                              const RootState& root, const Deadline& deadline) {
  const Describer describer{connection, root};
  std::vector<DescribedClient> out;
  out.reserve(clients.size());
  std::vector<Asked> asked;
  for (std::size_t from = 0; from < clients.size(); from += kPipelined) {
    const std::size_t to = std::min(from + kPipelined, clients.size());
    asked.clear();
    for (std::size_t i = from; i < to; ++i) asked.push_back(ask(connection, clients[i].id));
    for (std::size_t i = from; i < to; ++i) {
      out.push_back(describer.describe(clients[i], take(connection, asked[i - from], deadline)));
    }
  }
  return out;
}

}  // namespace deskmark::x11
