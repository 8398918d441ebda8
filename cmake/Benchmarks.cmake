# One executable per bench/*.cc, with Google Benchmark.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cc")
if(sources)
  find_package(benchmark REQUIRED)
endif()
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                           "${PROJECT_BINARY_DIR}/bench")
  target_compile_definitions(${name} PRIVATE NUNATAK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  target_link_libraries(${name} PRIVATE nunatak_full benchmark::benchmark_main)
endforeach()
