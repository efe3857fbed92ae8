#include "serial_port.h"

#include <linux/serial.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <cerrno>
#include <optional>

#include "system_code.h"

namespace hub {

namespace {

struct Rate {
  uint32_t bits_per_second;
  speed_t code;
};

constexpr Rate kRates[] = {
    {4800, B4800},     {9600, B9600},       {19200, B19200},     {38400, B38400},   {57600, B57600},
    {115200, B115200}, {230400, B230400},   {460800, B460800},   {500000, B500000}, {576000, B576000},
    {921600, B921600}, {1000000, B1000000}, {2000000, B2000000},
};

std::optional<speed_t> code_of(uint32_t bits_per_second) {
  for (const Rate& rate : kRates)
    if (rate.bits_per_second == bits_per_second) return rate.code;
  return std::nullopt;
}

}  // namespace

std::error_code configure_serial_port(int descriptor, uint32_t bits_per_second) {
  const auto code = code_of(bits_per_second);
  if (!code) return system_code(EINVAL);
  termios settings{};
  if (tcgetattr(descriptor, &settings) != 0) return last_error();
  cfmakeraw(&settings);
  settings.c_iflag &= ~static_cast<tcflag_t>(IXOFF | IXANY);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | CSTOPB | PARENB);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (cfsetspeed(&settings, *code) != 0 || tcsetattr(descriptor, TCSANOW, &settings) != 0) return last_error();
  // It succeeds when any of the settings could be made.
  termios made{};
  if (tcgetattr(descriptor, &made) != 0) return last_error();
  if (cfgetispeed(&made) != *code || (made.c_lflag & ICANON) != 0) return system_code(EINVAL);
  if (tcflush(descriptor, TCIFLUSH) != 0 || ioctl(descriptor, TIOCEXCL) != 0) return last_error();
  return {};
}

void release_serial_port(int descriptor) {
  // A port that is gone has nothing to release.
  ioctl(descriptor, TIOCNXCL);
}

std::optional<uint32_t> serial_overruns(int descriptor) {
  serial_icounter_struct counts{};
  if (ioctl(descriptor, TIOCGICOUNT, &counts) != 0) return std::nullopt;
  return static_cast<uint32_t>(counts.overrun) + static_cast<uint32_t>(counts.buf_overrun);
}

}  // namespace hub
