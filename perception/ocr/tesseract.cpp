#include "perception/ocr/tesseract.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "perception/ocr/languages.hpp"
#include "perception/ocr/line_cache.hpp"
#include "perception/ocr/prepare.hpp"
#include "perception/ocr/reader.hpp"
#include "perception/vision/regions.hpp"

namespace deskmark {
namespace {

using namespace ocr;

/// Areas higher than this may hold several lines: they are searched for lines first.
constexpr int kLineHeight = 64;
/// A single line takes a few milliseconds; one that takes this long is no text.
constexpr std::chrono::milliseconds kLineBudget{400};
constexpr std::chrono::milliseconds kLoading{2000};

struct Job {
  std::size_t slot = 0;
  Image pixels;
  PictureKey key;
};

/// One read: filled by the workers, awaited by the caller. Shared, since a worker may outlast the caller's deadline.
struct Batch {
  std::deque<Job> queue;                         // guarded by the source's mutex
  std::vector<std::optional<TextLine>> results;  // the same
  std::size_t open = 0;
};

class TesseractSource final : public TextSource {
 public:
  explicit TesseractSource(const OcrOptions& options)
      : languages_(find_languages(options.languages, options.tessdata)), cache_(options.cached_lines) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    workers_ = std::clamp(options.workers > 0 ? options.workers : cores, 1, 4);
  }

  ~TesseractSource() override {
    stop_.request_stop();
    wake_.notify_all();
  }

  Reading<std::vector<TextLine>> read(const Image& pixels, const std::vector<PictureRect>& areas,
                                      const Deadline& deadline) override {
    Reading<std::vector<TextLine>> out;
    out.value.emplace();
    for (const std::string& name : languages_.missing) {
      out.warnings.push_back({"ocr_language_missing",
                              "text in \"" + name + "\" is not read: install the package " + language_package(name)});
    }
    if (languages_.usable.empty() || failed()) {
      out.warnings.push_back({"ocr_unavailable", languages_.usable.empty()
                                                     ? "no language data for Tesseract: install tesseract-ocr-eng"
                                                     : "Tesseract cannot load " + languages_.usable});
      return out;
    }
    const std::vector<PictureRect> lines = split(pixels, areas);
    auto batch = std::make_shared<Batch>();
    batch->results.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Image part = crop(pixels, lines[i]);
      const PictureKey key = key_of(part);
      if (auto known = cache_.find(key)) {
        batch->results[i] = std::move(known);
      } else {
        batch->queue.push_back({i, std::move(part), key});
      }
    }
    batch->open = batch->queue.size();
    if (batch->open > 0 && !deadline.passed()) work(batch, deadline);

    const std::lock_guard lock(mutex_);
    batch->queue.clear();
    std::size_t unread = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!batch->results[i]) {
        ++unread;
        continue;
      }
      TextLine line = *batch->results[i];
      if (line.text.empty()) continue;
      line.bounds = line.bounds.translated(lines[i].x, lines[i].y);
      for (TextWord& word : line.words) word.bounds = word.bounds.translated(lines[i].x, lines[i].y);
      out.value->push_back(std::move(line));
    }
    if (unread > 0 && !failed_) {
      out.warnings.push_back(
          {"ocr_budget", std::to_string(unread) + " of " + std::to_string(lines.size()) +
                             " lines of text were not read in time; the next capture goes on with them"});
    }
    return out;
  }

 private:
  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

  static std::vector<PictureRect> split(const Image& pixels, const std::vector<PictureRect>& areas) {
    std::vector<PictureRect> lines;
    for (const PictureRect& asked : areas) {
      const PictureRect area = intersect(asked, PictureRect{0, 0, pixels.width, pixels.height});
      if (area.empty()) continue;
      if (area.h <= kLineHeight) {
        lines.push_back(area);
        continue;
      }
      for (const TextRegion& text : find_text_regions(crop(pixels, area))) {
        const PictureRect r = text.bounds.inflated(2).translated(area.x, area.y);
        lines.push_back(intersect(r, area));
      }
    }
    return lines;
  }

  void work(const std::shared_ptr<Batch>& batch, const Deadline& deadline) {
    std::unique_lock lock(mutex_);
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(workers_), batch->open);
    while (threads_.size() < wanted) threads_.emplace_back([this] { run(stop_.get_token()); });
    batches_.push_back(batch);
    wake_.notify_all();
    // Loading the language data (0.1 to 0.3 s, once) is not reading: the time for that starts when an engine is there.
    const auto asked = Deadline::Clock::now();
    const auto budget = deadline.at() - asked;
    done_.wait_until(lock, deadline.stop(), asked + kLoading, [&] { return ready_ > 0 || failed_; });
    done_.wait_until(lock, deadline.stop(), std::max(deadline.at(), Deadline::Clock::now() + budget),
                     [&] { return batch->open == 0 || failed_; });
    std::erase(batches_, batch);
  }

  void run(const std::stop_token& stop) {
    one_thread_per_reader();
    std::unique_ptr<Reader> reader = Reader::open(languages_.tessdata, languages_.usable);
    std::unique_lock lock(mutex_);
    if (reader == nullptr) {
      failed_ = true;
      done_.notify_all();
      return;
    }
    ++ready_;
    done_.notify_all();
    while (true) {
      wake_.wait(lock, stop, [&] {
        return std::any_of(batches_.begin(), batches_.end(), [](const auto& b) { return !b->queue.empty(); });
      });
      if (stop.stop_requested()) return;
      const auto it = std::find_if(batches_.begin(), batches_.end(), [](const auto& b) { return !b->queue.empty(); });
      if (it == batches_.end()) continue;
      const std::shared_ptr<Batch> batch = *it;
      Job job = std::move(batch->queue.front());
      batch->queue.pop_front();
      lock.unlock();
      TextLine line;
      // A line that exceeds its own budget is remembered as unreadable: it would cost the same again.
      (void)reader->read(prepare(job.pixels), kLineBudget, line);
      cache_.store(job.key, line);
      lock.lock();
      batch->results[job.slot] = std::move(line);
      if (--batch->open == 0) done_.notify_all();
    }
  }

  Languages languages_;
  LineCache cache_;
  int workers_ = 1;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable_any done_;
  std::vector<std::shared_ptr<Batch>> batches_;  // guarded by mutex_
  bool failed_ = false;                          // the same
  int ready_ = 0;                                // the same: engines that have loaded their data
  std::stop_source stop_;
  std::vector<std::jthread> threads_;  // last: joined before what they use goes
};

}  // namespace

std::unique_ptr<TextSource> make_tesseract_source(const OcrOptions& options) {
  return std::make_unique<TesseractSource>(options);
}

}  // namespace deskmark
