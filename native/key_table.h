// A small map from keys of at most 48 bits to numbers below 65535: open addressing in one array, no allocation.
// May assume: its owner never holds more than half of `kCapacity` entries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

template <size_t kCapacity>
class KeyTable {
  static_assert((kCapacity & (kCapacity - 1)) == 0, "a power of two");

 public:
  static constexpr uint16_t kNone = 0xffff;

  KeyTable() {
    for (uint64_t& entry : entries_) entry = kEmpty;
  }

  uint16_t find(uint64_t key) const {
    for (size_t at = home(key);; at = next(at)) {
      const uint64_t entry = entries_[at];
      if (entry >> 16 == key) return static_cast<uint16_t>(entry);
      if (entry == kEmpty) return kNone;
    }
  }

  // The key must not be there yet.
  void insert(uint64_t key, uint16_t value) {
    size_t at = home(key);
    while (entries_[at] != kEmpty) at = next(at);
    entries_[at] = key << 16 | value;
  }

  // The key must be there. Closes the gap, so that no tombstones remain to slow down the searches after.
  void erase(uint64_t key) {
    size_t gap = home(key);
    while (entries_[gap] >> 16 != key) gap = next(gap);
    for (size_t at = next(gap); entries_[at] != kEmpty; at = next(at)) {
      // An entry may move back into the gap unless its home lies behind the gap.
      const size_t distance_from_home = (at - home(entries_[at] >> 16)) & (kCapacity - 1);
      if (distance_from_home < ((at - gap) & (kCapacity - 1))) continue;
      entries_[gap] = entries_[at];
      gap = at;
    }
    entries_[gap] = kEmpty;
  }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};

  static size_t next(size_t at) { return (at + 1) & (kCapacity - 1); }
  static size_t home(uint64_t key) {
    // Multiplicative hashing by 2^64 / golden ratio; the high bits are the well mixed ones.
    return (key * 0x9e3779b97f4a7c15u >> 40) & (kCapacity - 1);
  }

  uint64_t entries_[kCapacity];
};

}  // namespace hub
