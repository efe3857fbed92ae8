// Native memory of an object of JavaScript, reported to V8 so that it collects such objects before they fill the
// memory.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>

namespace hub {

class ExternalMemory {
 public:
  ExternalMemory(Napi::Env env, size_t bytes) : env_(env), bytes_(static_cast<int64_t>(bytes)) {
    Napi::MemoryManagement::AdjustExternalMemory(env_, bytes_);
  }
  ~ExternalMemory() { Napi::MemoryManagement::AdjustExternalMemory(env_, -bytes_); }
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;

 private:
  Napi::Env env_;
  int64_t bytes_;
};

}  // namespace hub
