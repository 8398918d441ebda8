#include "test_data.h"

namespace nunatak {

// The one file that knows the path: other objects are the same in every checkout, as far as a
// compiler cache can tell.
std::filesystem::path TestData() { return NUNATAK_TEST_DATA; }

}  // namespace nunatak
