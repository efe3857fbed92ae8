#include "interface_object.h"

#include <cerrno>
#include <string>

#include "../interface_status.h"
#include "system_error.h"

namespace hub {

Napi::Value read_interface(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsString()) throw Napi::TypeError::New(env, "the name of the interface must be a string");
  LinkStatus status;
  const std::error_code error = LinkQuery().ask(info[0].As<Napi::String>(), status);
  if (error.value() == ENODEV) return env.Undefined();
  if (error) throw system_error(env, error, "rtnetlink");

  auto result = Napi::Object::New(env);
  const auto number = [&](uint64_t value) { return Napi::Number::New(env, static_cast<double>(value)); };
  result.Set("index", status.index);
  result.Set("up", status.is_up);
  if (status.can_state) result.Set("state", kCanStateNames[*status.can_state]);

  auto stats = Napi::Object::New(env);
  if (const auto& statistics = status.statistics) {
    stats.Set("tx_frames", number(statistics->tx_frames));
    stats.Set("tx_bytes", number(statistics->tx_bytes));
    stats.Set("rx_frames", number(statistics->rx_frames));
    stats.Set("rx_bytes", number(statistics->rx_bytes));
    stats.Set("tx_errors", number(statistics->tx_errors));
    stats.Set("rx_errors", number(statistics->rx_errors));
  }
  if (const auto& counters = status.can_counters) {
    stats.Set("bus_errors", number(counters->bus_errors));
    stats.Set("restarts", number(counters->restarts));
  }
  if (status.statistics || status.can_counters) result.Set("stats", stats);

  auto config = Napi::Object::New(env);
  if (const auto& timing = status.bit_timing) {
    config.Set("bitrate", number(timing->bitrate));
    config.Set("sample_point", number(timing->sample_point));
    config.Set("tq", number(timing->tq));
    config.Set("prop_seg", number(timing->prop_seg));
    config.Set("phase_seg1", number(timing->phase_seg1));
    config.Set("phase_seg2", number(timing->phase_seg2));
    config.Set("sjw", number(timing->sjw));
    config.Set("brp", number(timing->brp));
  }
  if (status.restart_ms) config.Set("restart_ms", number(*status.restart_ms));
  if (status.control_mode) config.Set("ctrlmode", number(*status.control_mode));
  if (status.bit_timing || status.restart_ms || status.control_mode) result.Set("config", config);
  return result;
}

}  // namespace hub
