#include "candump_log.h"

#include <array>
#include <cstring>

#include "frame_record.h"

namespace hub {

namespace {

constexpr size_t kSecondsDigits = 10;
constexpr size_t kMicrosecondsDigits = 6;
constexpr size_t kIdDigits = 8;
// IFNAMSIZ without its zero.
constexpr size_t kLongestName = 15;
// "(seconds.microseconds) name id#data R\r\n"
constexpr size_t kLongestLine =
    kSecondsDigits + kMicrosecondsDigits + 4 + kLongestName + 1 + kIdDigits + 1 + 16 + 2 + 2;

constexpr uint8_t kNoDigit = 0xff;

// The value of each character as a hexadecimal digit.
constexpr std::array<uint8_t, 256> hex_values() {
  std::array<uint8_t, 256> values{};
  for (size_t character = 0; character < values.size(); character++) {
    const bool is_upper = character >= 'A' && character <= 'F';
    const bool is_lower = character >= 'a' && character <= 'f';
    const bool is_decimal = character >= '0' && character <= '9';
    values[character] = static_cast<uint8_t>(is_decimal ? character - '0'
                                             : is_upper ? character - 'A' + 10
                                             : is_lower ? character - 'a' + 10
                                                        : kNoDigit);
  }
  return values;
}

constexpr std::array<uint8_t, 256> kHexValues = hex_values();

// Reads a number of `digits` decimal digits and moves the cursor past it; false if a character is not a digit.
bool take_decimal(const uint8_t*& at, size_t digits, uint64_t& value) {
  value = 0;
  for (const uint8_t* const end = at + digits; at < end; at++) {
    const unsigned digit = *at - unsigned{'0'};
    if (digit > 9) return false;
    value = value * 10 + digit;
  }
  return true;
}

bool take_byte(const uint8_t*& at, uint8_t& value) {
  const uint8_t high = kHexValues[at[0]];
  const uint8_t low = kHexValues[at[1]];
  if (high == kNoDigit || low == kNoDigit) return false;
  value = static_cast<uint8_t>(high << 4 | low);
  at += 2;
  return true;
}

bool take(const uint8_t*& at, uint8_t character) {
  if (*at != character) return false;
  at++;
  return true;
}

bool take_stamp(const uint8_t*& at, double& microseconds) {
  uint64_t seconds = 0;
  uint64_t fraction = 0;
  if (!take(at, '(') || !take_decimal(at, kSecondsDigits, seconds) || !take(at, '.') ||
      !take_decimal(at, kMicrosecondsDigits, fraction) || !take(at, ')') || !take(at, ' ')) {
    return false;
  }
  microseconds = static_cast<double>(seconds) * 1e6 + static_cast<double>(fraction);
  return true;
}

bool take_name(const uint8_t*& at) {
  const uint8_t* const name = at;
  while (*at > ' ' && at - name < static_cast<ptrdiff_t>(kLongestName)) at++;
  return at > name && take(at, ' ');
}

bool take_id(const uint8_t*& at, uint32_t& id) {
  id = 0;
  for (size_t taken = 0; taken < kIdDigits; taken += 2) {
    uint8_t byte = 0;
    if (!take_byte(at, byte)) return false;
    id = id << 8 | byte;
  }
  return id < 1u << 29 && take(at, '#');
}

// Reads a line and moves the cursor past it; false for another form. Reads at most `kLongestLine` bytes.
bool take_line(const uint8_t*& at, FrameRecord& record) {
  uint32_t id = 0;
  if (!take_stamp(at, record.wall_us) || !take_name(at) || !take_id(at, id)) return false;
  record.id = id | kExtendedFlag;
  while (record.length < sizeof record.data && take_byte(at, record.data[record.length])) record.length++;
  if (at[0] == ' ' && (at[1] == 'R' || at[1] == 'T')) at += 2;
  take(at, '\r');
  return take(at, '\n');
}

}  // namespace

CandumpLines read_candump_log(const uint8_t* text, size_t length, uint8_t* records, size_t capacity) {
  const uint8_t* line = text;
  const uint8_t* const end = text + length;
  size_t frames = 0;
  while (frames < capacity && end - line >= static_cast<ptrdiff_t>(kLongestLine)) {
    FrameRecord record{};
    const uint8_t* at = line;
    if (!take_line(at, record)) break;
    std::memcpy(records + frames * sizeof record, &record, sizeof record);
    frames++;
    line = at;
  }
  return {static_cast<size_t>(line - text), frames};
}

}  // namespace hub
