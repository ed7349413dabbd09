// Receipts: what a delivered picture is and where it came from; and the private files it may be left in.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "src/engine/client.hpp"

namespace deskmark {

/// `receipt` of a capture: size, type, bytes and SHA-256 of the picture as delivered, who made it, the window it shows
/// (device pixels), and how its pixels map to the device's: device = origin + picture / scale.
[[nodiscard]] nlohmann::ordered_json picture_receipt(const Snapshot& snapshot, const Reply& reply);

/// Keeps the newest pictures in a private directory.
class PictureStore {
 public:
  static constexpr std::int64_t kMostBytes = 256'000'000;

  /// At most `most` files and kMostBytes; 0: keeps none.
  PictureStore(std::string directory, int most) : directory_(std::move(directory)), most_(most) {}

  /// Writes the reply's picture (0600, atomically, following no link), drops older ones, and puts `screenshot_path`
  /// into `body`; a failure becomes a warning there.
  void keep(const Reply& reply, nlohmann::ordered_json& body) const;

 private:
  void drop_old() const;

  std::string directory_;
  int most_;
};

}  // namespace deskmark
