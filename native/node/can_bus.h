// A bus as a class of JavaScript: a reader thread pushes the frames of an interface into a reassembler, the event loop
// drains the packets.
//
//     new CanBus({ fastPacketTable, ringBytes, tapBytes })
//     open(interfaceName, { wake, transmit })  send(id, data)  close()  status()  linkChanges()
//     drain(into)  counters()  setFastPacketTable(fastPacketTable)  tap(into)  tapLost()
//
// `wake` is called on the event loop when there may be packets or a change; it is referenced only while the bus is
// open, so that a function that refers to the bus does not keep it alive.
#pragma once

#include <napi.h>

#include <atomic>
#include <memory>
#include <optional>

#include "../bus_reader.h"
#include "../frame_tap.h"
#include "../shared_reassembler.h"
#include "external_memory.h"

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
  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value link_changes(const Napi::CallbackInfo& info);
  Napi::Value tap(const Napi::CallbackInfo& info);
  Napi::Value tap_lost(const Napi::CallbackInfo& info);
  Napi::Value set_fast_packet_table(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  // On the reader thread. However often it is called before the event loop runs, `wake` is called once.
  void wake_event_loop();
  // Ends the thread and releases the event loop; harmless when already closed.
  void shut();
  static void shut_at_exit(void* bus);

  // Empty only while the constructor checks its options.
  std::optional<SharedReassembler> reassembler_;
  // Only for a bus that is recorded.
  std::unique_ptr<FrameTap> tap_;
  std::atomic<bool> is_awake_{false};
  Wake wake_;
  // Only while the bus is open and was opened to transmit.
  std::unique_ptr<CanSender> sender_;
  // Declared after everything that its thread uses, so that the thread ends first.
  std::unique_ptr<BusReader> reader_;
  std::optional<ExternalMemory> memory_;
};

}  // namespace hub
