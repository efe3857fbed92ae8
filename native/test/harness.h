// A small test harness. Cases register themselves; `main.cc` runs them and prints a line for each: "ok NAME", or
// "FAILED NAME" followed by the expectations that failed.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace harness {

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline std::vector<std::string>& failures() {
  static std::vector<std::string> of_this_case;
  return of_this_case;
}

struct Registration {
  Registration(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

inline void fail(const char* file, int line, const std::string& failure) {
  std::ostringstream text;
  text << file << ":" << line << ": " << failure;
  failures().push_back(text.str());
}

template <typename Left, typename Right>
void expect_equal(const Left& left, const Right& right, const char* file, int line, const char* expression) {
  if (left == right) return;
  std::ostringstream text;
  text << expression << ": " << left << " is not " << right;
  fail(file, line, text.str());
}

}  // namespace harness

#define HARNESS_JOIN2(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN2(a, b)

// By a counter and not by the line, because all files of cases are compiled as one.
#define CASE(name) HARNESS_CASE(name, __COUNTER__)
#define HARNESS_CASE(name, number)                                                                           \
  static void HARNESS_JOIN(case_, number)();                                                                 \
  static const harness::Registration HARNESS_JOIN(registration_, number)(name, HARNESS_JOIN(case_, number)); \
  static void HARNESS_JOIN(case_, number)()

#define EXPECT(condition) \
  if (!(condition)) harness::fail(__FILE__, __LINE__, #condition)

#define EXPECT_EQUAL(left, right) harness::expect_equal(left, right, __FILE__, __LINE__, #left)
