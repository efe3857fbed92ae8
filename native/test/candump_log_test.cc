#include "../candump_log.h"

#include <cstring>
#include <string>
#include <vector>

#include "../frame_record.h"
#include "harness.h"

using namespace hub;

namespace {

const std::string kLine = "(1436509052.249713) vcan0 0DF10503#2A366C2BBA\n";
// Behind the lines of a case, because the last bytes of a text might be a part of a line.
const std::string kBehind(65, 'x');

struct Read {
  size_t bytes;
  std::vector<FrameRecord> frames;
};

Read read(const std::string& lines, size_t capacity = 8) {
  const std::string text = lines + kBehind;
  std::vector<FrameRecord> records(capacity);
  const CandumpLines found = read_candump_log(reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                              reinterpret_cast<uint8_t*>(records.data()), capacity);
  records.resize(found.frames);
  return {found.bytes, records};
}

// Replaces the bytes from `at` on by `bytes`.
std::string changed(size_t at, const std::string& bytes) {
  std::string line = kLine;
  return line.replace(at, bytes.size(), bytes);
}

}  // namespace

CASE("read_candump_log gives a line as a frame record") {
  const Read found = read(kLine);
  EXPECT_EQUAL(found.bytes, kLine.size());
  EXPECT_EQUAL(found.frames.size(), 1u);
  const FrameRecord& record = found.frames[0];
  EXPECT_EQUAL(record.wall_us, 1436509052249713.0);
  EXPECT_EQUAL(record.monotonic_us, 0.0);
  EXPECT_EQUAL(record.id, 0x8df10503u);
  EXPECT_EQUAL(unsigned{record.length}, 5u);
  const uint8_t data[8] = {0x2a, 0x36, 0x6c, 0x2b, 0xba};
  EXPECT(std::memcmp(record.data, data, sizeof data) == 0);
}

CASE("read_candump_log takes data of 0 to 8 bytes in either case, CR LF, and the direction of -x") {
  const std::string begin = "(1436509052.249713) an-interface-15 1fffffff#";
  const std::string data = "00fFaBcDeF123456";
  for (size_t length = 0; length <= 8; length++) {
    for (const char* end : {"\n", "\r\n", " R\n", " T\r\n"}) {
      const Read found = read(begin + data.substr(0, 2 * length) + end);
      EXPECT_EQUAL(found.frames.size(), 1u);
      if (found.frames.empty()) continue;
      EXPECT_EQUAL(unsigned{found.frames[0].length}, length);
      EXPECT_EQUAL(found.frames[0].id, 0x9fffffffu);
      const uint8_t bytes[8] = {0x00, 0xff, 0xab, 0xcd, 0xef, 0x12, 0x34, 0x56};
      EXPECT(std::memcmp(found.frames[0].data, bytes, length) == 0);
    }
  }
}

CASE("read_candump_log ends before a line of another form") {
  const std::string others[] = {
      "\n",
      "# a comment\n",
      changed(0, "["),
      changed(1, "x"),
      changed(10, "x"),
      changed(11, ","),
      changed(17, "x"),
      changed(18, "]"),
      changed(19, "\t"),
      changed(25, "x"),
      changed(26, "G"),
      changed(33, "g"),
      changed(34, "R"),
      changed(35, "G"),
      changed(44, "x"),
      changed(44, "\n"),
      changed(26, "2"),
      "(1436509052.249713)  0DF10503#2A\n",
      "(1436509052.249713) vc\nn0 0DF10503#2A\n",
      "(1436509052.249713) an-interface-16x 0DF10503#2A\n",
      "(1436509052.249713) vcan0 044#2A\n",
      "(1436509052.249713) vcan0 0DF10503#R8\n",
      "(1436509052.249713) vcan0 0DF10503#2A366C2BBA010203_C\n",
      "(1436509052.249713) vcan0 0DF10503#2A366C2BBA01020304\n",
      "(1436509052.249713) vcan0 0DF10503#2A X\n",
      "(1436509052.249713) vcan0 0DF10503#2A \n",
      "(1436509052.249713) vcan0 0DF10503##12A\n",
      "(1.5) vcan0 0DF10503#2A\n",
      "(12345678901.249713) vcan0 0DF10503#2A\n",
  };
  for (const std::string& other : others) {
    const Read found = read(kLine + other + kLine);
    EXPECT_EQUAL(found.frames.size(), 1u);
    EXPECT_EQUAL(found.bytes, kLine.size());
  }
}

CASE("read_candump_log ends when there is no room, and where a line may not be there whole") {
  const Read full = read(kLine + kLine + kLine, 2);
  EXPECT_EQUAL(full.frames.size(), 2u);
  EXPECT_EQUAL(full.bytes, 2 * kLine.size());
  EXPECT_EQUAL(read(kLine, 0).bytes, 0u);

  const std::string two = kLine + kLine;
  for (size_t length = 0; length <= two.size(); length++) {
    // On the heap and of the exact size, so that AddressSanitizer finds a read of the next byte.
    const std::vector<uint8_t> text(two.begin(), two.begin() + static_cast<long>(length));
    FrameRecord records[2];
    const CandumpLines found = read_candump_log(text.data(), length, reinterpret_cast<uint8_t*>(records), 2);
    EXPECT_EQUAL(found.bytes, found.frames * kLine.size());
    EXPECT(found.frames <= length / kLine.size());
  }
}
