// The status of a network interface and of its CAN controller, from rtnetlink.
//
//     LinkQuery           sends RTM_GETLINK and parses the answer; never waits for one
//     LinkEvents          tells that some interface has changed
//     read_link_answer    the parser alone: any bytes in, values or an error out
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "descriptor.h"

namespace hub {

// In the order of the kernel's `enum can_state`; the words are those of `ip link` and of the published message.
constexpr const char* kCanStateNames[] = {
    "ERROR-ACTIVE", "ERROR-WARNING", "ERROR-PASSIVE", "BUS-OFF", "STOPPED", "SLEEPING",
};
constexpr uint32_t kCanStates = sizeof kCanStateNames / sizeof *kCanStateNames;

// Since the driver was loaded or the interface was brought up, depending on the driver.
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

// Members that an answer leaves out are absent: a vcan has no controller, a controller without a bitrate no bit timing.
struct LinkStatus {
  int index = 0;
  bool is_up = false;  // set up by the administrator
  bool is_can = false;
  std::optional<LinkStatistics> statistics;
  std::optional<uint32_t> can_state;  // below `kCanStates`
  std::optional<CanCounters> can_counters;
  std::optional<BitTiming> bit_timing;
  std::optional<uint32_t> restart_ms;
  std::optional<uint32_t> control_mode;  // the flags CAN_CTRLMODE_...
};

// Reads one answer: a link, the kernel's error, or EBADMSG when it is neither. Unknown attributes are skipped; a
// truncated or too short attribute counts as absent.
std::error_code read_link_answer(const uint8_t* bytes, size_t length, LinkStatus& status);

// Whether a network interface can have this name at all.
bool is_possible_interface_name(const std::string& name);

// Asks the kernel about interfaces. The socket is opened by the first question and kept, so that later ones need no
// descriptor.
class LinkQuery {
 public:
  // ENODEV: there is no interface of this name. Other errors: there was no answer, so nothing is known.
  std::error_code ask(const std::string& name, LinkStatus& status);
  void close() { socket_.close(); }

 private:
  Descriptor socket_;
  uint32_t sequence_ = 0;
};

// Becomes readable when any interface of the system has changed.
class LinkEvents {
 public:
  // If the system does not permit it, no event is ever reported.
  void open();
  void close() { socket_.close(); }
  int descriptor() const { return socket_.number(); }
  // Discards the events that have arrived; true when there were any, or when some were lost.
  bool take();

 private:
  Descriptor socket_;
};

}  // namespace hub
