#include "src/commands/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace deskmark {
namespace {

using Json = nlohmann::ordered_json;

/// Columns a terminal needs for `text`: code points, near enough for a table.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string one_line(const std::string& text, std::size_t limit) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c & 0xc0) != 0x80 && ++used > limit) return out + "…";
    // A screen's text must not drive the terminal it is printed on.
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return out;
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - columns(row[i]) + 2, ' ');
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string words(const Json& list) {
  std::string out;
  for (const auto& w : list) out += (out.empty() ? "" : " ") + w.get<std::string>();
  return out;
}

std::string rect_text(const Json& r) {
  return std::to_string(r[0].get<int>()) + "," + std::to_string(r[1].get<int>()) + " " +
         std::to_string(r[2].get<int>()) + "×" + std::to_string(r[3].get<int>());
}

void print_elements(const Json& reply) {
  std::vector<std::vector<std::string>> rows{{"#", "ROLE", "LABEL", "VALUE", "STATES", "BOUNDS", "SOURCE"}};
  for (const auto& e : reply["elements"]) {
    rows.push_back({std::to_string(e["index"].get<int>()), e["role"], one_line(e["label"], 60),
                    one_line(e.value("value", ""), 30), words(e.value("states", Json::array())), rect_text(e["bounds"]),
                    e["source"]});
  }
  print_table(rows);
  if (reply.value("omitted", 0) > 0) std::printf("… and %d more (--max-elements)\n", reply["omitted"].get<int>());
}

void print_capture(const Json& reply, const std::string& picture_path) {
  std::printf("%s — \"%s\" (%s, %d×%d at %d,%d)\n", one_line(reply["app"], 60).c_str(),
              one_line(reply["window_title"], 80).c_str(), reply["mode"].get<std::string>().c_str(),
              reply["width"].get<int>(), reply["height"].get<int>(), reply["origin"][0].get<int>(),
              reply["origin"][1].get<int>());
  if (reply.contains("tree")) {
    std::string tree = reply["tree"];
    for (char& c : tree) {
      if (c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) c = ' ';
    }
    std::printf("%s%s", tree.c_str(), tree.empty() || tree.back() != '\n' ? "\n" : "");
  } else {
    print_elements(reply);
  }
  if (!picture_path.empty()) std::printf("picture: %s\n", picture_path.c_str());
}

void print_rows(const Json& list, const std::vector<std::string>& keys, const std::vector<std::string>& titles) {
  std::vector<std::vector<std::string>> rows{titles};
  for (const auto& item : list) {
    std::vector<std::string> row;
    for (const std::string& key : keys) {
      const Json& v = item.contains(key) ? item[key] : Json(nullptr);
      row.push_back(v.is_null() ? "-" : v.is_string() ? one_line(v, 60) : key == "bounds" ? rect_text(v) : v.dump());
    }
    rows.push_back(std::move(row));
  }
  print_table(rows);
}

}  // namespace

bool write_file(const std::string& path, const std::vector<std::uint8_t>& bytes, std::string& error) {
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());  // 0600
  if (fd < 0) {
    error = "cannot write " + path + ": " + std::strerror(errno);
    return false;
  }
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool written = done == bytes.size();
  const bool ok = ::close(fd) == 0 && written && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!ok) {
    error = "cannot write " + path + ": " + std::strerror(errno);
    ::unlink(temporary.c_str());
  }
  return ok;
}

/// What was seen to change, a line each; and the way it was done.
static void print_evidence(const Json& reply) {
  for (const Json& e : reply.value("evidence", Json::array())) {
    std::string line = "  " + e.value("kind", "");
    const std::string before = e.value("before", "");
    const std::string after = e.value("after", "");
    if (!before.empty() || !after.empty()) line += ": " + before + (before.empty() ? "" : " → ") + after;
    std::printf("%s\n", line.c_str());
  }
  if (reply.contains("route")) std::printf("  by %s\n", reply.value("route", "").c_str());
}

void print_reply(const Json& reply, const std::string& picture_path) {
  if (!reply.value("ok", false)) {
    std::fprintf(stderr, "%s: %s\n", reply.value("code", reply.value("effect", "internal")).c_str(),
                 reply.value("message", "").c_str());
  } else if (reply.contains("elements")) {
    print_capture(reply, picture_path);
  } else if (reply.contains("windows")) {
    print_rows(reply["windows"],
               {"z_index", "window_id", "app_name", "pid", "type", "bounds", "focused", "minimized", "title"},
               {"Z", "WINDOW", "APP", "PID", "TYPE", "BOUNDS", "FOCUSED", "MINIMIZED", "TITLE"});
  } else if (reply.contains("apps")) {
    print_rows(reply["apps"], {"name", "pid", "toolkit", "windows", "accessible"},
               {"APP", "PID", "TOOLKIT", "WINDOWS", "ACCESSIBLE"});
  } else {
    std::printf("%s\n", reply.value("message", "ok").c_str());
    print_evidence(reply);
  }
  if (reply.contains("warnings")) {
    for (const auto& w : reply["warnings"]) {
      std::fprintf(stderr, "warning: %s (%s)\n", w.value("message", "").c_str(), w.value("code", "").c_str());
    }
  }
}

}  // namespace deskmark
