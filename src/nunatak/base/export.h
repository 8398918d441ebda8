#pragma once

/// Marks what the library exports; everything else is hidden (`-fvisibility=hidden`).
#define NUNATAK_EXPORT __attribute__((visibility("default")))
