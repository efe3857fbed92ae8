// The thread that listens to one interface, by its name, until it is stopped.
//
// The interface may be absent, down, unplugged or replaced by another one of its name. The kernel is asked about it
// once a second, when some interface of the system changes, and when the socket reports an error; its answer is the
// only source of the status. The thread passes on bursts of frames and never ends by itself.
#pragma once

#include <atomic>
#include <cerrno>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "can_sender.h"
#include "can_socket.h"
#include "descriptor.h"
#include "frame_burst.h"
#include "interface_status.h"

namespace hub {

enum class BusState : uint8_t { kClosed, kAbsent, kDown, kUp };
constexpr const char* kBusStateNames[] = {"closed", "absent", "down", "up"};

// The error of an interface that exists and is not a CAN interface; bind() gives ENODEV, as for a missing one.
constexpr int kNotCan = EMEDIUMTYPE;

struct BusStatus {
  BusState state = BusState::kClosed;
  int index = 0;                 // of the interface, 0 while there is none
  std::error_code error;         // why it is not up
  int receive_buffer_bytes = 0;  // of the kernel, 0 without a socket

  bool operator==(const BusStatus& other) const {
    return state == other.state && index == other.index && error == other.error &&
           receive_buffer_bytes == other.receive_buffer_bytes;
  }
};

// The error of a status in words, for a log.
std::string reason_of(std::error_code error);

// Called on the reader thread.
struct BusEvents {
  std::function<void(const FrameBurst& burst)> burst;
  std::function<void()> link_changed;
  std::function<void()> interrupted;                    // frames on the bus may be missing before the next burst
  std::function<void(double monotonic_now_us)> expire;  // once a second
};

class BusReader {
 public:
  explicit BusReader(BusEvents events) : events_(std::move(events)) {}
  ~BusReader() { stop(); }
  BusReader(const BusReader&) = delete;
  BusReader& operator=(const BusReader&) = delete;

  // Fails only for lack of descriptors or threads, not because of the interface. Must not be running. A sender gets the
  // socket while there is one, and must outlive the thread; without a sender nothing can be sent.
  std::error_code start(std::string interface_name, CanSender* sender = nullptr);
  // Returns when the thread has ended; harmless when it is not running.
  void stop();
  bool is_running() const { return thread_.joinable(); }

  BusStatus status() const;

  // Grows when `status()`, any interface of the system or the state of the controller has changed.
  uint32_t link_changes() const { return link_changes_; }

 private:
  void run();
  // Asks the kernel about the interface, and opens or closes the socket accordingly.
  void probe();
  // Passes on the frames that the socket still holds, then closes it.
  void leave_interface(std::error_code reason);
  void close_socket();
  void set_status(BusState state, int index, std::error_code error);
  // Waits for frames, changes of interfaces and the given time; false when the thread must end.
  bool wait(double until_us) const;
  // Passes on all frames that have arrived. False: the interface has gone down or away.
  bool read();
  void count_link_change();

  BusEvents events_;
  std::string name_;
  Descriptor stop_request_;
  std::thread thread_;
  CanSocket socket_;
  CanSender* sender_ = nullptr;
  LinkQuery link_query_;
  LinkEvents link_events_;
  std::atomic<uint32_t> link_changes_{0};
  mutable std::mutex status_mutex_;
  BusStatus status_;
};

}  // namespace hub
