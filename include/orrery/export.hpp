// Says which symbols the library shows to programs. Everything else in it is hidden.
#pragma once

#if defined(__GNUC__)
#define ORRERY_API __attribute__((visibility("default")))
#else
#define ORRERY_API
#endif
