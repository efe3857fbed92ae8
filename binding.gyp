{
  "targets": [
    {
      "target_name": "hub_can",
      "sources": ["<!@(ls native/*.cc native/node/*.cc)"],
      "include_dirs": ["<!(node -p \"require('node-api-headers').include_dir\")", "<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": ["NAPI_VERSION=8", "NODE_ADDON_API_CPP_EXCEPTIONS_ALL", "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS", "_TIME_BITS=64", "_FILE_OFFSET_BITS=64"],
      "cflags": ["-Wall", "-Wextra", "-Wformat", "-Werror=format-security", "-fvisibility=hidden", "-fstack-protector-strong", "-fstack-clash-protection", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"],
      "cflags!": ["-fno-exceptions"],
      "cflags_cc!": ["-fno-exceptions"],
      "cflags_cc": ["-std=c++17"],
      "ldflags": ["-Wl,-z,relro", "-Wl,-z,now", "-pthread"]
    }
  ]
}
