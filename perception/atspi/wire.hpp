// Decoding of AT-SPI replies. Every function accepts any GVariant (or none) and answers nothing where the type is not
// what the protocol says: a program that answers nonsense loses a node, never the reader.
#pragma once

#include <gio/gio.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perception/model/accessible.hpp"

namespace deskmark::atspi {

struct VariantDeleter {
  void operator()(GVariant* v) const { g_variant_unref(v); }
};
using Variant = std::unique_ptr<GVariant, VariantDeleter>;

/// Rectangle as a toolkit reports it, before any rule: logical pixels, any coordinate origin, maybe a sentinel.
struct RawRect {
  int x = 0;
  int y = 0;
  int w = 0;
  int h = 0;
  friend bool operator==(const RawRect&, const RawRect&) = default;
};

/// One row of Cache.GetItems in the signature used since 2015.
struct CacheItem {
  ObjectRef ref;
  ObjectRef parent;
  int index_in_parent = -1;
  int child_count = -1;  ///< -1: ask (menus, managed descendants)
  IfaceSet interfaces;
  std::string name;
  Role role = Role::Unknown;
  StateSet states;
};

/// Interface names to bits; unknown ones are ignored.
void add_interface(IfaceSet& set, const char* name);
[[nodiscard]] bool null_ref(const ObjectRef& ref);

// Bodies of method replies, as tuples.
std::optional<std::vector<ObjectRef>> decode_refs(GVariant* body);                    // (a(so))
std::optional<ObjectRef> decode_ref(GVariant* body);                                  // ((so))
std::optional<StateSet> decode_states(GVariant* body);                                // (au)
std::optional<RawRect> decode_rect(GVariant* body);                                   // ((iiii))
std::optional<IfaceSet> decode_interfaces(GVariant* body);                            // (as)
std::optional<Role> decode_role(GVariant* body);                                      // (u)
std::optional<int> decode_int(GVariant* body);                                        // (i)
std::optional<std::uint32_t> decode_uint(GVariant* body);                             // (u)
std::optional<std::string> decode_text(GVariant* body);                               // (s)
std::optional<std::vector<std::string>> decode_strings(GVariant* body);               // (as)
std::optional<std::vector<std::string>> decode_actions(GVariant* body);               // (a(sss)): the names
std::optional<std::map<std::string, std::string>> decode_attributes(GVariant* body);  // (a{ss})
std::optional<std::vector<ObjectRef>> decode_labelled_by(GVariant* body);  // (a(ua(so))): targets of LABELLED_BY
std::optional<std::vector<CacheItem>> decode_cache(GVariant* body);        // (a((so)(so)(so)iiassusau))
// Replies of Properties.Get: (v).
std::optional<std::string> decode_text_property(GVariant* body);
std::optional<ObjectRef> decode_ref_property(GVariant* body);
std::optional<int> decode_int_property(GVariant* body);
std::optional<double> decode_double_property(GVariant* body);

/// Cut at `limit` bytes on a character boundary.
[[nodiscard]] std::string clipped(const char* text, std::size_t limit = 4096);

}  // namespace deskmark::atspi
