// What a plug-in looks like that was built with headers of another version.
#define SHOWN __attribute__((visibility("default")))

extern "C" {
SHOWN extern const int orrery_plugin_interface;
const int orrery_plugin_interface = 1'000'000;
SHOWN void orrery_plugin(void*) {}
}
