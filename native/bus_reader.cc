#include "bus_reader.h"

#include <linux/can/error.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace hub {

namespace {

constexpr double kLookEveryUs = 1e6;
// Two frames of a full bus. What arrives until then is handed on as one burst: most of what a frame costs is the way to
// the event loop and from there to the broker, and who looks at a display does not see a thousandth of a second.
constexpr int kGatherMs = 1;

// Error frames by which a driver tells that the controller has another state: its identifier says so in a bit each.
bool tells_state(const FrameRecord& frame) {
  return (frame.id & kErrorFlag) && (frame.id & (CAN_ERR_CRTL | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED));
}

}  // namespace

bool BusReader::is_possible_name(const std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ || name == "." || name == "..") return false;
  return std::none_of(name.begin(), name.end(), [](unsigned char letter) {
    return letter == '/' || letter == ':' || letter == '\0' || std::isspace(letter);
  });
}

std::error_code BusReader::start(std::string interface_name, CanSender* sender) {
  name_ = std::move(interface_name);
  sender_ = sender;
  stop_request_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_request_.is_open()) return {errno, std::system_category()};
  {
    const std::lock_guard<std::mutex> lock(status_mutex_);
    status_ = {BusState::kAbsent, 0, {}};
  }
  // The thread inherits the mask: signals are for the threads of the program that has asked for them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::error_code error;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& failure) {
    error = failure.code();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error) stop();
  return error;
}

void BusReader::stop() {
  if (thread_.joinable()) {
    eventfd_write(stop_request_.number(), 1);
    thread_.join();
  }
  stop_request_.close();
  close_socket();
  // It goes with the bus that it belongs to, which may be before us.
  sender_ = nullptr;
  const std::lock_guard<std::mutex> lock(status_mutex_);
  status_ = {};
}

BusStatus BusReader::status() const {
  const std::lock_guard<std::mutex> lock(status_mutex_);
  return status_;
}

void BusReader::close_socket() {
  if (sender_) sender_->use(-1);
  socket_.close();
}

void BusReader::set_status(BusState state, int index, std::error_code error) {
  const BusStatus status = {state, index, error};
  {
    const std::lock_guard<std::mutex> lock(status_mutex_);
    if (status_ == status) return;
    status_ = status;
  }
  notice();
}

void BusReader::run() {
  pthread_setname_np(pthread_self(), "hub-can");
  double next_look_us = 0;
  do {
    const double now_us = monotonic_now_us();
    const bool has_changed = links_.take();
    const bool is_time_to_look = has_changed || now_us >= next_look_us;
    if (is_time_to_look) look();
    read();
    // Only now: frames that were waiting may have ended the silence long ago.
    if (is_time_to_look) {
      events_.silence(now_us);
      next_look_us = now_us + kLookEveryUs;
    }
    if (has_changed) notice();
  } while (wait(next_look_us));
  // What was being gathered had arrived before somebody said stop.
  read();
}

void BusReader::look() {
  const InterfaceState now = look_up_interface(name_);
  if (now.index == 0) {
    close_socket();
    set_status(BusState::kAbsent, 0, now.error);
    return;
  }
  if (!socket_.is_open() || now.index != status().index) {
    close_socket();
    if (const std::error_code error = socket_.open(now.index)) {
      // Gone between the two questions, or no CAN interface at all.
      set_status(BusState::kAbsent, 0, error);
      return;
    }
    if (sender_) sender_->use(socket_.descriptor());
  }
  if (now.is_up) {
    set_status(BusState::kUp, now.index, {});
  } else {
    set_status(BusState::kDown, now.index, {ENETDOWN, std::system_category()});
  }
}

void BusReader::read() {
  FrameRecord frames[CanSocket::kBurst];
  while (socket_.is_open()) {
    size_t count = 0;
    uint64_t lost = 0;
    const std::error_code error = socket_.read(frames, count, lost);
    if (count > 0 || lost > 0) events_.burst(frames, count, lost);
    if (std::any_of(frames, frames + count, tells_state)) notice();
    if (error) {
      // ENETDOWN: the socket stays, frames come again when the interface is up. Else it is good for nothing any more.
      const bool is_down = error.value() == ENETDOWN;
      if (!is_down) close_socket();
      set_status(is_down ? BusState::kDown : BusState::kAbsent, is_down ? status().index : 0, error);
      return;
    }
    if (count > 0 && status().state == BusState::kDown) set_status(BusState::kUp, status().index, {});
    if (count < CanSocket::kBurst) return;
  }
}

void BusReader::notice() {
  notices_++;
  events_.status_changed();
}

bool BusReader::wait(double until_us) const {
  pollfd waiting[] = {
      {stop_request_.number(), POLLIN, 0}, {socket_.descriptor(), POLLIN, 0}, {links_.descriptor(), POLLIN, 0}};
  const double left_us = std::max(0.0, until_us - monotonic_now_us());
  poll(waiting, 3, static_cast<int>(left_us / 1e3) + 1);
  if (waiting[0].revents == 0 && waiting[1].revents == POLLIN) poll(waiting, 1, kGatherMs);
  return waiting[0].revents == 0;
}

}  // namespace hub
