#include "../interface_status.h"

#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

using namespace hub;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const std::string& hex) {
  Bytes bytes;
  std::string digits;
  for (const char letter : hex) {
    if (letter == ' ') continue;
    digits += letter;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<uint8_t>(std::stoul(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

// The offset of the attributes of an answer.
constexpr size_t kAttributes = 32;

// An SJA1000 at 250 kbit/s that is up, as a kernel 6.1 describes it; counters and index are made up.
const char* const kController =
    // length 284, RTM_NEWLINK; ARPHRD_CAN, index 7, flags NOARP, RUNNING, UP and two more
    "1c010000 1000 0000 00000000 00000000"
    "0000 1801 07000000 c1000100 00000000"
    // IFLA_IFNAME "can0", padded
    "0900 0300 63616e30 00000000"
    // an unknown attribute
    "0600 ff3f abcd 0000"
    // IFLA_STATS64, here of six counters: packets, bytes, errors, each rx before tx
    "3400 1700 0100000002000000 0300000000000000 0400000000000000 0500000000000000 0600000000000000 0700000000000000"
    // IFLA_LINKINFO with the kind "can"
    "b400 1280 0800 0100 63616e00"
    // data: bit timing, its limits, clock, state WARNING, control mode, restart after 100 ms, error counters
    "8c00 0200"
    "2400 0100 90d00300 6b030000 fa000000 06000000 07000000 02000000 01000000 02000000"
    "3400 0200 736a6131 30303000 00000000 00000000 01000000 10000000 01000000 08000000 04000000 01000000 40000000 01000000"
    "0800 0300 00127a00"
    "0800 0400 01000000"
    "0c00 0500 ff000000 12000000"
    "0800 0600 64000000"
    "0c00 0800 60000000 00000000"
    // extended statistics: bus errors, warnings, passive, bus off, arbitration lost, restarts
    "1c00 0300 0b000000 01000000 02000000 03000000 04000000 0c000000";

Bytes controller() {
  const Bytes bytes = bytes_of(kController);
  EXPECT_EQUAL(bytes.size(), static_cast<size_t>(bytes[0] | bytes[1] << 8));
  return bytes;
}

std::error_code read(const Bytes& bytes, LinkStatus& status) {
  // A copy of exactly this size, so that the sanitizer finds each read beyond it.
  const Bytes exact(bytes.begin(), bytes.end());
  return read_link_answer(exact.data(), exact.size(), status);
}

}  // namespace

CASE("read_link_answer reads all published members of a CAN controller") {
  LinkStatus status;
  EXPECT_EQUAL(read(controller(), status).value(), 0);
  EXPECT_EQUAL(status.index, 7);
  EXPECT(status.is_up && status.is_can);
  EXPECT(status.statistics.has_value());
  if (!status.statistics) return;
  EXPECT_EQUAL(status.statistics->rx_frames, 0x200000001u);
  EXPECT_EQUAL(status.statistics->tx_frames, 3u);
  EXPECT_EQUAL(status.statistics->rx_bytes, 4u);
  EXPECT_EQUAL(status.statistics->tx_bytes, 5u);
  EXPECT_EQUAL(status.statistics->rx_errors, 6u);
  EXPECT_EQUAL(status.statistics->tx_errors, 7u);
  EXPECT_EQUAL(kCanStateNames[status.can_state.value_or(5)], std::string("ERROR-WARNING"));
  EXPECT_EQUAL(status.restart_ms.value_or(0), 100u);
  EXPECT_EQUAL(status.control_mode.value_or(0), 0x12u);
  EXPECT(status.bit_timing && status.can_counters);
  if (!status.bit_timing || !status.can_counters) return;
  EXPECT_EQUAL(status.bit_timing->bitrate, 250000u);
  EXPECT_EQUAL(status.bit_timing->sample_point, 875u);
  EXPECT_EQUAL(status.bit_timing->tq, 250u);
  EXPECT_EQUAL(status.bit_timing->prop_seg, 6u);
  EXPECT_EQUAL(status.bit_timing->phase_seg1, 7u);
  EXPECT_EQUAL(status.bit_timing->phase_seg2, 2u);
  EXPECT_EQUAL(status.bit_timing->sjw, 1u);
  EXPECT_EQUAL(status.bit_timing->brp, 2u);
  EXPECT_EQUAL(status.can_counters->bus_errors, 11u);
  EXPECT_EQUAL(status.can_counters->restarts, 12u);
}

CASE("read_link_answer reads no controller from another kind of link") {
  // This kind has the same length as "can".
  Bytes bytes = controller();
  const size_t kind = kAttributes + 12 + 8 + 52 + 4 + 4;
  EXPECT_EQUAL(bytes[kind], 'c');
  bytes[kind + 3] = 'x';
  LinkStatus status;
  EXPECT_EQUAL(read(bytes, status).value(), 0);
  EXPECT(status.statistics.has_value());
  EXPECT(!status.can_state && !status.bit_timing && !status.can_counters && !status.restart_ms && !status.control_mode);
}

CASE("read_link_answer reports an interface that is down") {
  Bytes bytes = controller();
  bytes[24] = 0xc0;
  LinkStatus status;
  EXPECT_EQUAL(read(bytes, status).value(), 0);
  EXPECT(!status.is_up);
}

CASE("read_link_answer leaves out a state that it does not know") {
  Bytes bytes = controller();
  const Bytes state = bytes_of("0800 0400 01000000");
  const auto at = std::search(bytes.begin(), bytes.end(), state.begin(), state.end());
  EXPECT(at != bytes.end());
  at[4] = 6;
  LinkStatus status;
  EXPECT_EQUAL(read(bytes, status).value(), 0);
  EXPECT(!status.can_state && status.bit_timing);
}

CASE("read_link_answer gives the error of the kernel, and EBADMSG for bytes that are no answer") {
  LinkStatus status;
  EXPECT_EQUAL(
      read(bytes_of("24000000 0200 0000 00000000 00000000 edffffff 00000000000000000000000000000000"), status).value(),
      ENODEV);
  // An acknowledgement, an error cut off, the end of a list, nothing.
  EXPECT_EQUAL(read(bytes_of("14000000 0200 0000 00000000 00000000 00000000"), status).value(), EBADMSG);
  EXPECT_EQUAL(read(bytes_of("12000000 0200 0000 00000000 00000000 edff"), status).value(), EBADMSG);
  EXPECT_EQUAL(read(bytes_of("14000000 0300 0000 00000000 00000000 00000000"), status).value(), EBADMSG);
  EXPECT_EQUAL(read({}, status).value(), EBADMSG);
}

CASE("read_link_answer reads a shorter answer as the same with fewer members") {
  const Bytes whole = controller();
  for (size_t length = 0; length < whole.size(); length++) {
    // Cut off: its head announces more bytes than there are.
    const Bytes cut(whole.begin(), whole.begin() + static_cast<long>(length));
    LinkStatus status;
    EXPECT_EQUAL(read(cut, status).value(), EBADMSG);
    if (length < kAttributes) continue;
    // Shorter, and announced as such.
    Bytes shorter = cut;
    shorter[0] = static_cast<uint8_t>(length);
    shorter[1] = static_cast<uint8_t>(length >> 8);
    EXPECT_EQUAL(read(shorter, status).value(), 0);
    EXPECT_EQUAL(status.index, 7);
    EXPECT_EQUAL(status.statistics.has_value(), length >= kAttributes + 12 + 8 + 52);
    EXPECT(!status.can_counters);
  }
}

CASE("read_link_answer leaves out an attribute that announces more bytes than its container has") {
  Bytes bytes = controller();
  // The extended statistics are the last of the answer.
  uint8_t& length = bytes[bytes.size() - 28];
  EXPECT_EQUAL(length, 28);
  length++;
  LinkStatus status;
  EXPECT_EQUAL(read(bytes, status).value(), 0);
  EXPECT(status.restart_ms && !status.can_counters);
}

CASE("read_link_answer ends for any bytes") {
  std::mt19937 random(4);
  const Bytes whole = controller();
  for (int round = 0; round < 50000; round++) {
    Bytes bytes = whole;
    for (unsigned changes = 1 + random() % 8; changes > 0; changes--) {
      // Mostly at lengths and types, which are at multiples of four after the head.
      const size_t at = random() % 4 ? 16 + 4 * (random() % ((bytes.size() - 16) / 4)) : random() % bytes.size();
      bytes[at] = static_cast<uint8_t>(random() % 3 ? random() % 40 : random());
    }
    LinkStatus status;
    read(bytes, status);
    EXPECT(!status.can_state || *status.can_state < kCanStates);
  }
}

CASE("LinkQuery finds the loopback interface, and none of an impossible name") {
  LinkQuery query;
  LinkStatus status;
  EXPECT_EQUAL(query.ask("lo", status).value(), 0);
  EXPECT_EQUAL(status.index, static_cast<int>(if_nametoindex("lo")));
  EXPECT(status.statistics && !status.can_state && !status.is_can);
  EXPECT_EQUAL(query.ask("hub-is-not-here", status).value(), ENODEV);
  EXPECT_EQUAL(query.ask("", status).value(), ENODEV);
  EXPECT_EQUAL(query.ask(std::string(40, 'x'), status).value(), ENODEV);
}

CASE("is_possible_interface_name refuses names that the kernel refuses") {
  for (const char* name : {"", ".", "..", "a/b", "a b", "a:b", "sixteen-letters-"})
    EXPECT(!is_possible_interface_name(name));
  EXPECT(!is_possible_interface_name(std::string("a\0b", 3)));
  for (const char* name : {"can0", "vcan0", "fifteen-letters", "kan\xc3\xa4l"})
    EXPECT(is_possible_interface_name(name));
}

CASE("LinkQuery does not cut a name off at a zero byte") {
  LinkQuery query;
  LinkStatus status;
  EXPECT_EQUAL(query.ask(std::string("lo\0zz", 5), status).value(), ENODEV);
  EXPECT(!query.ask("lo", status));
}
