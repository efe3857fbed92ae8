#include "shared_reassembly.h"

#include <cstring>

namespace hub {

size_t SharedReassembly::take_while_room(const uint8_t* records, size_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t at = 0; at < count; at++) {
    if (!ring_.has_room()) return at;
    FrameRecord frame;
    std::memcpy(&frame, records + at * sizeof frame, sizeof frame);
    reassembly_.take(frame);
  }
  return count;
}

}  // namespace hub
