// Serial ports of gateways.
#pragma once

#include <cstdint>
#include <system_error>

namespace hub {

// Sets a terminal up for bytes of eight bits, no parity, one stop bit, without flow control, echo and modem lines,
// discards what it has received, and keeps others from opening it. EINVAL: a rate that it does not have.
std::error_code configure_serial_port(int descriptor, uint32_t bits_per_second);

}  // namespace hub
