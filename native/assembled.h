// What the two kinds of reassembly hand to each other's user: `Reassembly`.
#pragma once

#include <cstdint>

namespace hub {

// What taking a frame came to.
enum class Step : uint8_t {
  kTaken,     // kept, ignored or given up, and counted as such
  kFinished,  // the packet is whole
  kNotMine,   // not part of any packet; nothing was counted
};

// A packet that is whole. The bytes are valid until the next frame is taken.
struct Assembled {
  uint32_t pgn;
  const uint8_t* payload;
  uint16_t length;
  unsigned frames;
};

// A packet that has been silent for longer than this is given up.
constexpr double kSilenceUs = 750'000;

}  // namespace hub
