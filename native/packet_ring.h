// A bounded queue of packet records, each in one piece. For one thread; `SharedReassembler` adds a lock.
//
//     plain      |........|=======data=======|.............|        wrapped   |==data==|......|=====data=====|..|
//                         tail               head                                      head   tail          end
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "packet_record.h"

namespace hub {

class PacketRing {
 public:
  // Enough for two of the longest records, so that an empty ring always has room.
  static constexpr size_t kLeastBytes = 4096;
  static_assert(kLeastBytes >= 2 * kLongestRecord);

  // Takes at least `kLeastBytes`, rounded up to a multiple of 8. The memory is not touched before it is used.
  explicit PacketRing(size_t bytes);

  // Whether a record of any length fits.
  bool has_room() const { return place_for(kLongestRecord) != kNoPlace; }

  // Appends room for a record and gives its place, a multiple of 8; nullptr when it does not fit.
  uint8_t* append(size_t record_bytes) {
    const size_t place = place_for(record_bytes);
    if (place == kNoPlace) return nullptr;
    if (place < head_) {
      end_ = head_;
      wrapped_ = true;
    }
    head_ = place + record_bytes;
    return bytes_.get() + place;
  }

  // Moves as many whole records as fit, oldest first; returns their bytes.
  size_t drain(uint8_t* into, size_t capacity);

 private:
  static constexpr size_t kNoPlace = ~size_t{0};

  size_t place_for(size_t record_bytes) const {
    if (wrapped_) return tail_ - head_ >= record_bytes ? head_ : kNoPlace;
    if (size_ - head_ >= record_bytes) return head_;
    return tail_ >= record_bytes ? 0 : kNoPlace;
  }

  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_;
  size_t head_ = 0;
  size_t tail_ = 0;
  size_t end_ = 0;
  bool wrapped_ = false;
};

}  // namespace hub
