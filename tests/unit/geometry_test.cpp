#include "perception/model/geometry.hpp"

#include <doctest/doctest.h>

#include "perception/model/image.hpp"

namespace deskmark {

TEST_CASE("rectangles are half-open") {
  const DeviceRect r{10, 20, 5, 5};
  CHECK(r.contains(DevicePoint{10, 20}));
  CHECK_FALSE(r.contains(DevicePoint{15, 20}));
  CHECK(intersect(r, DeviceRect{15, 20, 5, 5}).empty());
  CHECK(unite(r, DeviceRect{}) == r);
  CHECK(iou(r, r) == doctest::Approx(1.0));
}

TEST_CASE("a reduced picture maps back to the device pixel it shows") {
  const Mapping m{{100, 50}, 0.5, 0.5};
  CHECK(m.to_picture({100, 50, 20, 10}) == PictureRect{0, 0, 10, 5});
  CHECK(m.to_device({3, 3}) == DevicePoint{107, 57});
  const Mapping identity{{7, 9}, 1, 1};
  CHECK(identity.to_device({0, 0}) == DevicePoint{7, 9});
}

TEST_CASE("neighbours that touch on the screen touch in a reduced picture") {
  const Mapping m{{0, 0}, 0.37, 0.37};
  for (int x = 0; x < 200; ++x) {
    const PictureRect a = m.to_picture({x, 0, 11, 11});
    const PictureRect b = m.to_picture({x + 11, 0, 11, 11});
    CHECK(a.right() == b.x);
  }
}

TEST_CASE("reduction averages areas") {
  Image image{4, 2, 0};
  image.set_rgb(0, 0, 0xffffff);
  image.set_rgb(1, 0, 0xffffff);
  const Image half = reduced(image, 2, 1);
  CHECK(half.width == 2);
  CHECK(std::abs(static_cast<int>(half.rgb(0, 0) & 0xff) - 128) <= 1);
  CHECK((half.rgb(1, 0) & 0xff) == 0);
}

}  // namespace deskmark
