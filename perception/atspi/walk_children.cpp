// The children of a node: all of them, or of very many those in view.
#include <algorithm>
#include <utility>

#include "perception/atspi/walk.hpp"
#include "perception/atspi/wide_children.hpp"

namespace deskmark::atspi {
namespace {

constexpr int kWide = 250;        // so many children are probed for the visible ones instead of all asked
constexpr int kMany = 40;         // a table of more columns has no headers that are worth asking one by one
constexpr int kWideLimit = 4000;  // children of one container taken at most

}  // namespace

void Walk::ask_children(int i) {
  Node& n = at(i);
  if (const auto seeded = seeded_.find(n.ref); seeded != seeded_.end() && !seeded->second.children.empty() &&
                                               static_cast<int>(seeded->second.children.size()) == n.child_count) {
    take_children(i, seeded->second.children);
    return;
  }
  if (n.listed) {
    const std::vector<ObjectRef> listed = std::move(*n.listed);
    take_children(i, listed);
    return;
  }
  if (n.child_count == 0) return;
  // Negative: a count the program does not want to give (managed descendants) or an overflow.
  const bool wide = n.child_count > kWide || n.child_count < 0;
  if (wide && request_.toolkit != Toolkit::Gtk4) {
    if (n.interfaces.has(Iface::Table))
      ask_table(i);
    else if (n.child_count > 0)
      ask_wide(i);
    return;
  }
  caller_.call({n.ref.bus, n.ref.path, kAccessible, "GetChildren", nullptr}, [this, i](GVariant* body) {
    if (const auto refs = decode_refs(body)) take_children(i, *refs);
  });
}

void Walk::take_children(int i, const std::vector<ObjectRef>& refs) {
  std::vector<int> fresh;
  int order = 0;
  for (const ObjectRef& ref : refs) {
    if (order >= kWideLimit) {
      complete_ = false;
      break;
    }
    const int child = discover(i, ref, order++);
    if (child >= 0) fresh.push_back(child);
  }
  for (const int child : fresh) {
    at(child).many = refs.size() > static_cast<std::size_t>(kMany);
    ask(child, first_for(at(child), refs.size()));
  }
}

void Walk::take_found(int i, const std::vector<std::pair<int, ObjectRef>>& found, bool all) {
  if (!all) complete_ = false;
  std::vector<int> fresh;
  for (const auto& [order, ref] : found) {
    const int child = discover(i, ref, order);
    if (child >= 0) fresh.push_back(child);
  }
  for (const int child : fresh) {
    at(child).many = true;
    ask(child, memory_.find(at(child).ref) != nullptr ? First::All : First::Place);
  }
}

void Walk::ask_wide(int i) {
  Node& n = at(i);
  const ObjectRef ref = n.ref;
  const DeviceRect seen = n.rect.empty() ? n.clip : intersect(n.rect, n.clip);
  WideChildren::find(
      caller_,
      [ref](int index) {
        return Call{ref.bus, ref.path, kAccessible, "GetChildAtIndex", g_variant_new("(i)", index)};
      },
      n.child_count, to_raw(n, seen), coordinates_, false, kWideLimit,
      [this, i](const WideChildren::Found& found) { take_found(i, found.children, found.complete); });
}

/// Rows in view by the first column, columns in view by the first such row, then the cells where they cross.
void Walk::ask_table(int i) {
  struct Size {
    int rows = 0;
    int columns = 0;
    int waiting = 2;
  };
  const auto size = std::make_shared<Size>();
  const ObjectRef ref = at(i).ref;
  const auto cell = [ref](int row, int column) {
    return Call{ref.bus, ref.path, kTable, "GetAccessibleAt", g_variant_new("(ii)", row, column)};
  };
  const auto go = [this, i, ref, size, cell] {
    Node& n = at(i);
    if (size->rows <= 0 || size->columns <= 0) {
      if (n.child_count > 0) ask_wide(i);
      return;
    }
    // Headers are children before the cells, and no cells themselves.
    const int headers = n.child_count > 0 && size->columns < kMany ? std::min(n.child_count, size->columns + 1) : 0;
    for (int h = 0; h < headers; ++h) {
      caller_.call({ref.bus, ref.path, kAccessible, "GetChildAtIndex", g_variant_new("(i)", h)},
                   [this, i, h](GVariant* body) {
                     if (const auto child = decode_ref(body)) take_found(i, {{h, *child}}, true);
                   });
    }
    const RawRect view = to_raw(n, n.rect.empty() ? n.clip : intersect(n.rect, n.clip));
    WideChildren::find(
        caller_, [cell](int row) { return cell(row, 0); }, size->rows, view, coordinates_, false, kWideLimit,
        [this, i, size, cell, view, headers](const WideChildren::Found& rows) {
          if (!rows.complete) complete_ = false;
          if (rows.children.empty()) return;
          std::vector<int> row_numbers;
          for (const auto& [row, child] : rows.children) row_numbers.push_back(row);
          const int middle = row_numbers[row_numbers.size() / 2];
          WideChildren::find(
              caller_, [cell, middle](int column) { return cell(middle, column); }, size->columns, view, coordinates_,
              true, kWideLimit,
              [this, i, cell, row_numbers, headers](const WideChildren::Found& columns) {
                if (!columns.complete) complete_ = false;
                int order = headers;
                for (const int row : row_numbers) {
                  for (const auto& [column, child] : columns.children) {
                    if (order >= kWideLimit) {
                      complete_ = false;
                      return;
                    }
                    const int at_order = order++;
                    caller_.call(cell(row, column), [this, i, at_order](GVariant* body) {
                      if (const auto found = decode_ref(body)) take_found(i, {{at_order, *found}}, true);
                    });
                  }
                }
              });
        });
  };
  const auto ask = [this, ref, size, go](const char* name, int Size::*field) {
    caller_.call(get_property(ref, kTable, name), [size, go, field](GVariant* body) {
      (*size).*field = decode_int_property(body).value_or(0);
      if (--size->waiting == 0) go();
    });
  };
  ask("NRows", &Size::rows);
  ask("NColumns", &Size::columns);
}

}  // namespace deskmark::atspi
