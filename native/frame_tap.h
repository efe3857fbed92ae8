// A copy of the frames of a bus for a recording: the reader thread puts them in, the event loop takes them out. It is
// bounded; frames that do not fit are missing only in the recording, and are counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "frame_record.h"

namespace hub {

class FrameTap {
 public:
  // Rounded down to whole frames, at least one. The memory is not touched before it is used.
  explicit FrameTap(size_t bytes)
      : size_(std::max<size_t>(bytes / sizeof(FrameRecord), 1)), frames_(new FrameRecord[size_]) {}

  void push(const FrameRecord* frames, size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t at = 0; at < count; at++) {
      if (held_ == size_) {
        lost_ += count - at;
        return;
      }
      frames_[(first_ + held_++) % size_] = frames[at];
    }
  }

  // Moves as many records as fit, oldest first, to any address; returns their bytes.
  size_t drain(uint8_t* into, size_t capacity) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t count = std::min(held_, capacity / sizeof(FrameRecord));
    const size_t straight = std::min(count, size_ - first_);
    if (count > 0) {
      std::memcpy(into, &frames_[first_], straight * sizeof(FrameRecord));
      std::memcpy(into + straight * sizeof(FrameRecord), &frames_[0], (count - straight) * sizeof(FrameRecord));
    }
    first_ = (first_ + count) % size_;
    held_ -= count;
    return count * sizeof(FrameRecord);
  }

  uint64_t lost() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lost_;
  }

 private:
  mutable std::mutex mutex_;
  size_t size_;
  std::unique_ptr<FrameRecord[]> frames_;
  size_t first_ = 0;
  size_t held_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace hub
