#include "can_socket.h"

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hub {

static_assert(kExtendedFlag == CAN_EFF_FLAG && kRemoteFlag == CAN_RTR_FLAG && kErrorFlag == CAN_ERR_FLAG);

namespace {

// About four seconds of a full bus, for a machine that is busy elsewhere; the kernel counts a frame as some 900 bytes.
constexpr int kReceiveBuffer = 4 << 20;

std::error_code last_error() {
  return {errno, std::system_category()};
}

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

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    std::swap(number_, other.number_);
  }
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

double monotonic_now_us() {
  return now_us(CLOCK_MONOTONIC);
}

InterfaceState look_up_interface(const std::string& name) {
  InterfaceState state;
  const Descriptor any(::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW));
  ifreq request = {};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  if (!any.is_open() || ioctl(any.number(), SIOCGIFINDEX, &request) != 0) {
    state.error = last_error();
    return state;
  }
  const int index = request.ifr_ifindex;
  if (ioctl(any.number(), SIOCGIFFLAGS, &request) != 0) {
    state.error = last_error();
    return state;
  }
  state.index = index;
  state.is_up = (request.ifr_flags & IFF_UP) != 0;
  return state;
}

// The places that recvmmsg fills, joined to each other once.
struct CanSocket::Burst {
  mmsghdr messages[kBurst] = {};
  iovec places[kBurst];
  can_frame frames[kBurst];
  // One time stamp and one count of lost frames.
  alignas(cmsghdr) char control[kBurst][CMSG_SPACE(sizeof(timespec) * 2) + CMSG_SPACE(sizeof(uint32_t))];

  Burst() {
    for (size_t at = 0; at < kBurst; at++) {
      places[at] = {&frames[at], sizeof frames[at]};
      messages[at].msg_hdr.msg_iov = &places[at];
      messages[at].msg_hdr.msg_iovlen = 1;
      messages[at].msg_hdr.msg_control = control[at];
    }
  }
};

CanSocket::CanSocket() : burst_(new Burst) {}
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
  // Beyond the system's limit only with CAP_NET_ADMIN, else up to it; either way it is only a wish.
  if (!set_option(number, SOL_SOCKET, SO_RCVBUFFORCE, kReceiveBuffer)) {
    set_option(number, SOL_SOCKET, SO_RCVBUF, kReceiveBuffer);
  }
  sockaddr_can address = {};
  address.can_family = AF_CAN;
  address.can_ifindex = interface_index;
  if (bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return last_error();
  descriptor_ = std::move(socket);
  lost_so_far_ = 0;
  return {};
}

std::error_code CanSocket::read(FrameRecord* frames, size_t& count, uint64_t& lost) {
  count = 0;
  for (mmsghdr& message : burst_->messages) message.msg_hdr.msg_controllen = sizeof burst_->control[0];
  const int received = recvmmsg(descriptor_.number(), burst_->messages, kBurst, MSG_DONTWAIT, nullptr);
  if (received < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {};
    return last_error();
  }
  // The kernel stamps with the wall clock. How long ago that was leads to the same moment on the monotonic one.
  const double wall_now = now_us(CLOCK_REALTIME);
  const double monotonic_now = monotonic_now_us();
  for (int at = 0; at < received; at++) {
    mmsghdr& message = burst_->messages[at];
    if (message.msg_len != sizeof(can_frame)) continue;
    double wall = wall_now;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message.msg_hdr); part; part = CMSG_NXTHDR(&message.msg_hdr, part)) {
      if (part->cmsg_level != SOL_SOCKET) continue;
      if (part->cmsg_type == SO_TIMESTAMPNS) {
        timespec stamp;
        std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        wall = microseconds(stamp);
      } else if (part->cmsg_type == SO_RXQ_OVFL) {
        uint32_t lost_in_all;
        std::memcpy(&lost_in_all, CMSG_DATA(part), sizeof lost_in_all);
        lost += lost_in_all - lost_so_far_;  // modulo 2^32, as the kernel counts
        lost_so_far_ = lost_in_all;
      }
    }
    const can_frame& source = burst_->frames[at];
    FrameRecord& frame = frames[count++];
    frame = {};
    frame.wall_us = wall;
    // Between the last frame and now, even if the wall clock was set in between.
    frame.monotonic_us = std::min(std::max(monotonic_now - (wall_now - wall), last_monotonic_us_), monotonic_now);
    last_monotonic_us_ = frame.monotonic_us;
    frame.id = source.can_id;
    frame.length = std::min<uint8_t>(source.can_dlc, CAN_MAX_DLEN);
    std::memcpy(frame.data, source.data, sizeof frame.data);
  }
  return {};
}

}  // namespace hub
