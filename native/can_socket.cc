#include "can_socket.h"

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "system_code.h"

namespace hub {

static_assert(kExtendedFlag == CAN_EFF_FLAG && kRemoteFlag == CAN_RTR_FLAG && kErrorFlag == CAN_ERR_FLAG);

namespace {

double microseconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

double now_us(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return microseconds(now);
}

template <typename Value>
bool set_option(int socket, int level, int name, const Value& value) {
  return setsockopt(socket, level, name, &value, sizeof value) == 0;
}

}  // namespace

double monotonic_now_us() {
  return now_us(CLOCK_MONOTONIC);
}

// The buffers of recvmmsg and the structures that point to them. A CAN FD frame begins as a classic one.
struct CanSocket::Buffers {
  mmsghdr messages[FrameBurst::kCapacity] = {};
  iovec places[FrameBurst::kCapacity];
  canfd_frame frames[FrameBurst::kCapacity];
  // One time stamp and one count of lost frames. A 32-bit C library may append a converted stamp to the kernel's.
  alignas(cmsghdr) char control[FrameBurst::kCapacity][CMSG_SPACE(sizeof(timespec) * 2) + CMSG_SPACE(sizeof(uint32_t))];

  Buffers() {
    for (size_t at = 0; at < FrameBurst::kCapacity; at++) {
      places[at] = {&frames[at], sizeof frames[at]};
      messages[at].msg_hdr.msg_iov = &places[at];
      messages[at].msg_hdr.msg_iovlen = 1;
      messages[at].msg_hdr.msg_control = control[at];
    }
  }
};

static_assert(offsetof(canfd_frame, can_id) == offsetof(can_frame, can_id) &&
              offsetof(canfd_frame, len) == offsetof(can_frame, can_dlc) &&
              offsetof(canfd_frame, data) == offsetof(can_frame, data));

CanSocket::CanSocket() : buffers_(new Buffers) {}
CanSocket::~CanSocket() = default;

void CanSocket::close() {
  descriptor_.close();
}

std::error_code CanSocket::open(int interface_index) {
  close();
  Descriptor socket(::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW));
  if (!socket.is_open()) return last_error();
  const int number = socket.number();
  const int on = 1;
  const can_err_mask_t all_errors = CAN_ERR_MASK;
  if (!set_option(number, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, all_errors) ||
      !set_option(number, SOL_SOCKET, SO_TIMESTAMPNS, on) || !set_option(number, SOL_SOCKET, SO_RXQ_OVFL, on)) {
    return last_error();
  }
  // CAN FD frames are received only to be counted; a kernel without CAN FD has none.
  set_option(number, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, on);
  // The kernel doubles the number. Without CAP_NET_ADMIN it limits it to net.core.rmem_max, without an error.
  const int wanted = kWantedReceiveBufferBytes / 2;
  if (!set_option(number, SOL_SOCKET, SO_RCVBUFFORCE, wanted)) set_option(number, SOL_SOCKET, SO_RCVBUF, wanted);
  socklen_t length = sizeof receive_buffer_bytes_;
  if (getsockopt(number, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes_, &length) != 0) return last_error();
  sockaddr_can address = {};
  address.can_family = AF_CAN;
  address.can_ifindex = interface_index;
  if (bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return last_error();
  descriptor_ = std::move(socket);
  lost_so_far_ = 0;
  return {};
}

int CanSocket::interface_index() const {
  sockaddr_can address = {};
  socklen_t length = sizeof address;
  const bool is_told = getsockname(descriptor_.number(), reinterpret_cast<sockaddr*>(&address), &length) == 0;
  return is_told ? address.can_ifindex : 0;
}

std::error_code CanSocket::read(FrameBurst& burst, bool& has_more) {
  burst.count = 0;
  burst.can_fd_frames = 0;
  has_more = false;
  for (mmsghdr& message : buffers_->messages) message.msg_hdr.msg_controllen = sizeof buffers_->control[0];
  const int received = recvmmsg(descriptor_.number(), buffers_->messages, FrameBurst::kCapacity, MSG_DONTWAIT, nullptr);
  if (received < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return last_error();
  }
  has_more = received == FrameBurst::kCapacity;
  // The kernel stamps by the wall clock. The age of a stamp gives the same moment on the monotonic clock.
  const double wall_now = now_us(CLOCK_REALTIME);
  const double monotonic_now = monotonic_now_us();
  for (int at = 0; at < received; at++) {
    mmsghdr& message = buffers_->messages[at];
    double wall = wall_now;
    uint32_t lost_in_all = lost_so_far_;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message.msg_hdr); part; part = CMSG_NXTHDR(&message.msg_hdr, part)) {
      if (part->cmsg_level != SOL_SOCKET) continue;
      if (part->cmsg_type == SO_TIMESTAMPNS) {
        timespec stamp;
        std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        wall = microseconds(stamp);
      } else if (part->cmsg_type == SO_RXQ_OVFL) {
        std::memcpy(&lost_in_all, CMSG_DATA(part), sizeof lost_in_all);
      }
    }
    if (message.msg_len != CAN_MTU) {
      burst.can_fd_frames += message.msg_len == CANFD_MTU;
      continue;
    }
    const canfd_frame& source = buffers_->frames[at];
    burst.lost_before[burst.count] = lost_in_all - lost_so_far_;  // modulo 2^32, as the kernel counts
    lost_so_far_ = lost_in_all;
    FrameRecord& frame = burst.frames[burst.count++];
    frame = {};
    frame.wall_us = wall;
    // The stamp is not before the last frame and not after now, even if the wall clock was set.
    frame.monotonic_us = std::min(std::max(monotonic_now - (wall_now - wall), last_monotonic_us_), monotonic_now);
    last_monotonic_us_ = frame.monotonic_us;
    frame.id = source.can_id;
    frame.length = std::min<uint8_t>(source.len, CAN_MAX_DLEN);
    std::memcpy(frame.data, source.data, sizeof frame.data);
  }
  return {};
}

}  // namespace hub
