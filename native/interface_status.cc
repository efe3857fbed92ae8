#include "interface_status.h"

#include <linux/can/netlink.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "system_code.h"

namespace hub {

static_assert(CAN_STATE_ERROR_ACTIVE == 0 && CAN_STATE_SLEEPING + 1 == kCanStates && CAN_STATE_MAX == kCanStates);

namespace {

// Bytes of the kernel. Reading beyond their end gives nothing.
struct Bytes {
  const uint8_t* at;
  size_t length;

  template <typename Value>
  bool copy_to(Value& value) const {
    if (length < sizeof value) return false;
    // Copied, because the kernel aligns to four bytes only, and 64-bit counters need eight.
    std::memcpy(&value, at, sizeof value);
    return true;
  }

  Bytes from(size_t offset) const {
    const size_t skipped = std::min(offset, length);
    return {at + skipped, length - skipped};
  }

  Bytes first(size_t count) const { return {at, std::min(count, length)}; }
};

template <typename Value>
std::optional<Value> value_of(Bytes bytes) {
  Value value;
  if (!bytes.copy_to(value)) return {};
  return value;
}

// Calls `take(type, content)` for each whole attribute; ends at the first that is cut off.
//
//     0        2        4
//     +--------+--------+-------------+-----+
//     | length | type   | content     | pad |     the length includes the head and excludes the padding
//     +--------+--------+-------------+-----+
template <typename Take>
void each_attribute(Bytes bytes, Take take) {
  nlattr head;
  while (bytes.copy_to(head)) {
    if (head.nla_len < sizeof head || head.nla_len > bytes.length) return;
    take(head.nla_type & NLA_TYPE_MASK, bytes.first(head.nla_len).from(sizeof head));
    bytes = bytes.from(NLA_ALIGN(head.nla_len));
  }
}

void read_controller(Bytes attributes, LinkStatus& status) {
  each_attribute(attributes, [&](int type, Bytes content) {
    switch (type) {
      case IFLA_CAN_STATE: {
        const auto state = value_of<uint32_t>(content);
        // A newer kernel may have more states.
        if (state && *state < kCanStates) status.can_state = state;
        break;
      }
      case IFLA_CAN_BITTIMING:
        if (const auto timing = value_of<can_bittiming>(content)) {
          status.bit_timing = {timing->bitrate,    timing->sample_point, timing->tq,  timing->prop_seg,
                               timing->phase_seg1, timing->phase_seg2,   timing->sjw, timing->brp};
        }
        break;
      case IFLA_CAN_CTRLMODE:
        if (const auto mode = value_of<can_ctrlmode>(content)) status.control_mode = mode->flags;
        break;
      case IFLA_CAN_RESTART_MS:
        status.restart_ms = value_of<uint32_t>(content);
        break;
    }
  });
}

void read_link_info(Bytes attributes, LinkStatus& status) {
  bool is_can = false;
  Bytes data = {nullptr, 0};
  Bytes counters = {nullptr, 0};
  each_attribute(attributes, [&](int type, Bytes content) {
    if (type == IFLA_INFO_KIND) {
      const auto* word = reinterpret_cast<const char*>(content.at);
      is_can = std::string(word, strnlen(word, content.length)) == "can";
    } else if (type == IFLA_INFO_DATA) {
      data = content;
    } else if (type == IFLA_INFO_XSTATS) {
      counters = content;
    }
  });
  // For every other kind of link the numbers mean something else.
  if (!is_can) return;
  read_controller(data, status);
  if (const auto count = value_of<can_device_stats>(counters)) {
    status.can_counters = {count->bus_error, count->restarts};
  }
}

void read_link(Bytes message, LinkStatus& status) {
  ifinfomsg head = {};
  message.copy_to(head);
  status.index = head.ifi_index;
  status.is_up = (head.ifi_flags & IFF_UP) != 0;
  status.is_can = head.ifi_type == ARPHRD_CAN;
  each_attribute(message.from(NLMSG_ALIGN(sizeof head)), [&](int type, Bytes content) {
    if (type == IFLA_STATS64) {
      // Kernels differ in the counters at its end; all of them have these.
      uint64_t counts[6];
      if (!content.copy_to(counts)) return;
      static_assert(offsetof(rtnl_link_stats64, tx_errors) == 5 * sizeof *counts);
      status.statistics = {counts[1], counts[3], counts[0], counts[2], counts[5], counts[4]};
    } else if (type == IFLA_LINKINFO) {
      read_link_info(content, status);
    }
  });
}

}  // namespace

std::error_code read_link_answer(const uint8_t* bytes, size_t length, LinkStatus& status) {
  status = {};
  const Bytes answer = {bytes, length};
  nlmsghdr head;
  if (!answer.copy_to(head) || head.nlmsg_len < sizeof head || head.nlmsg_len > length) return system_code(EBADMSG);
  const Bytes content = answer.first(head.nlmsg_len).from(NLMSG_ALIGN(sizeof head));
  if (head.nlmsg_type == NLMSG_ERROR) {
    const auto number = value_of<int32_t>(content);
    // Zero would be an acknowledgement, which was not requested.
    return system_code(number && *number < 0 && *number > -4096 ? -*number : EBADMSG);
  }
  if (head.nlmsg_type != RTM_NEWLINK || content.length < sizeof(ifinfomsg)) return system_code(EBADMSG);
  read_link(content, status);
  return {};
}

bool is_possible_interface_name(const std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ || name == "." || name == "..") return false;
  return std::none_of(name.begin(), name.end(), [](unsigned char letter) {
    return letter == '/' || letter == ':' || letter == '\0' || std::isspace(letter);
  });
}

