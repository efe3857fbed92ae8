// Hands out the numbers 0..kCount-1 and takes them back; those in use are in the order of their last use.
#pragma once

#include <cstdint>

namespace hub {

template <uint16_t kCount>
class RecentPool {
 public:
  static constexpr uint16_t kNone = kCount;

  RecentPool() {
    older_[kCount] = newer_[kCount] = kCount;
    for (uint16_t number = 0; number < kCount; number++) newer_[number] = number + 1;
  }

  bool is_full() const { return free_ == kNone; }

  // The pool must not be full.
  uint16_t open() {
    const uint16_t number = free_;
    free_ = newer_[number];
    append(number);
    return number;
  }

  void touch(uint16_t number) {
    unlink(number);
    append(number);
  }

  void close(uint16_t number) {
    unlink(number);
    newer_[number] = free_;
    free_ = number;
  }

  // The number whose last use is the longest ago, or kNone.
  uint16_t oldest() const { return newer_[kCount]; }

  // The number in use that was used next after this one, or kNone.
  uint16_t newer(uint16_t number) const { return newer_[number]; }

 private:
  void append(uint16_t number) {
    const uint16_t newest = older_[kCount];
    newer_[newest] = number;
    older_[number] = newest;
    newer_[number] = kCount;
    older_[kCount] = number;
  }

  void unlink(uint16_t number) {
    newer_[older_[number]] = newer_[number];
    older_[newer_[number]] = older_[number];
  }

  // A ring that is closed by the place kCount. The free numbers are a list through `newer_`.
  uint16_t older_[kCount + 1];
  uint16_t newer_[kCount + 1];
  uint16_t free_ = 0;
};

}  // namespace hub
