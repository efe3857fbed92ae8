#include "candump_log_object.h"

#include "../candump_log.h"
#include "../frame_record.h"
#include "values.h"

namespace hub {

Napi::Value read_candump_log(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Uint8Array text = bytes_argument(info[0], "text must be a Uint8Array");
  Napi::Uint8Array records = bytes_argument(info[1], "records must be a Uint8Array");
  const CandumpLines lines =
      read_candump_log(text.Data(), text.ByteLength(), records.Data(), records.ByteLength() / sizeof(FrameRecord));
  auto result = Napi::Object::New(env);
  result.Set("bytes", number(env, lines.bytes));
  result.Set("frames", number(env, lines.frames));
  return result;
}

}  // namespace hub
