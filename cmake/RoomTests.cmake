# One executable `<room>_test` per room that has sources and tests, linked with that room and those
# before it alone; each is one test of ctest.
find_package(GTest REQUIRED)

function(nunatak_add_room_test room)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${room}/*.cc")
  if(NOT sources)
    return()
  endif()
  add_executable(${room}_test ${sources})
  target_link_libraries(${room}_test PRIVATE nunatak_${room} GTest::gtest_main)
  target_include_directories(${room}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${room}_test
                             PRIVATE NUNATAK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  add_test(NAME ${room} COMMAND ${room}_test
                                "--gtest_output=json:${PROJECT_BINARY_DIR}/test-results/${room}.json")
  set_tests_properties(${room} PROPERTIES TIMEOUT 600)
endfunction()

get_property(rooms GLOBAL PROPERTY NUNATAK_ROOMS)
foreach(room IN LISTS rooms)
  nunatak_add_room_test(${room})
endforeach()
