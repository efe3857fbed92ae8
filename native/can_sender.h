// The only code that writes to a bus. A bus that only listens has no object of this class.
//
// It shares the socket of the listener, because the kernel does not deliver a socket's own frames to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <system_error>

namespace hub {

class CanSender {
 public:
  // The socket to write to; -1: none. Called on the reader thread, before the socket is closed.
  void use(int descriptor);

  // Sends one extended data frame of at most eight bytes, without waiting. ENETDOWN: there is no interface or it is
  // down; ENOBUFS, EAGAIN: no room now.
  std::error_code send(uint32_t id, const uint8_t* data, size_t length);

 private:
  std::mutex mutex_;
  int descriptor_ = -1;
};

}  // namespace hub
