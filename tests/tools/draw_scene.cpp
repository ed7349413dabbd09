// Draws marks on a picture: draw_scene SCENE.json PICTURE OUT.png [WIDTH]. For looking at the overlay.
// SCENE.json: {"marks": [{"index": 1, "bounds": [x, y, w, h]}, ...]}, bounds in pixels of PICTURE.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perception/marks/encode.hpp"
#include "perception/marks/overlay.hpp"
#include "perception/marks/picture_file.hpp"

int main(int argc, char** argv) {
  using namespace deskmark;
  if (argc < 4) {
    std::fprintf(stderr, "usage: draw_scene SCENE.json PICTURE OUT.png [WIDTH]\n");
    return 2;
  }
  const LoadedPicture loaded = load_picture(argv[2]);
  if (!loaded.ok()) {
    std::fprintf(stderr, "%s\n", loaded.error.c_str());
    return 1;
  }
  std::ifstream file{argv[1]};
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("marks")) {
    std::fprintf(stderr, "%s: no marks\n", argv[1]);
    return 1;
  }
  Scene scene;
  scene.width = argc > 4 ? std::atoi(argv[4]) : loaded.image.width;
  const double scale = static_cast<double>(scene.width) / loaded.image.width;
  scene.height = static_cast<int>(loaded.image.height * scale + 0.5);
  scene.mapping = {{0, 0}, scale, scale};
  for (const auto& entry : json["marks"]) {
    const auto& b = entry["bounds"];
    Mark mark;
    mark.index = entry["index"].get<int>();
    mark.device = {b[0].get<int>(), b[1].get<int>(), b[2].get<int>(), b[3].get<int>()};
    mark.bounds = scene.mapping.to_picture(mark.device);
    scene.marks.push_back(mark);
  }
  const auto start = std::chrono::steady_clock::now();
  const Overlay overlay = draw_marks(loaded.image, scene);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  int leaders = 0;
  for (const PlacedLabel& label : overlay.labels) leaders += label.leader ? 1 : 0;
  std::printf("%zu marks, %d with leader lines, %d left off, %.1f ms\n", scene.marks.size(), leaders, overlay.left_off,
              took.count());
  const EncodedPicture png = encode_png(overlay.picture);
  std::ofstream{argv[3], std::ios::binary}.write(reinterpret_cast<const char*>(png.bytes.data()),
                                                 static_cast<std::streamsize>(png.bytes.size()));
  return 0;
}
