#include "perception/atspi/wire.hpp"

#include <cmath>
#include <cstring>
#include <string_view>

namespace deskmark::atspi {
namespace {

constexpr std::size_t kTextLimit = 1 << 16;  // longest Text content taken over, bytes
constexpr guint32 kRelationLabelledBy = 2;   // ATSPI_RELATION_LABELLED_BY

bool is(GVariant* body, const char* type) {
  return body != nullptr && g_variant_is_of_type(body, G_VARIANT_TYPE(type)) != FALSE;
}

Variant child(GVariant* v, gsize index) { return Variant(g_variant_get_child_value(v, index)); }

ObjectRef ref_of(GVariant* pair) {
  const char* bus = nullptr;
  const char* path = nullptr;
  g_variant_get(pair, "(&s&o)", &bus, &path);
  return {clipped(bus), clipped(path)};
}

StateSet states_of(GVariant* words) {
  std::uint64_t bits = 0;
  const gsize n = std::min<gsize>(g_variant_n_children(words), 2);
  for (gsize i = 0; i < n; ++i) {
    bits |= static_cast<std::uint64_t>(g_variant_get_uint32(child(words, i).get())) << (32 * i);
  }
  return StateSet(bits);
}

IfaceSet interfaces_of(GVariant* names) {
  IfaceSet set;
  const gsize n = g_variant_n_children(names);
  for (gsize i = 0; i < n; ++i) add_interface(set, g_variant_get_string(child(names, i).get(), nullptr));
  return set;
}

}  // namespace

std::string clipped(const char* text, std::size_t limit) {
  if (text == nullptr) return {};
  std::string_view view(text);
  if (view.size() > limit) {
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(view[end]) & 0xC0U) == 0x80U) --end;
    view = view.substr(0, end);
  }
  return std::string(view);
}

void add_interface(IfaceSet& set, const char* name) {
  static const std::map<std::string_view, Iface> known = {
      {"Action", Iface::Action},
      {"Component", Iface::Component},
      {"Text", Iface::Text},
      {"EditableText", Iface::EditableText},
      {"Value", Iface::Value},
      {"Selection", Iface::Selection},
      {"Table", Iface::Table},
      {"TableCell", Iface::TableCell},
      {"Image", Iface::Image},
      {"Hypertext", Iface::Hypertext},
      {"Hyperlink", Iface::Hyperlink},
      {"Document", Iface::Document},
      {"Collection", Iface::Collection},
  };
  constexpr std::string_view prefix = "org.a11y.atspi.";
  std::string_view view(name);
  if (view.substr(0, prefix.size()) != prefix) return;
  const auto it = known.find(view.substr(prefix.size()));
  if (it != known.end()) set.set(it->second);
}

bool null_ref(const ObjectRef& ref) {
  return ref.bus.empty() || ref.path.empty() || ref.path == "/org/a11y/atspi/null" || ref.path == "/";
}

std::optional<std::vector<ObjectRef>> decode_refs(GVariant* body) {
  if (!is(body, "(a(so))")) return std::nullopt;
  const Variant list = child(body, 0);
  const gsize n = g_variant_n_children(list.get());
  std::vector<ObjectRef> refs;
  refs.reserve(n);
  for (gsize i = 0; i < n; ++i) refs.push_back(ref_of(child(list.get(), i).get()));
  return refs;
}

std::optional<ObjectRef> decode_ref(GVariant* body) {
  if (!is(body, "((so))")) return std::nullopt;
  return ref_of(child(body, 0).get());
}

std::optional<StateSet> decode_states(GVariant* body) {
  if (!is(body, "(au)")) return std::nullopt;
  return states_of(child(body, 0).get());
}

std::optional<RawRect> decode_rect(GVariant* body) {
  if (!is(body, "((iiii))")) return std::nullopt;
  RawRect r;
  g_variant_get(body, "((iiii))", &r.x, &r.y, &r.w, &r.h);
  return r;
}

std::optional<IfaceSet> decode_interfaces(GVariant* body) {
  if (!is(body, "(as)")) return std::nullopt;
  return interfaces_of(child(body, 0).get());
}

std::optional<Role> decode_role(GVariant* body) {
  if (!is(body, "(u)")) return std::nullopt;
  const guint32 number = g_variant_get_uint32(child(body, 0).get());
  return number <= 0xFFFF ? static_cast<Role>(number) : Role::Unknown;
}

std::optional<int> decode_int(GVariant* body) {
  if (!is(body, "(i)")) return std::nullopt;
  return g_variant_get_int32(child(body, 0).get());
}

std::optional<std::uint32_t> decode_uint(GVariant* body) {
  if (!is(body, "(u)")) return std::nullopt;
  return g_variant_get_uint32(child(body, 0).get());
}

std::optional<std::string> decode_text(GVariant* body) {
  if (!is(body, "(s)")) return std::nullopt;
  return clipped(g_variant_get_string(child(body, 0).get(), nullptr), kTextLimit);
}

