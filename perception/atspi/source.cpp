#include "perception/atspi/source.hpp"

namespace deskmark {

std::unique_ptr<AccessibleSource> open_atspi() { return nullptr; }

}  // namespace deskmark
