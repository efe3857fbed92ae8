// Counters of frames and packets; `src/core/ports/packet-source.ts` explains the names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

enum class Ignored : uint8_t { kStandard, kRemote, kError, kNoAddress, kCanFd };
constexpr const char* kIgnoredNames[] = {"standard", "remote", "error", "noAddress", "canFd"};
constexpr size_t kIgnoredKinds = sizeof kIgnoredNames / sizeof *kIgnoredNames;

constexpr const char* kLossNames[] = {"kernel", "ring"};

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

// The errors that a CAN controller has seen on the bus, by the bits of its error frames (linux/can/error.h).
enum class BusError : uint8_t { kBit, kForm, kStuff, kChecksum, kAcknowledge };
constexpr const char* kBusErrorNames[] = {"bit", "form", "stuff", "checksum", "acknowledge"};
constexpr size_t kBusErrorKinds = sizeof kBusErrorNames / sizeof *kBusErrorNames;

// Accounts for every frame exactly once:
//
//     frames = finished + discarded + repeated + control + open + lost to a full ring
//
// A frame of an incomplete packet is `open` until its packet is finished, discarded or lost. A continuation without a
// beginning is a packet of one frame that is discarded at once.
struct FrameAccounting {
  uint64_t finished = 0;   // in finished packets
  uint64_t discarded = 0;  // in discarded packets
  uint64_t repeated = 0;   // identical to the frame before
  uint64_t control = 0;    // of ISO TP: clear to send, end of message, abort
  uint64_t open = 0;
};

struct Counters {
  uint64_t frames = 0;
  uint64_t ignored[kIgnoredKinds] = {};
  uint64_t packets[3] = {};
  uint64_t lost_kernel = 0;
  uint64_t lost_ring = 0;
  uint64_t discarded[kDiscardReasons] = {};
  uint64_t bus_errors[kBusErrorKinds] = {};
  // Packets that were begun and not finished, by source address; wraps around.
  uint32_t incomplete[256] = {};
  FrameAccounting accounting;

  uint64_t& of(Ignored kind) { return ignored[static_cast<size_t>(kind)]; }
  uint64_t& of(Discard reason) { return discarded[static_cast<size_t>(reason)]; }
  uint64_t of(Discard reason) const { return discarded[static_cast<size_t>(reason)]; }
  uint64_t& of(BusError kind) { return bus_errors[static_cast<size_t>(kind)]; }

  // Counts a discarded packet of `open` stored frames and `more` frames that were not stored.
  void discard(Discard reason, unsigned open, unsigned more) {
    of(reason)++;
    accounting.open -= open;
    accounting.discarded += open + more;
  }

  // The same for a packet that its source had begun.
  void discard_begun(Discard reason, uint8_t source, unsigned open, unsigned more) {
    discard(reason, open, more);
    if (reason != Discard::kIsoAborted) incomplete[source]++;
  }
};

}  // namespace hub
