// Answers of rtnetlink: any bytes give an error or a valid status, and bytes beyond the length that an answer announces
// change nothing.
#include <cstring>
#include <vector>

#include "../interface_status.h"
#include "fuzz.h"

using namespace hub;

namespace {

// All members of a status, for comparison.
std::vector<uint64_t> members_of(const LinkStatus& status) {
  std::vector<uint64_t> all = {static_cast<uint64_t>(status.index), status.is_up, status.is_can};
  const auto add = [&](bool is_there, std::initializer_list<uint64_t> values) {
    all.push_back(is_there);
    if (is_there) all.insert(all.end(), values);
  };
  const LinkStatistics none = {};
  const LinkStatistics& counts = status.statistics ? *status.statistics : none;
  add(status.statistics.has_value(),
      {counts.tx_frames, counts.tx_bytes, counts.rx_frames, counts.rx_bytes, counts.tx_errors, counts.rx_errors});
  add(status.can_state.has_value(), {status.can_state.value_or(0)});
  add(status.restart_ms.has_value(), {status.restart_ms.value_or(0)});
  add(status.control_mode.has_value(), {status.control_mode.value_or(0)});
  const CanCounters counters = status.can_counters.value_or(CanCounters{});
  add(status.can_counters.has_value(), {counters.bus_errors, counters.restarts});
  const BitTiming timing = status.bit_timing.value_or(BitTiming{});
  add(status.bit_timing.has_value(), {timing.bitrate, timing.sample_point, timing.tq, timing.prop_seg,
                                      timing.phase_seg1, timing.phase_seg2, timing.sjw, timing.brp});
  return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  LinkStatus status;
  const std::error_code error = read_link_answer(bytes, length, status);
  HOLDS(!status.can_state || *status.can_state < kCanStates);
  if (error) {
    HOLDS(error.value() > 0 && error.value() < 4096);
    HOLDS(members_of(status) == members_of(LinkStatus{}));
  }
  // Reading into a filled status gives the same result.
  LinkStatus again = status;
  again.index ^= 1;
  HOLDS(read_link_answer(bytes, length, again) == error && members_of(again) == members_of(status));

  uint32_t named;
  if (length < sizeof named) return 0;
  std::memcpy(&named, bytes, sizeof named);
  if (named > length) {
    HOLDS(error);
    return 0;
  }
  if (error) return 0;
  // Cut off at the announced length, and with other bytes after it.
  const std::vector<uint8_t> cut(bytes, bytes + named);
  HOLDS(!read_link_answer(cut.data(), cut.size(), again) && members_of(again) == members_of(status));
  std::vector<uint8_t> longer = cut;
  longer.insert(longer.end(), 64, 0x5a);
  HOLDS(!read_link_answer(longer.data(), longer.size(), again) && members_of(again) == members_of(status));
  return 0;
}
