// Text of recordings, any bytes: nothing is read beyond the text, and each frame written as text again is its line.
#include <cctype>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../candump_log.h"
#include "../frame_record.h"
#include "fuzz.h"

using namespace hub;

namespace {

constexpr size_t kCapacity = 4;

// The line without the name of the interface, in capitals.
std::string text_of(const FrameRecord& record) {
  char text[64];
  const auto microseconds = static_cast<uint64_t>(record.wall_us);
  std::snprintf(text, sizeof text, "(%010" PRIu64 ".%06" PRIu64 ") %08X#", microseconds / 1000000,
                microseconds % 1000000, record.id & ~kExtendedFlag);
  std::string line = text;
  for (size_t at = 0; at < record.length; at++) {
    std::snprintf(text, sizeof text, "%02X", record.data[at]);
    line += text;
  }
  return line;
}

void check_record(const FrameRecord& record) {
  HOLDS(record.length <= sizeof record.data && record.monotonic_us == 0);
  HOLDS((record.id & kExtendedFlag) != 0 && (record.id & (kErrorFlag | kRemoteFlag)) == 0);
  for (const uint8_t zero : record.zero) HOLDS(zero == 0);
  for (size_t at = record.length; at < sizeof record.data; at++) HOLDS(record.data[at] == 0);
}

void check_line(std::string line, const FrameRecord& record) {
  const size_t name = line.find(' ');
  HOLDS(name != std::string::npos);
  const size_t id = line.find(' ', name + 1);
  HOLDS(id != std::string::npos && id > name + 1 && id - name <= 16);
  line.erase(name, id - name);
  if (line.back() == '\r') line.pop_back();
  const size_t direction = line.find(' ', name + 1);
  if (direction != std::string::npos) {
    const std::string word = line.substr(direction);
    HOLDS(word == " R" || word == " T");
    line.erase(direction);
  }
  for (char& character : line) character = static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
  // Until the year 2255 a double has room for the microseconds.
  if (record.wall_us < 9e15) HOLDS(line == text_of(record));
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  uint8_t records[kCapacity * sizeof(FrameRecord) + 1];
  // The buffer ends with the text: AddressSanitizer finds a read of the next byte. The records lie at an odd address.
  const std::vector<uint8_t> text(bytes, bytes + length);
  const CandumpLines lines = read_candump_log(text.data(), text.size(), records + 1, kCapacity);
  HOLDS(lines.frames <= kCapacity && lines.bytes <= length);
  size_t at = 0;
  for (size_t frame = 0; frame < lines.frames; frame++) {
    const auto* end = static_cast<const uint8_t*>(std::memchr(text.data() + at, '\n', lines.bytes - at));
    HOLDS(end != nullptr);
    const auto size = static_cast<size_t>(end - (text.data() + at));
    FrameRecord record;
    std::memcpy(&record, records + 1 + frame * sizeof record, sizeof record);
    check_record(record);
    check_line(std::string(reinterpret_cast<const char*>(text.data()) + at, size), record);
    at += size + 1;
  }
  HOLDS(at == lines.bytes);
  return 0;
}
