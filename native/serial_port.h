// Serial ports of gateways.
#pragma once

#include <cstdint>
#include <optional>
#include <system_error>

namespace hub {

// Sets a terminal up for bytes of eight bits, no parity, one stop bit, without flow control, echo and modem lines,
// discards what it has received, and prevents others from opening it. EINVAL: the terminal does not have the rate.
std::error_code configure_serial_port(int descriptor, uint32_t bits_per_second);

// Lets others open the terminal again; otherwise a port that another program has open too stays closed to the next one.
void release_serial_port(int descriptor);

// Overruns of the port since its driver was loaded, in the device or in the kernel; no value if its driver does not
// count.
std::optional<uint32_t> serial_overruns(int descriptor);

}  // namespace hub
