// A SocketCAN raw socket that only listens: it has no way to write (`CanSender` has).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "frame_record.h"

namespace hub {

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

// What the kernel says about an interface at this moment.
struct InterfaceState {
  int index = 0;  // 0: there is none of this name
  bool is_up = false;
  std::error_code error;
};

InterfaceState look_up_interface(const std::string& name);

class CanSocket {
 public:
  static constexpr size_t kBurst = 64;

  CanSocket();
  ~CanSocket();
  CanSocket(const CanSocket&) = delete;
  CanSocket& operator=(const CanSocket&) = delete;

  // Listens to the interface of this index, whether it is up or not. A socket that was open is closed first.
  std::error_code open(int interface_index);
  void close();
  bool is_open() const { return descriptor_.is_open(); }
  int descriptor() const { return descriptor_.number(); }

  // Reads what has arrived, at most `kBurst` frames, without waiting; no frames and no error: nothing has arrived.
  // `lost` grows by the frames that the kernel had no room for.
  std::error_code read(FrameRecord* frames, size_t& count, uint64_t& lost);

 private:
  struct Burst;

  Descriptor descriptor_;
  std::unique_ptr<Burst> burst_;
  uint32_t lost_so_far_ = 0;
  double last_monotonic_us_ = 0;
};

// The clock that the frames of a bus are stamped with beside the wall's: CLOCK_MONOTONIC, as `process.hrtime()`.
double monotonic_now_us();

}  // namespace hub
