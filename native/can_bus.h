// The class that JavaScript sees: a bus, or a recording that is pushed through, on its way to packets.
//
//     new CanBus({ framing, wake, ringBytes, tapBytes })   open(interfaceName, { transmit })  send(id, data)  close()
//     status() notices()  push(frames, count)  expire(nowUs)  drain(into)  counters()  books()  setFraming(framing)
//     tap(into)  tapLost()
#pragma once

#include <napi.h>

#include <atomic>
#include <memory>

#include "bus_reader.h"
#include "frame_tap.h"
#include "shared_reassembly.h"

namespace hub {

class CanBus : public Napi::ObjectWrap<CanBus> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit CanBus(const Napi::CallbackInfo& info);
  ~CanBus() override { shut(); }

 private:
  static void call_wake(Napi::Env env, Napi::Function wake, CanBus* bus, void*);
  using Wake = Napi::TypedThreadSafeFunction<CanBus, void, &CanBus::call_wake>;

  Napi::Value open(const Napi::CallbackInfo& info);
  Napi::Value send(const Napi::CallbackInfo& info);
  Napi::Value push(const Napi::CallbackInfo& info);
  Napi::Value expire(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value books(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value notices(const Napi::CallbackInfo& info);
  Napi::Value tap(const Napi::CallbackInfo& info);
  Napi::Value tap_lost(const Napi::CallbackInfo& info);
  Napi::Value set_framing(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  // On the reader thread: asks the event loop to look, once however much happens before it does.
  void wake_event_loop();
  // Ends the thread and lets go of the event loop; harmless when that is done.
  void shut();
  static void shut_at_exit(void* bus);

  Napi::FunctionReference on_wake_;
  std::unique_ptr<SharedReassembly> reassembly_;
  // Only where somebody records.
  std::unique_ptr<FrameTap> tap_;
  std::atomic<bool> is_awake_{false};
  Wake wake_;
  // Only while the bus is open and was opened to transmit.
  std::unique_ptr<CanSender> sender_;
  // Behind all that its thread uses, so that it ends before they do.
  std::unique_ptr<BusReader> reader_;
};

}  // namespace hub
