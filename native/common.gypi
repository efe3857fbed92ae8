# In place of Node's file of this name: the addon needs Node-API alone, whose headers come from a package (binding.gyp),
# so that it is built without those of the running Node.js, and one build loads in any.
{
  "target_defaults": {
    "default_configuration": "Release",
    "cflags": ["-pthread"],
    "cflags_cc": ["-fno-rtti"],
    "configurations": {
      "Debug": { "cflags": ["-g", "-O0"] },
      "Release": { "cflags": ["-O3"], "defines": ["NDEBUG"] }
    }
  }
}
