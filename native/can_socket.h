// A SocketCAN raw socket that only listens; `CanSender` writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "descriptor.h"
#include "frame_burst.h"

namespace hub {

class CanSocket {
 public:
  // Four seconds and more of a full bus.
  static constexpr int kWantedReceiveBufferBytes = 8 << 20;

  CanSocket();
  ~CanSocket();
  CanSocket(const CanSocket&) = delete;
  CanSocket& operator=(const CanSocket&) = delete;

  // Listens to the interface of this index, whether it is up or not. A socket that was open is closed first.
  std::error_code open(int interface_index);
  void close();
  bool is_open() const { return descriptor_.is_open(); }
  int descriptor() const { return descriptor_.number(); }
  // The interface to which the kernel has bound it, 0 after that has gone.
  int interface_index() const;
  // The room for frames that have not been read, as the kernel counts it: a frame takes some 800 bytes.
  int receive_buffer_bytes() const { return receive_buffer_bytes_; }

  // Reads frames that have arrived, without waiting. The kernel reports frames for which it had no room with the next
  // frame that it keeps. False in `has_more`: all have been read.
  std::error_code read(FrameBurst& burst, bool& has_more);

 private:
  struct Buffers;

  Descriptor descriptor_;
  std::unique_ptr<Buffers> buffers_;
  int receive_buffer_bytes_ = 0;
  uint32_t lost_so_far_ = 0;
  double last_monotonic_us_ = 0;
};

// The monotonic stamps of frames: CLOCK_MONOTONIC, as `process.hrtime()`.
double monotonic_now_us();

}  // namespace hub
