# The programs of bench/plan, which the scripts beside them drive. They need the light core alone,
# and are built with the tests, which try them.
foreach(program IN ITEMS plan_case plan_floor)
  add_executable(${program} "${PROJECT_SOURCE_DIR}/bench/plan/${program}.cc")
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                              "${PROJECT_BINARY_DIR}/bench/plan")
endforeach()
target_link_libraries(plan_case PRIVATE nunatak_core)
target_link_libraries(plan_floor PRIVATE nunatak_core_dependencies)
if(NOT NUNATAK_CORE_ONLY)
  add_executable(scan_case "${PROJECT_SOURCE_DIR}/bench/scan/scan_case.cc")
  set_target_properties(scan_case PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                             "${PROJECT_BINARY_DIR}/bench/scan")
  target_link_libraries(scan_case PRIVATE nunatak_read)
endif()
add_custom_target(plan_programs DEPENDS plan_case plan_floor)

# The program of bench/list, which opens tables of every format.
if(TARGET nunatak_open)
  add_executable(list_case "${PROJECT_SOURCE_DIR}/bench/list/list_case.cc")
  set_target_properties(list_case PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                             "${PROJECT_BINARY_DIR}/bench/list")
  target_link_libraries(list_case PRIVATE nunatak_open)
endif()

if(NOT NUNATAK_BENCH)
  return()
endif()
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
