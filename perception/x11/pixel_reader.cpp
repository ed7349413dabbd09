#include "perception/x11/pixel_reader.hpp"

namespace deskmark::x11 {
namespace {

constexpr std::uint32_t kAllPlanes = 0xffffffff;

const xcb_format_t* layout_of(const xcb_setup_t& setup, std::uint8_t depth) {
  const xcb_format_t* formats = xcb_setup_pixmap_formats(&setup);
  for (int i = 0; i < xcb_setup_pixmap_formats_length(&setup); ++i) {
    if (formats[i].depth == depth) return &formats[i];
  }
  return nullptr;
}

const xcb_visualtype_t* visual_of(const xcb_screen_t& screen, xcb_visualid_t id) {
  for (auto depths = xcb_screen_allowed_depths_iterator(&screen); depths.rem > 0; xcb_depth_next(&depths)) {
    const xcb_visualtype_t* visuals = xcb_depth_visuals(depths.data);
    for (int i = 0; i < xcb_depth_visuals_length(depths.data); ++i) {
      if (visuals[i].visual_id == id) return &visuals[i];
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Block> PixelReader::block(xcb_drawable_t drawable, std::uint8_t depth, xcb_visualid_t visual,
                                        const DeviceRect& rect, int x, int y) const {
  const xcb_format_t* layout = layout_of(connection_.setup(), depth);
  const xcb_visualtype_t* colours = visual_of(connection_.screen(), visual);
  if (layout == nullptr || colours == nullptr || layout->bits_per_pixel < 16 || layout->bits_per_pixel % 8 != 0) {
    return std::nullopt;
  }
  if (colours->_class != XCB_VISUAL_CLASS_TRUE_COLOR && colours->_class != XCB_VISUAL_CLASS_DIRECT_COLOR) {
    return std::nullopt;
  }
  Block block;
  block.drawable = drawable;
  block.x = x;
  block.y = y;
  block.rect = rect;
  block.format.bytes = layout->bits_per_pixel / 8;
  block.format.big_endian = connection_.setup().image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST;
  block.format.red = colours->red_mask;
  block.format.green = colours->green_mask;
  block.format.blue = colours->blue_mask;
  block.format.alpha = depth == 32 && (colours->red_mask | colours->green_mask | colours->blue_mask) == 0xffffff;
  block.stride = padded_stride(rect.w, layout->bits_per_pixel, layout->scanline_pad);
  return block;
}

void PixelReader::ask(std::vector<Block>& blocks, const Deadline& deadline) {
  std::size_t bytes = 0;
  for (Block& block : blocks) {
    block.offset = bytes;
    bytes += (block.stride * static_cast<std::size_t>(block.rect.h) + 63) / 64 * 64;
  }
  const bool shared = bytes > 0 && memory_.reserve(bytes, deadline);
  xcb_connection_t* const c = connection_.xcb();
  for (Block& block : blocks) {
    const auto x = static_cast<std::int16_t>(block.x);
    const auto y = static_cast<std::int16_t>(block.y);
    const auto w = static_cast<std::uint16_t>(block.rect.w);
    const auto h = static_cast<std::uint16_t>(block.rect.h);
    block.shared = shared;
    block.answered = false;
    block.copied.reset();
    block.sequence = shared
                         ? xcb_shm_get_image(c, block.drawable, x, y, w, h, kAllPlanes, XCB_IMAGE_FORMAT_Z_PIXMAP,
                                             memory_.segment(), static_cast<std::uint32_t>(block.offset))
                               .sequence
                         : xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, block.drawable, x, y, w, h, kAllPlanes).sequence;
  }
}

void PixelReader::take(std::vector<Block>& blocks, const Deadline& deadline) {
  for (Block& block : blocks) {
    if (block.shared) {
      block.answered = connection_.take<xcb_shm_get_image_reply_t>(block.sequence, deadline) != nullptr;
      continue;
    }
    block.copied = connection_.take<xcb_get_image_reply_t>(block.sequence, deadline);
    const std::size_t expected = block.stride * static_cast<std::size_t>(block.rect.h);
    block.answered =
        block.copied && static_cast<std::size_t>(xcb_get_image_data_length(block.copied.get())) >= expected;
  }
}

RawPixels PixelReader::pixels(const Block& block) const {
  const std::uint8_t* data = block.shared ? memory_.data() + block.offset : xcb_get_image_data(block.copied.get());
  return {data, block.stride, block.rect.w, block.rect.h, block.format};
}

}  // namespace deskmark::x11
