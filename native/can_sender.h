// The one way to write to a bus. A bus that only listens has no object of this class, and nothing else here can write.
//
// It shares the socket of the listener, because the kernel spares a socket its own frames and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <system_error>

#include "can_socket.h"

namespace hub {

class CanSender {
 public:
  // From now on writes through a copy of this descriptor; -1: through none. Called on the reader thread.
  void use(int descriptor);

  // Sends one extended data frame of at most eight bytes, without waiting. ENETDOWN: there is no interface or it is
  // down; ENOBUFS, EAGAIN: no room now.
  std::error_code send(uint32_t id, const uint8_t* data, size_t length);

 private:
  std::mutex mutex_;
  Descriptor socket_;
};

}  // namespace hub
