#include "src/desktop/control.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace deskmark::desktop {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// Bytes of an argument or a file name need not be UTF-8, which JSON asks for: each byte travels as one code point.
std::string widened(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    if (byte < 0x80) {
      text += static_cast<char>(byte);
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

std::string narrowed(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead >= 0x80 && i + 1 < text.size())
      bytes += static_cast<char>((lead & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    else
      bytes += text[i];
  }
  return bytes;
}

std::optional<RunRequest> parse(const std::string& line) try {
  const Json json = Json::parse(line);
  RunRequest request;
  for (const auto& word : json.at("argv")) request.argv.push_back(narrowed(word));
  for (const auto& pair : json.at("env")) request.environment.emplace_back(narrowed(pair.at(0)), narrowed(pair.at(1)));
  request.directory = narrowed(json.at("cwd"));
  request.umask = json.at("umask");
  if (request.argv.empty()) return std::nullopt;
  return request;
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace

int listen_at(const std::string& path) {
  const auto address = address_of(path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (!address || fd < 0) return -1;
  unlink(path.c_str());
  if (bind(fd, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0 && listen(fd, 16) == 0) return fd;
  close(fd);
  return -1;
}

RunAnswer ask_to_run(const std::string& path, const RunRequest& request, std::chrono::milliseconds limit) {
  const auto address = address_of(path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!address || fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    const std::string why = std::strerror(errno);
    if (fd >= 0) close(fd);
    return {0, "", path + ": " + why};
  }
  Json json{
      {"argv", Json::array()}, {"env", Json::array()}, {"cwd", widened(request.directory)}, {"umask", request.umask}};
  for (const auto& word : request.argv) json["argv"].push_back(widened(word));
  for (const auto& [name, value] : request.environment) json["env"].push_back({widened(name), widened(value)});
  write_all(fd, json.dump() + "\n");
  const auto line = LineReader(fd).next(limit);
  close(fd);
  if (!line) return {0, "", "the desktop did not answer"};
  const Json reply = Json::parse(*line, nullptr, false);
  if (!reply.is_object()) return {0, "", "the desktop gave no sensible answer"};
  return {reply.value("pid", 0), reply.value("log", ""), reply.value("problem", "")};
}

std::optional<Asked> accept_request(int listener) {
  const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) return std::nullopt;
  if (const auto line = LineReader(connection).next(std::chrono::seconds(1)))
    if (auto request = parse(*line)) return Asked{connection, std::move(*request)};
  close(connection);
  return std::nullopt;
}

void answer(int connection, const RunAnswer& reply) {
  const Json json{{"pid", reply.pid}, {"log", reply.log}, {"problem", reply.problem}};
  write_all(connection, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  close(connection);
}

std::optional<std::string> LineReader::next(std::chrono::milliseconds limit) {
  constexpr std::size_t kLongest = 8U << 20;
  const auto until = Clock::now() + limit;
  for (std::size_t searched = 0; buffer_.size() < kLongest;) {
    if (const auto end = buffer_.find('\n', searched); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    searched = buffer_.size();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd poll_fd{fd_, POLLIN, 0};
    const int ready = left > 0 ? poll(&poll_fd, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    std::array<char, 16384> chunk{};
    const ssize_t got = read(fd_, chunk.data(), chunk.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return std::nullopt;
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    ssize_t wrote = send(fd, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (wrote < 0 && errno == ENOTSOCK) wrote = write(fd, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace deskmark::desktop
