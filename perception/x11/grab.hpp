// Pixels of windows, each whole, in one picture; and of the screen as it is seen.
#pragma once

#include <vector>

#include "perception/x11/pixel_reader.hpp"
#include "perception/x11/placement.hpp"
#include "perception/x11/tracker.hpp"

namespace deskmark::x11 {

class Grabber {
 public:
  Grabber(Connection& connection, Tracker& tracker) : connection_(connection), tracker_(tracker), reader_(connection) {}

  /// See ScreenSource::grab.
  [[nodiscard]] Reading<Grab> windows(const std::vector<Window>& windows, const DeviceRect& area,
                                      const Deadline& deadline);
  /// See ScreenSource::grab_screen.
  [[nodiscard]] Reading<Grab> screen(const DeviceRect& area, const Deadline& deadline);

 private:
  /// One window in the picture.
  struct Piece {
    DeviceRect wanted;  ///< its part of the area
    int block = -1;     ///< its pixmap's pixels, -1: none
  };

  [[nodiscard]] bool read_pixmaps(const std::vector<Place>& places, std::vector<Piece>& pieces,
                                  std::vector<Block>& blocks, const Deadline& deadline);
  void read_visible_parts(const std::vector<Place>& places, const std::vector<Piece>& pieces, Image& picture,
                          std::vector<DeviceRect>& grabbed, const DeviceRect& area, const Deadline& deadline);
  void draw_piece(Image& picture, const DeviceRect& area, const Place& place, const Block& block,
                  const std::vector<DeviceRect>& leave_out);

  Connection& connection_;
  Tracker& tracker_;
  PixelReader reader_;
};

}  // namespace deskmark::x11
