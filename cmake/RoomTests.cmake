# One executable `<room>_test` per room that has sources and tests, linked with that room and those
# before it alone. Each is one test of ctest and writes its cases to test-results/<room>.json. The
# labels are core (the light core's rooms) and full.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

nunatak_add_headers(nunatak_test_headers LINK nunatak_core_dependencies GTest::gtest HEADERS
                    <gtest/gtest.h>)
if(NOT NUNATAK_CORE_ONLY)
  nunatak_add_headers(nunatak_arrow_test_headers LINK nunatak_full_dependencies GTest::gtest HEADERS
                      <gtest/gtest.h> <arrow/api.h> <arrow/compute/api.h>)
endif()

add_library(nunatak_test_data OBJECT "${PROJECT_SOURCE_DIR}/tests/test_data.cc")
target_compile_definitions(nunatak_test_data
                           PRIVATE NUNATAK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")

# Adds the test `name` of `scope` (core or full) to ctest.
function(nunatak_register_test name scope)
  add_test(NAME ${name} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS ${scope})
endfunction()

function(nunatak_add_room_test room scope)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${room}/*.cc")
  if(NOT sources OR NOT TARGET nunatak_${room})
    return()
  endif()
  add_executable(${room}_test ${sources} $<TARGET_OBJECTS:nunatak_test_data>)
  target_link_libraries(${room}_test PRIVATE nunatak_${room} GTest::gtest_main)
  target_include_directories(${room}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(room IN_LIST NUNATAK_ARROW_ROOMS)
    nunatak_use_headers(${room}_test nunatak_arrow_test_headers)
  else()
    nunatak_use_headers(${room}_test nunatak_test_headers)
  endif()
  set_target_properties(${room}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                "${PROJECT_BINARY_DIR}/tests")
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
  set_target_properties(core_alone PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                              "${PROJECT_BINARY_DIR}/tests")
  nunatak_register_test(core_alone core COMMAND core_alone)
endif()

# Adds the Python tests of tests/<folder> as the test `folder`, run by another Python where one is
# given.
function(nunatak_add_python_test folder)
  set(python ${Python3_EXECUTABLE})
  if(ARGC GREATER 1)
    set(python ${ARGV1})
  endif()
  nunatak_register_test(
    ${folder} full COMMAND ${python} "${PROJECT_SOURCE_DIR}/scripts/run_unittests.py"
    "${PROJECT_SOURCE_DIR}/tests/${folder}" "${PROJECT_BINARY_DIR}/test-results/${folder}.json")
  set_tests_properties(
    ${folder} PROPERTIES ENVIRONMENT
                         "NUNATAK=${PROJECT_BINARY_DIR}/nunatak;NUNATAK_BUILD=${PROJECT_BINARY_DIR}")
endfunction()

nunatak_add_python_test(structure)
nunatak_add_python_test(bench)
if(TARGET nunatak_command)
  nunatak_add_python_test(conformance)
  # They write tables with pyarrow, which scripts/setup.sh installs in .venv.
  find_program(PYTHON_OF_PYARROW python HINTS "${PROJECT_SOURCE_DIR}/.venv/bin" NO_DEFAULT_PATH)
  if(NOT PYTHON_OF_PYARROW)
    set(PYTHON_OF_PYARROW ${Python3_EXECUTABLE})
  endif()
  nunatak_add_python_test(differential ${PYTHON_OF_PYARROW})
  nunatak_add_python_test(verify ${PYTHON_OF_PYARROW})
  nunatak_add_python_test(health ${PYTHON_OF_PYARROW})
  nunatak_add_python_test(hive_files ${PYTHON_OF_PYARROW})
  nunatak_add_python_test(delta_files ${PYTHON_OF_PYARROW})
  # Sanitizers keep memory that was freed.
  if(NOT NUNATAK_SANITIZE)
    nunatak_add_python_test(memory ${PYTHON_OF_PYARROW})
  endif()
endif()
# What is installed is linked without sanitizers.
if(TARGET nunatak_command AND TARGET installed AND NOT NUNATAK_SANITIZE)
  nunatak_add_python_test(install)
endif()
