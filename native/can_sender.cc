#include "can_sender.h"

#include <linux/can.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "system_code.h"

namespace hub {

void CanSender::use(int descriptor) {
  const std::lock_guard<std::mutex> lock(mutex_);
  descriptor_ = descriptor;
}

std::error_code CanSender::send(uint32_t id, const uint8_t* data, size_t length) {
  can_frame frame = {};
  frame.can_id = (id & CAN_EFF_MASK) | CAN_EFF_FLAG;
  frame.can_dlc = static_cast<uint8_t>(std::min<size_t>(length, CAN_MAX_DLEN));
  std::copy_n(data, frame.can_dlc, frame.data);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (descriptor_ < 0) return system_code(ENETDOWN);
  if (::send(descriptor_, &frame, sizeof frame, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return {};
  return last_error();
}

}  // namespace hub
