#pragma once

namespace nunatak {

/// How maps are written as JSON.
enum class MapForm {
  kKeysAndValues,  ///< {"keys": […], "values": […]}, whatever the keys are.
  kObject,         ///< An object by the text of the keys, where these are texts or numbers.
};

}  // namespace nunatak
