// What became of every frame and packet; `src/ports/packet-source.ts` says what the names mean.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

enum class Ignored : uint8_t { kStandard, kRemote, kError, kNoAddress };
constexpr const char* kIgnoredNames[] = {"standard", "remote", "error", "noAddress"};
constexpr size_t kIgnoredKinds = sizeof kIgnoredNames / sizeof *kIgnoredNames;

enum class Discard : uint8_t {
  kFastOrphan,
  kFastOrder,
  kFastRestarted,
  kFastTimeout,
  kFastLength,
  kFastStale,
  kFastEvicted,
  kIsoOrphan,
  kIsoOrder,
  kIsoRestarted,
  kIsoTimeout,
  kIsoSize,
  kIsoAborted,
  kIsoEvicted,
};
constexpr const char* kDiscardNames[] = {
    "fastOrphan", "fastOrder", "fastRestarted", "fastTimeout", "fastLength", "fastStale",  "fastEvicted",
    "isoOrphan",  "isoOrder",  "isoRestarted",  "isoTimeout",  "isoSize",    "isoAborted", "isoEvicted",
};
constexpr size_t kDiscardReasons = sizeof kDiscardNames / sizeof *kDiscardNames;

// Where the frames went. Every frame is in exactly one place:
//
//     frames taken in = finished + discarded + repeated + control + open + lost to a full ring
//
// A frame of a packet that is not finished yet is `open`; it moves on when its packet is finished, given up or lost.
// A continuation without a beginning is a packet of one frame that is given up at once.
struct Books {
  uint64_t finished = 0;   // in packets handed over
  uint64_t discarded = 0;  // in packets given up
  uint64_t repeated = 0;   // the frame before once more
  uint64_t control = 0;    // ISO TP's answers: clear to send, end of message, abort
  uint64_t open = 0;
};

struct Counters {
  uint64_t frames = 0;
  uint64_t ignored[kIgnoredKinds] = {};
  uint64_t packets[3] = {};
  uint64_t lost_kernel = 0;
  uint64_t lost_ring = 0;
  uint64_t discarded[kDiscardReasons] = {};
  Books books;

  uint64_t& of(Ignored kind) { return ignored[static_cast<size_t>(kind)]; }
  uint64_t& of(Discard reason) { return discarded[static_cast<size_t>(reason)]; }
  uint64_t of(Discard reason) const { return discarded[static_cast<size_t>(reason)]; }

  // Gives up a packet of which `open` frames were held, and with it `more` frames that were not.
  void discard(Discard reason, unsigned open, unsigned more) {
    of(reason)++;
    books.open -= open;
    books.discarded += open + more;
  }
};

}  // namespace hub
