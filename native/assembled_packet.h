// The result of passing a frame to one of the two transports, `FastPackets` and `IsoTp`.
#pragma once

#include <cstdint>

namespace hub {

enum class FrameResult : uint8_t {
  kConsumed,   // stored, ignored or discarded, and counted as such
  kCompleted,  // the last missing frame of a packet
  kUnrelated,  // part of no packet; nothing was counted
};

// The payload is valid until the next frame is pushed.
struct AssembledPacket {
  uint32_t pgn;
  const uint8_t* payload;
  uint16_t length;
  unsigned frames;
};

}  // namespace hub
