// The frames of one read from a socket, with the number of those that are not among them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "frame_record.h"

namespace hub {

struct FrameBurst {
  static constexpr size_t kCapacity = 64;

  FrameRecord frames[kCapacity];
  size_t count = 0;
  // Frames that the kernel has lost between each frame and the one before.
  uint32_t lost_before[kCapacity] = {};
  // NMEA 2000 has no CAN FD frames.
  uint64_t can_fd_frames = 0;

  bool is_empty() const { return count == 0 && can_fd_frames == 0; }
};

}  // namespace hub
