#include "perception/atspi/wrapped_links.hpp"

#include <memory>

namespace deskmark::atspi {
namespace {

constexpr int kTwoLines = 24;        // device pixels; two lines of any text that can be read are higher
constexpr int kLines = 8;            // of one link that are looked at
constexpr std::size_t kLinks = 200;  // of one page

struct Lines {
  Caller& caller;
  ObjectRef ref;
  std::vector<RawRect>* found;
  int asked = 0;
};

void ask_line(const std::shared_ptr<Lines>& self, int from) {
  constexpr guint32 kLine = 3;    // ATSPI_TEXT_GRANULARITY_LINE
  constexpr guint32 kScreen = 0;  // ATSPI_COORD_TYPE_SCREEN
  self->caller.call(
      {self->ref.bus, self->ref.path, kText, "GetStringAtOffset", g_variant_new("(iu)", from, kLine)},
      [self, from](GVariant* body) {
        if (body == nullptr || g_variant_is_of_type(body, G_VARIANT_TYPE("(sii)")) == FALSE) return;
        gint32 start = 0;
        gint32 end = 0;
        g_variant_get_child(body, 1, "i", &start);
        g_variant_get_child(body, 2, "i", &end);
        if (end <= from) return;
        self->caller.call(
            {self->ref.bus, self->ref.path, kText, "GetRangeExtents", g_variant_new("(iiu)", from, end, kScreen)},
            [self](GVariant* reply) {
              RawRect r;
              if (reply == nullptr || g_variant_is_of_type(reply, G_VARIANT_TYPE("(iiii)")) == FALSE) return;
              g_variant_get(reply, "(iiii)", &r.x, &r.y, &r.w, &r.h);
              if (r.w > 0 && r.h > 0) self->found->push_back(r);
            });
        if (++self->asked < kLines) ask_line(self, end);
      });
}

}  // namespace

std::vector<int> wrapped_links(const std::vector<Accessible>& nodes, int document) {
  std::vector<int> links;
  for (std::size_t i = static_cast<std::size_t>(document); i < nodes.size() && links.size() < kLinks; ++i) {
    const Accessible& node = nodes[i];
    if (node.role != Role::Link || node.extents.h < kTwoLines || !node.interfaces.has(Iface::Text)) continue;
    const auto display = node.attributes.find("display");
    if (display != node.attributes.end() && display->second == "inline") links.push_back(static_cast<int>(i));
  }
  return links;
}

void ask_lines(Caller& caller, const std::vector<Accessible>& nodes, const std::vector<int>& links,
               std::vector<std::vector<RawRect>>& lines) {
  lines.assign(links.size(), {});
  for (std::size_t k = 0; k < links.size(); ++k) {
    ask_line(std::make_shared<Lines>(Lines{caller, nodes[static_cast<std::size_t>(links[k])].ref, &lines[k], 0}), 0);
  }
}

}  // namespace deskmark::atspi
