# Finds Arrow, its compute kernels and Parquet, as the target `nunatak::arrow`: a system package of
# the pinned major version, else the headers and libraries inside the `pyarrow` wheel of the
# project's virtual environment (see scripts/setup.sh).
#
# Set NUNATAK_PYARROW_DIR to take the wheel's files from another place.

find_package(Arrow ${NUNATAK_ARROW_VERSION} CONFIG QUIET)
find_package(ArrowCompute ${NUNATAK_ARROW_VERSION} CONFIG QUIET)
find_package(Parquet ${NUNATAK_ARROW_VERSION} CONFIG QUIET)

if(Arrow_FOUND AND ArrowCompute_FOUND AND Parquet_FOUND)
  set(ARROW_LOCATION "${Arrow_DIR}")
  add_library(nunatak_arrow INTERFACE)
  target_link_libraries(
    nunatak_arrow INTERFACE Arrow::arrow_shared ArrowCompute::arrow_compute_shared
                            Parquet::parquet_shared)
else()
  if(NUNATAK_PYARROW_DIR)
    set(ARROW_LOCATION "${NUNATAK_PYARROW_DIR}")
  else()
    file(GLOB ARROW_LOCATION "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/pyarrow")
  endif()
  if(EXISTS "${ARROW_LOCATION}/include/arrow/api.h")
    # What is installed along: cmake/Install.cmake.
    set_property(GLOBAL PROPERTY NUNATAK_ARROW_WHEEL "${ARROW_LOCATION}")
    add_library(nunatak_arrow INTERFACE)
    foreach(name IN ITEMS parquet arrow_compute arrow)
      # The wheel carries the versioned names only, such as libarrow.so.2600.
      file(GLOB library "${ARROW_LOCATION}/lib${name}.so.*")
      add_library(nunatak_wheel_${name} SHARED IMPORTED GLOBAL)
      set_target_properties(
        nunatak_wheel_${name} PROPERTIES IMPORTED_LOCATION "${library}"
                                         INTERFACE_INCLUDE_DIRECTORIES "${ARROW_LOCATION}/include")
      target_link_libraries(nunatak_arrow INTERFACE nunatak_wheel_${name})
    endforeach()
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ArrowParquet
  REQUIRED_VARS ARROW_LOCATION
  REASON_FAILURE_MESSAGE "run scripts/setup.sh, which installs the pyarrow wheel into .venv")
if(TARGET nunatak_arrow AND NOT TARGET nunatak::arrow)
  add_library(nunatak::arrow ALIAS nunatak_arrow)
endif()
