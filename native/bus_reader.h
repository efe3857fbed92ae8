// The thread that listens to one interface, by its name, for as long as it is asked to.
//
// The interface may be absent, down, unplugged or replaced by another one of its name; the thread looks again every
// second and goes on when it is back. It hands on bursts of frames and changes of state, and never ends by itself.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "can_sender.h"
#include "can_socket.h"
#include "frame_record.h"
#include "interface_status.h"

namespace hub {

enum class BusState : uint8_t { kClosed, kAbsent, kDown, kUp };
constexpr const char* kBusStateNames[] = {"closed", "absent", "down", "up"};

struct BusStatus {
  BusState state = BusState::kClosed;
  int index = 0;          // of the interface, 0 while there is none
  std::error_code error;  // why it is not up, as far as the kernel has said

  bool operator==(const BusStatus& other) const {
    return state == other.state && index == other.index && error == other.error;
  }
};

// Called on the reader thread.
struct BusEvents {
  std::function<void(const FrameRecord* frames, size_t count, uint64_t lost_in_kernel)> burst;
  std::function<void()> status_changed;  // or something that `notices` counts has happened
  std::function<void(double monotonic_now_us)> silence;
};

class BusReader {
 public:
  explicit BusReader(BusEvents events) : events_(std::move(events)) {}
  ~BusReader() { stop(); }
  BusReader(const BusReader&) = delete;
  BusReader& operator=(const BusReader&) = delete;

  // Whether a network interface can have this name at all.
  static bool is_possible_name(const std::string& name);

  // Fails only for want of descriptors or threads, never for want of the interface. Must not be running. A sender gets
  // the socket whenever there is one, and must outlive the thread; without it nothing can be sent.
  std::error_code start(std::string interface_name, CanSender* sender = nullptr);
  // Returns when the thread has ended; harmless when there is none.
  void stop();
  bool is_running() const { return thread_.joinable(); }

  BusStatus status() const;

  // How often there was reason to ask what the interface is: its status or some interface of the system has changed, or
  // the controller has told a change of its state.
  uint32_t notices() const { return notices_; }

 private:
  void run();
  // Settles whether the socket is the right one for what the interface is now.
  void look();
  void close_socket();
  void set_status(BusState state, int index, std::error_code error);
  // False when the thread must end. Waits for frames and for changes of interfaces, until then at the longest.
  bool wait(double until_us) const;
  void read();
  void notice();

  BusEvents events_;
  std::string name_;
  Descriptor stop_request_;
  std::thread thread_;
  CanSocket socket_;
  CanSender* sender_ = nullptr;
  LinkEvents links_;
  std::atomic<uint32_t> notices_{0};
  mutable std::mutex status_mutex_;
  BusStatus status_;
};

}  // namespace hub