std::error_code LinkQuery::ask(const std::string& name, LinkStatus& status) {
  status = {};
  if (!is_possible_interface_name(name)) return system_code(ENODEV);
  if (!socket_.is_open()) {
    socket_ = Descriptor(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE));
    if (!socket_.is_open()) return last_error();
  }

  struct {
    nlmsghdr head;
    ifinfomsg link;
    nlattr attribute;
    char name[IFNAMSIZ];
  } question = {};
  static_assert(sizeof question == NLMSG_ALIGN(sizeof question));
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = RTM_GETLINK;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.head.nlmsg_seq = ++sequence_;
  question.link.ifi_family = AF_UNSPEC;
  question.attribute.nla_len = sizeof question.attribute + IFNAMSIZ;
  question.attribute.nla_type = IFLA_IFNAME;
  name.copy(question.name, IFNAMSIZ - 1);
  sockaddr_nl kernel = {};
  kernel.nl_family = AF_NETLINK;
  if (sendto(socket_.number(), &question, sizeof question, 0, reinterpret_cast<const sockaddr*>(&kernel),
             sizeof kernel) < 0) {
    return last_error();
  }
  // The kernel answers before sendto returns, so there is nothing to wait for. An answer that could not be read earlier
  // may come first.
  alignas(nlmsghdr) uint8_t answer[16384];
  for (;;) {
    const ssize_t received = recv(socket_.number(), answer, sizeof answer, MSG_TRUNC);
    if (received < 0) return last_error();
    const size_t length = std::min(static_cast<size_t>(received), sizeof answer);
    nlmsghdr head;
    if (!Bytes{answer, length}.copy_to(head)) return system_code(EBADMSG);
    if (head.nlmsg_seq == sequence_) return read_link_answer(answer, length, status);
  }
}

void LinkEvents::open() {
  Descriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE));
  sockaddr_nl address = {};
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK;
  if (!socket.is_open()) return;
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
  socket_ = std::move(socket);
}

bool LinkEvents::take() {
  if (!socket_.is_open()) return false;
  bool has_events = false;
  // The content is not read: the query gives the current status.
  uint8_t byte;
  for (;;) {
    if (recv(socket_.number(), &byte, sizeof byte, MSG_DONTWAIT) >= 0 || errno == ENOBUFS) {
      has_events = true;
    } else if (errno != EINTR) {
      return has_events;
    }
  }
}

}  // namespace hub
