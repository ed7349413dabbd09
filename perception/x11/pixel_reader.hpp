// Blocks of pixels from drawables: through shared memory, else through the socket.
#pragma once

#include <optional>
#include <vector>

#include "perception/x11/compose.hpp"
#include "perception/x11/shared_memory.hpp"

namespace deskmark::x11 {

/// A rectangle of a drawable, asked for and answered.
struct Block {
  xcb_drawable_t drawable = 0;
  int x = 0;  ///< in the drawable
  int y = 0;
  DeviceRect rect;  ///< the same on the screen
  PixelFormat format;
  std::size_t stride = 0;
  bool answered = false;

  unsigned int sequence = 0;  // filled by PixelReader
  std::size_t offset = 0;
  bool shared = false;
  Reply<xcb_get_image_reply_t> copied;
};

class PixelReader {
 public:
  explicit PixelReader(Connection& connection) : connection_(connection), memory_(connection) {}

  /// A block of `drawable`, whose pixels are those of `depth` and `visual`; empty for colour maps (8-bit displays).
  [[nodiscard]] std::optional<Block> block(xcb_drawable_t drawable, std::uint8_t depth, xcb_visualid_t visual,
                                           const DeviceRect& rect, int x, int y) const;
  /// Sends the requests of all blocks. One set of blocks at a time: the next ask overwrites the pixels.
  void ask(std::vector<Block>& blocks, const Deadline& deadline);
  /// Takes the answers; a block whose drawable could not be read stays unanswered.
  void take(std::vector<Block>& blocks, const Deadline& deadline);
  /// The pixels of an answered block, valid until the next ask.
  [[nodiscard]] RawPixels pixels(const Block& block) const;

 private:
  Connection& connection_;
  SharedMemory memory_;
};

}  // namespace deskmark::x11
