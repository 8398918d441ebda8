# One executable `<room>_test` per room that has sources and tests, linked with that room and those
# before it alone. Each is one test of ctest and writes its cases to test-results/<room>.json. The
# labels are core (the light core's rooms) and full; the targets core_tests and all_tests build the
# programs.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

nunatak_add_headers(nunatak_test_headers LINK nunatak_core_dependencies GTest::gtest HEADERS
                    <gtest/gtest.h>)

add_custom_target(core_tests)
add_custom_target(all_tests)

# Adds the test `name` of `scope` (core or full) to ctest.
function(nunatak_register_test name scope)
  cmake_parse_arguments(ARG "" "" "COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS ${scope})
endfunction()

# Makes the test program `target` part of the build of its scope.
function(nunatak_test_program target scope)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_dependencies(all_tests ${target})
  if(scope STREQUAL "core")
    add_dependencies(core_tests ${target})
  endif()
endfunction()

function(nunatak_add_room_test room scope)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${room}/*.cc")
  if(NOT sources OR NOT TARGET nunatak_${room})
    return()
  endif()
  add_executable(${room}_test ${sources})
  target_link_libraries(${room}_test PRIVATE nunatak_${room} GTest::gtest_main)
  target_include_directories(${room}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${room}_test
                             PRIVATE NUNATAK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  nunatak_use_headers(${room}_test nunatak_test_headers)
  nunatak_test_program(${room}_test ${scope})
  nunatak_register_test(
    ${room} ${scope} COMMAND ${room}_test
    "--gtest_output=json:${PROJECT_BINARY_DIR}/test-results/${room}.json")
endfunction()

foreach(room IN LISTS NUNATAK_CORE_ROOMS)
  nunatak_add_room_test(${room} core)
endforeach()
if(NOT NUNATAK_CORE_ONLY)
  foreach(room IN LISTS NUNATAK_FULL_ROOMS)
    nunatak_add_room_test(${room} full)
  endforeach()
endif()

# A program that holds the whole of nunatak::core and nothing else: it links only while the core
# needs no Arrow library and no later room.
get_target_property(core_type nunatak_core TYPE)
if(core_type STREQUAL "STATIC_LIBRARY")
  add_executable(core_alone "${PROJECT_SOURCE_DIR}/tests/structure/core_alone.cc")
  target_link_libraries(core_alone PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,nunatak_core>)
  nunatak_test_program(core_alone core)
  nunatak_register_test(core_alone core COMMAND core_alone)
endif()

nunatak_register_test(
  structure full COMMAND ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/structure/run.py"
  --build "${PROJECT_BINARY_DIR}" --results "${PROJECT_BINARY_DIR}/test-results/structure.json")
