#pragma once

#include <filesystem>

namespace nunatak {

/// The folder tests/data of the checkout.
std::filesystem::path TestData();

}  // namespace nunatak