std::optional<std::vector<std::string>> decode_strings(GVariant* body) {
  if (!is(body, "(as)")) return std::nullopt;
  const Variant list = child(body, 0);
  std::vector<std::string> strings;
  const gsize n = g_variant_n_children(list.get());
  for (gsize i = 0; i < n; ++i) strings.push_back(clipped(g_variant_get_string(child(list.get(), i).get(), nullptr)));
  return strings;
}

std::optional<std::vector<std::string>> decode_actions(GVariant* body) {
  if (!is(body, "(a(sss))")) return std::nullopt;
  const Variant list = child(body, 0);
  std::vector<std::string> names;
  const gsize n = std::min<gsize>(g_variant_n_children(list.get()), 64);
  for (gsize i = 0; i < n; ++i) {
    const char* name = nullptr;
    const Variant row = child(list.get(), i);
    g_variant_get_child(row.get(), 0, "&s", &name);
    names.push_back(clipped(name, 128));
  }
  return names;
}

std::optional<std::map<std::string, std::string>> decode_attributes(GVariant* body) {
  if (!is(body, "(a{ss})")) return std::nullopt;
  const Variant list = child(body, 0);
  std::map<std::string, std::string> attributes;
  const gsize n = g_variant_n_children(list.get());
  for (gsize i = 0; i < n; ++i) {
    const char* key = nullptr;
    const char* value = nullptr;
    const Variant entry = child(list.get(), i);
    g_variant_get(entry.get(), "{&s&s}", &key, &value);
    attributes.emplace(clipped(key, 128), clipped(value, 1024));
  }
  return attributes;
}

std::optional<std::vector<ObjectRef>> decode_labelled_by(GVariant* body) {
  if (!is(body, "(a(ua(so)))")) return std::nullopt;
  const Variant list = child(body, 0);
  std::vector<ObjectRef> refs;
  const gsize n = g_variant_n_children(list.get());
  for (gsize i = 0; i < n; ++i) {
    const Variant row = child(list.get(), i);
    if (g_variant_get_uint32(child(row.get(), 0).get()) != kRelationLabelledBy) continue;
    const Variant targets = child(row.get(), 1);
    const gsize m = std::min<gsize>(g_variant_n_children(targets.get()), 16);
    for (gsize j = 0; j < m; ++j) refs.push_back(ref_of(child(targets.get(), j).get()));
  }
  return refs;
}

std::optional<std::vector<CacheItem>> decode_cache(GVariant* body) {
  if (!is(body, "(a((so)(so)(so)iiassusau))")) return std::nullopt;
  const Variant list = child(body, 0);
  std::vector<CacheItem> items;
  const gsize n = g_variant_n_children(list.get());
  items.reserve(n);
  for (gsize i = 0; i < n; ++i) {
    const Variant row = child(list.get(), i);
    CacheItem item;
    item.ref = ref_of(child(row.get(), 0).get());
    item.parent = ref_of(child(row.get(), 2).get());
    item.index_in_parent = g_variant_get_int32(child(row.get(), 3).get());
    item.child_count = g_variant_get_int32(child(row.get(), 4).get());
    item.interfaces = interfaces_of(child(row.get(), 5).get());
    item.name = clipped(g_variant_get_string(child(row.get(), 6).get(), nullptr));
    const guint32 role = g_variant_get_uint32(child(row.get(), 7).get());
    item.role = role <= 0xFFFF ? static_cast<Role>(role) : Role::Unknown;
    item.states = states_of(child(row.get(), 9).get());
    items.push_back(std::move(item));
  }
  return items;
}

std::optional<std::string> decode_text_property(GVariant* body) {
  if (!is(body, "(v)")) return std::nullopt;
  const Variant value(g_variant_get_variant(child(body, 0).get()));
  if (!is(value.get(), "s")) return std::nullopt;
  return clipped(g_variant_get_string(value.get(), nullptr));
}

std::optional<ObjectRef> decode_ref_property(GVariant* body) {
  if (!is(body, "(v)")) return std::nullopt;
  const Variant value(g_variant_get_variant(child(body, 0).get()));
  if (!is(value.get(), "(so)")) return std::nullopt;
  return ref_of(value.get());
}

std::optional<int> decode_int_property(GVariant* body) {
  if (!is(body, "(v)")) return std::nullopt;
  const Variant value(g_variant_get_variant(child(body, 0).get()));
  if (is(value.get(), "i")) return g_variant_get_int32(value.get());
  if (is(value.get(), "u")) {
    const guint32 n = g_variant_get_uint32(value.get());
    return n > static_cast<guint32>(G_MAXINT32) ? G_MAXINT32 : static_cast<int>(n);
  }
  return std::nullopt;
}

std::optional<double> decode_double_property(GVariant* body) {
  if (!is(body, "(v)")) return std::nullopt;
  const Variant value(g_variant_get_variant(child(body, 0).get()));
  if (!is(value.get(), "d")) return std::nullopt;
  const double number = g_variant_get_double(value.get());
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace deskmark::atspi
