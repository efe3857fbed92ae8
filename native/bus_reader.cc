#include "bus_reader.h"

#include <linux/can/error.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>

#include "system_code.h"

namespace hub {

namespace {

constexpr double kProbeIntervalUs = 1e6;
// The time of two frames on a full bus. Frames that arrive within it are one burst, because most of the cost of a frame
// is its way to the event loop and on to the broker.
constexpr int kGatherMs = 1;

// Error frames by which a driver reports a new state of the controller; the bits are in the identifier.
bool reports_controller_state(const FrameRecord& frame) {
  return (frame.id & kErrorFlag) && (frame.id & (CAN_ERR_CRTL | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED));
}

}  // namespace

std::string reason_of(std::error_code error) {
  switch (error.value()) {
    case ENODEV:
      return "no such interface";
    case kNotCan:
      return "not a CAN interface";
    case ENETDOWN:
      return "the interface is down";
    case EPERM:
    case EACCES:
      return "no permission";
    case EAFNOSUPPORT:
    case EPROTONOSUPPORT:
      return "no CAN sockets in this kernel or sandbox";
    default:
      return error.message();
  }
}

std::error_code BusReader::start(std::string interface_name, CanSender* sender) {
  name_ = std::move(interface_name);
  sender_ = sender;
  stop_request_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_request_.is_open()) return last_error();
  link_events_.open();
  {
    const std::lock_guard<std::mutex> lock(status_mutex_);
    status_ = {BusState::kAbsent, 0, {}, 0};
  }
  // The thread inherits the mask, so that no signal of the process is delivered to it.
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
  link_events_.close();
  link_query_.close();
  close_socket();
  sender_ = nullptr;
  const std::lock_guard<std::mutex> lock(status_mutex_);
  status_ = {};
}

BusStatus BusReader::status() const {
  const std::lock_guard<std::mutex> lock(status_mutex_);
  return status_;
}

void BusReader::leave_interface(std::error_code reason) {
  read();
  close_socket();
  set_status(BusState::kAbsent, 0, reason);
}

void BusReader::close_socket() {
  if (sender_) sender_->use(-1);
  socket_.close();
}

void BusReader::set_status(BusState state, int index, std::error_code error) {
  const BusStatus status = {state, index, error, socket_.is_open() ? socket_.receive_buffer_bytes() : 0};
  bool was_up;
  {
    const std::lock_guard<std::mutex> lock(status_mutex_);
    if (status_ == status) return;
    was_up = status_.state == BusState::kUp;
    status_ = status;
  }
  if (was_up) events_.interrupted();
  count_link_change();
}

void BusReader::run() {
  pthread_setname_np(pthread_self(), "hub-can");
  double next_probe_us = 0;
  do {
    const bool has_changed = link_events_.take();
    // Frames that wait come first: they were on the bus before the change, and may continue packets.
    const bool has_error = !read();
    // Down and up again may be over before it is looked at.
    if (has_error) events_.interrupted();
    const double now_us = monotonic_now_us();
    if (has_changed || has_error || now_us >= next_probe_us) {
      probe();
      events_.expire(now_us);
      next_probe_us = now_us + kProbeIntervalUs;
    }
    if (has_changed) count_link_change();
  } while (wait(next_probe_us));
  // Frames of the burst that was being gathered.
  read();
}

void BusReader::probe() {
  LinkStatus link;
  const std::error_code error = link_query_.ask(name_, link);
  if (error.value() == ENODEV) return leave_interface(error);
  if (error) {
    // Without an answer nothing is known about the interface, and an open socket stays in use.
    if (!socket_.is_open()) set_status(BusState::kAbsent, 0, error);
    return;
  }
  if (!link.is_can) return leave_interface(system_code(kNotCan));
  // The socket knows its own interface; a new one may have the name and the index of the old one.
  if (socket_.is_open() && link.index != socket_.interface_index()) leave_interface(system_code(ENODEV));
  if (!socket_.is_open()) {
    if (const std::error_code failure = socket_.open(link.index)) {
      set_status(BusState::kAbsent, 0, failure);
      return;
    }
    if (sender_) sender_->use(socket_.descriptor());
  }
  if (link.is_up) {
    set_status(BusState::kUp, link.index, {});
  } else {
    set_status(BusState::kDown, link.index, system_code(ENETDOWN));
  }
}

bool BusReader::read() {
  FrameBurst burst;
  bool is_good = true;
  while (socket_.is_open()) {
    bool has_more = false;
    const std::error_code error = socket_.read(burst, has_more);
    if (!burst.is_empty()) events_.burst(burst);
    if (std::any_of(burst.frames, burst.frames + burst.count, reports_controller_state)) count_link_change();
    if (!error) {
      if (!has_more) return is_good;
      continue;
    }
    if (error.value() == ENETDOWN || error.value() == ENODEV) {
      // The kernel reports once that the interface went down or away, before the frames that still wait.
      is_good = false;
      continue;
    }
    // The next probe opens another socket.
    close_socket();
    set_status(BusState::kAbsent, 0, error);
  }
  return is_good;
}

void BusReader::count_link_change() {
  link_changes_++;
  events_.link_changed();
}

bool BusReader::wait(double until_us) const {
  pollfd waiting[] = {
      {stop_request_.number(), POLLIN, 0}, {socket_.descriptor(), POLLIN, 0}, {link_events_.descriptor(), POLLIN, 0}};
  const double left_us = std::max(0.0, until_us - monotonic_now_us());
  poll(waiting, 3, static_cast<int>(left_us / 1e3) + 1);
  if (waiting[0].revents == 0 && waiting[1].revents == POLLIN) poll(waiting, 1, kGatherMs);
  return waiting[0].revents == 0;
}

}  // namespace hub
