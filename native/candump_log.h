// Lines of `candump -L` (can-utils) as it writes data frames of 29 bits, read into frame records:
//
//     (1436509052.249713) vcan0 0DF10503#2A366C2BBA
//     (1436509052.249713) vcan0 0DF10503#2A366C2BBA R      by -x: received or transmitted
//
// Nearly all lines of a recording have this form. `src/formats/recording/formats/candump-log.ts` reads the others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

struct CandumpLines {
  size_t bytes;   // of the lines that were read
  size_t frames;  // one for each line
};

// Reads lines from the beginning of `text`, until a line has another form or may be incomplete, or `capacity` records
// are written. The records may lie at any address; their monotonic time is zero.
CandumpLines read_candump_log(const uint8_t* text, size_t length, uint8_t* records, size_t capacity);

}  // namespace hub
