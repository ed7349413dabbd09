#include "perception/ocr/reader.hpp"

#include <dlfcn.h>
#include <tesseract/baseapi.h>
#include <tesseract/ocrclass.h>
#include <tesseract/resultiterator.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace deskmark::ocr {
namespace {

bool letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A name or a path that was taken apart at its punctuation.
bool joins(const std::string& before, const std::string& after) {
  if (before.size() < 2 || after.empty()) return false;
  const char last = before.back();
  return (last == '.' || last == '/' || last == '_' || last == '-') && letter(before[before.size() - 2]) &&
         std::islower(static_cast<unsigned char>(after.front())) != 0;
}

}  // namespace

struct Reader::Impl {
  tesseract::TessBaseAPI api;
};

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::~Reader() { impl_->api.End(); }

void one_thread_per_reader() {
  // Tesseract hard-codes num_threads(4) in its clauses, so omp_set_num_threads does not help, and OMP_THREAD_LIMIT is
  // read before main. With no active level allowed a parallel region runs on its caller. Looked up at run time: a
  // Tesseract built without OpenMP has no such symbol, and needs none.
  using SetLevels = void (*)(int);
  void* symbol = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");
  if (symbol == nullptr) return;
  SetLevels set = nullptr;
  std::memcpy(&set, &symbol, sizeof set);
  set(0);
}

std::unique_ptr<Reader> Reader::open(const std::string& tessdata, const std::string& languages) {
  auto impl = std::make_unique<Impl>();
  if (impl->api.Init(tessdata.c_str(), languages.c_str(), tesseract::OEM_LSTM_ONLY) != 0) return nullptr;
  impl->api.SetPageSegMode(tesseract::PSM_RAW_LINE);
  impl->api.SetVariable("debug_file", "/dev/null");
  return std::unique_ptr<Reader>(new Reader(std::move(impl)));
}

bool Reader::read(const Prepared& line, std::chrono::milliseconds budget, TextLine& out) {
  out = {};
  if (line.blank || line.width <= 0) return true;
  tesseract::TessBaseAPI& api = impl_->api;
  // A lone sign (a calculator's digit) is taken for noise by line mode.
  const bool lone = line.width - 2 * line.margin <= (line.height - 2 * line.margin) * 5 / 4;
  api.SetPageSegMode(lone ? tesseract::PSM_SINGLE_CHAR : tesseract::PSM_SINGLE_LINE);
  api.SetImage(line.grey.data(), line.width, line.height, 1, line.width);
  api.SetSourceResolution(200);
  tesseract::ETEXT_DESC monitor;
  monitor.set_deadline_msecs(static_cast<int>(std::clamp<std::int64_t>(budget.count(), 1, 60'000)));
  if (api.Recognize(&monitor) != 0) {
    api.Clear();
    return false;
  }
  const std::unique_ptr<tesseract::ResultIterator> it(api.GetIterator());
  if (it != nullptr) {
    do {
      const std::unique_ptr<char[]> text(it->GetUTF8Text(tesseract::RIL_WORD));
      int x0 = 0;
      int y0 = 0;
      int x1 = 0;
      int y1 = 0;
      if (text == nullptr || text[0] == '\0' || text[0] == ' ') continue;
      if (!it->BoundingBox(tesseract::RIL_WORD, &x0, &y0, &x1, &y1)) continue;
      const auto back = [&](int v) { return static_cast<int>(std::lround((v - line.margin) / line.factor)); };
      TextWord word;
      word.text = text.get();
      word.bounds = {back(x0), back(y0), back(x1) - back(x0), back(y1) - back(y0)};
      word.confidence = std::clamp(it->Confidence(tesseract::RIL_WORD) / 100.0, 0.0, 1.0);
      // Screen fonts leave room around dots and slashes; Tesseract takes it for a space ("main. cpp").
      if (!out.words.empty() && joins(out.words.back().text, word.text)) {
        TextWord& before = out.words.back();
        const int gap = word.bounds.x - before.bounds.right();
        if (gap * 4 < std::max(before.bounds.h, word.bounds.h)) {
          before.text += word.text;
          before.bounds = unite(before.bounds, word.bounds);
          before.confidence = std::min(before.confidence, word.confidence);
          out.bounds = unite(out.bounds, word.bounds);
          continue;
        }
      }
      out.bounds = unite(out.bounds, word.bounds);
      out.words.push_back(std::move(word));
    } while (it->Next(tesseract::RIL_WORD));
  }
  double sum = 0;
  for (const TextWord& word : out.words) {
    if (!out.text.empty()) out.text += ' ';
    out.text += word.text;
    sum += word.confidence;
  }
  out.confidence = out.words.empty() ? 0 : sum / static_cast<double>(out.words.size());
  api.Clear();
  return true;
}

}  // namespace deskmark::ocr
