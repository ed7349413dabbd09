// Tells when a service leaves a bus. Nobody but the bus itself learns of it otherwise: it started the process.
#pragma once

#include <gio/gio.h>

#include <functional>
#include <string>

namespace deskmark::desktop {

class RegistryWatch {
 public:
  RegistryWatch() = default;
  ~RegistryWatch() { stop(); }
  RegistryWatch(const RegistryWatch&) = delete;
  RegistryWatch& operator=(const RegistryWatch&) = delete;

  /// Calls `gone` once, from the default main context, when `name` (now owned) loses its owner while the bus goes on.
  void start(const std::string& bus, const std::string& name, std::function<void()> gone);
  void stop();

 private:
  GDBusConnection* connection_ = nullptr;
  guint watch_ = 0;
  std::function<void()> gone_;
};

}  // namespace deskmark::desktop
