// What the kernel says about a network interface, and about the CAN controller behind it: an answer of rtnetlink, read.
//
//     ask_interface       sends RTM_GETLINK and reads the answer; never waits for one
//     read_link_answer    the reading alone: bytes in, values out, whatever the bytes are
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "can_socket.h"

namespace hub {

// In the order of the kernel's `enum can_state`; the words are those of `ip link` and of the published message.
constexpr const char* kCanStateNames[] = {
    "ERROR-ACTIVE", "ERROR-WARNING", "ERROR-PASSIVE", "BUS-OFF", "STOPPED", "SLEEPING",
};
constexpr uint32_t kCanStates = sizeof kCanStateNames / sizeof *kCanStateNames;

// Since the driver was loaded or the interface was brought up, as the driver likes.
struct LinkStatistics {
  uint64_t tx_frames, tx_bytes, rx_frames, rx_bytes, tx_errors, rx_errors;
};

struct CanCounters {
  uint32_t bus_errors, restarts;
};

struct BitTiming {
  uint32_t bitrate;                                // per second
  uint32_t sample_point;                           // permille of a bit
  uint32_t tq;                                     // a time quantum, nanoseconds
  uint32_t prop_seg, phase_seg1, phase_seg2, sjw;  // time quanta
  uint32_t brp;                                    // clock ticks a time quantum
};

// What an answer leaves out is absent: a vcan has no controller, a controller without a bitrate no bit timing.
struct LinkStatus {
  int index = 0;
  bool is_up = false;  // by its administrator
  std::optional<LinkStatistics> statistics;
  std::optional<uint32_t> can_state;  // below `kCanStates`
  std::optional<CanCounters> can_counters;
  std::optional<BitTiming> bit_timing;
  std::optional<uint32_t> restart_ms;
  std::optional<uint32_t> control_mode;  // the flags CAN_CTRLMODE_...
};

// Reads one answer: a link, the kernel's error, or EBADMSG when it is neither. Unknown attributes are passed over; an
// attribute that is cut off or too short counts as absent.
std::error_code read_link_answer(const uint8_t* bytes, size_t length, LinkStatus& status);

// ENODEV: there is no interface of this name.
std::error_code ask_interface(const std::string& name, LinkStatus& status);

// Becomes readable when any interface of the system has changed. Not open when the system does not let us know.
class LinkEvents {
 public:
  LinkEvents();
  int descriptor() const { return socket_.number(); }
  // Takes in what has been told; true when there was something, or when some of it was lost.
  bool take();

 private:
  Descriptor socket_;
};

}  // namespace hub
