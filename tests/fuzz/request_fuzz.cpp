// Arguments of every kind into parse_request: JSON text as a client sends it, and CBOR for what text cannot say
// (numbers that are not finite, malformed UTF-8, byte strings).
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "check.hpp"
#include "schema/request.hpp"
#include "schema/wording.hpp"
#include "src/mcp/message.hpp"

using namespace deskmark;

namespace {

bool in_picture(const std::optional<Pixel>& pixel) { return !pixel || (pixel->x >= 0 && pixel->y >= 0); }

void check(const Request& r) {
  const bool click = r.action == Action::Click || r.action == Action::DoubleClick || r.action == Action::RightClick ||
                     r.action == Action::MiddleClick;
  if (click) FUZZ_CHECK(r.element.has_value() != r.coordinate.has_value());
  if (r.action == Action::Drag) {
    FUZZ_CHECK(r.from_element.has_value() != r.from_coordinate.has_value());
    FUZZ_CHECK(r.to_element.has_value() != r.to_coordinate.has_value());
  }
  if (r.action == Action::Type) FUZZ_CHECK(r.text && !r.text->empty());
  if (r.action == Action::SetValue) FUZZ_CHECK(r.element && r.value);
  for (const auto& text : {r.app, r.value, r.text, r.keys, r.reason}) {
    if (!text) continue;
    FUZZ_CHECK(code_points(*text).value_or(SIZE_MAX) <= 100'000);
    FUZZ_CHECK(text->find('\0') == std::string::npos);
  }
  for (const auto& mark : {r.element, r.from_element, r.to_element, r.pid}) FUZZ_CHECK(mark.value_or(1) >= 1);
  FUZZ_CHECK(in_picture(r.coordinate) && in_picture(r.from_coordinate) && in_picture(r.to_coordinate));
  FUZZ_CHECK(r.amount >= 1 && r.amount <= 50);
  FUZZ_CHECK(r.seconds >= 0 && r.seconds <= (r.action == Action::WaitForHuman ? 1800 : 30));
  FUZZ_CHECK(!r.bring_to_front || r.delivery == Delivery::Foreground);
  FUZZ_CHECK(r.modifiers.size() <= 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  nlohmann::json arguments;
  if (data[0] % 2 == 0) {
    if (mcp::too_complex(rest)) return 0;
    arguments = nlohmann::json::parse(rest, nullptr, false);
  } else {
    try {
      arguments = nlohmann::json::from_cbor(rest, true, false);
    } catch (const nlohmann::json::exception&) {  // an impossible length throws nevertheless
      return 0;
    }
  }
  const auto result = parse_request(arguments);
  if (const auto* request = std::get_if<Request>(&result)) {
    check(*request);
  } else {
    const Failure& failure = std::get<Failure>(result);
    FUZZ_CHECK(failure.code != Code::Internal);
    FUZZ_CHECK(!failure.message.empty() && failure.message.size() < 1000);
    FUZZ_CHECK(code_points(failure.message).has_value());
  }
  return 0;
}
