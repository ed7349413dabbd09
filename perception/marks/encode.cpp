#include "perception/marks/encode.hpp"

namespace deskmark {

EncodedPicture encode_png(const Image&) { return {}; }
EncodedPicture encode_jpeg(const Image&, int) { return {}; }
EncodedPicture encode_within(const Image&, std::size_t) { return {}; }

}  // namespace deskmark
