# One static library per room, so that each room builds and is tested alone; the libraries that
# users link are made of the rooms' objects.

include(PrecompiledHeaders)
find_package(Threads REQUIRED)

# The libraries of the light core, as the target `nunatak_core_dependencies`.
function(nunatak_core_dependencies)
  find_package(fmt REQUIRED GLOBAL)
  find_package(simdjson REQUIRED GLOBAL)
  find_package(roaring REQUIRED GLOBAL)
  find_package(Snappy REQUIRED GLOBAL)
  find_package(zstd REQUIRED GLOBAL)
  find_package(nlohmann_json REQUIRED GLOBAL)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET GLOBAL libdeflate)
  add_library(nunatak_core_dependencies INTERFACE)
  target_include_directories(
    nunatak_core_dependencies INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
                                        "$<INSTALL_INTERFACE:include>")
  target_compile_features(nunatak_core_dependencies INTERFACE cxx_std_20)
  target_link_libraries(
    nunatak_core_dependencies
    INTERFACE fmt::fmt simdjson::simdjson roaring::roaring Snappy::snappy zstd::libzstd_shared
              nlohmann_json::nlohmann_json PkgConfig::libdeflate Threads::Threads)
endfunction()

# Keep the core's libraries before Arrow's: the wheel's libparquet exports a simdjson of another version,
# and where it comes first on the link line, parsing JSON crashes (name_mapping_test notices).
# What the rooms beyond the core use in addition, as the target `nunatak_full_dependencies`: Arrow.
function(nunatak_full_dependencies)
  add_library(nunatak_full_dependencies INTERFACE)
  target_link_libraries(nunatak_full_dependencies INTERFACE nunatak_core_dependencies)
  find_package(ArrowParquet REQUIRED)
  target_link_libraries(nunatak_full_dependencies INTERFACE nunatak::arrow)
  nunatak_add_headers(
    nunatak_arrow_headers LINK nunatak_full_dependencies HEADERS <fmt/format.h> <arrow/api.h>
    <arrow/compute/api.h> <parquet/arrow/reader.h>)
endfunction()

# Adds the static library `nunatak_<room>` from the sources of the room's folder, linked with the
# rooms before it (whose list is the global property NUNATAK_ROOMS) and with DEPENDS; HEADERS may name
# a set of precompiled headers. `main.cc` stays outside.
function(nunatak_add_room room)
  cmake_parse_arguments(ARG "" "DEPENDS;HEADERS" "" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/nunatak/${room}/*.cc")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(NOT sources)
    return()
  endif()
  get_property(rooms_before GLOBAL PROPERTY NUNATAK_ROOMS)
  list(TRANSFORM rooms_before PREPEND nunatak_ OUTPUT_VARIABLE libraries_before)
  list(REVERSE libraries_before)
  add_library(nunatak_${room} STATIC ${sources})
  target_link_libraries(nunatak_${room} PUBLIC ${libraries_before} ${ARG_DEPENDS})
  if(ARG_HEADERS)
    nunatak_use_headers(nunatak_${room} ${ARG_HEADERS})
  endif()
  set_property(GLOBAL APPEND PROPERTY NUNATAK_ROOMS ${room})
endfunction()

# Adds the library `target` made of the objects of those ROOMS that exist, linked with LINK.
function(nunatak_add_library target)
  cmake_parse_arguments(ARG "" "" "ROOMS;LINK" ${ARGN})
  get_property(existing GLOBAL PROPERTY NUNATAK_ROOMS)
  set(objects "")
  foreach(room IN LISTS ARG_ROOMS)
    if(room IN_LIST existing)
      list(APPEND objects "$<TARGET_OBJECTS:nunatak_${room}>")
    endif()
  endforeach()
  if(objects)
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${objects})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${target} PUBLIC ${ARG_LINK})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${ARG_LINK})
  endif()
endfunction()

# Adds the `nunatak` command, put at the top of the build folder.
function(nunatak_add_command)
  set(main "${PROJECT_SOURCE_DIR}/src/nunatak/cli/main.cc")
  if(NOT EXISTS "${main}" OR NOT TARGET nunatak_cli)
    return()
  endif()
  find_package(CLI11 REQUIRED)
  target_link_libraries(nunatak_cli PUBLIC CLI11::CLI11)
  target_compile_definitions(nunatak_cli PRIVATE NUNATAK_VERSION="${PROJECT_VERSION}")
  add_executable(nunatak_command "${main}")
  target_link_libraries(nunatak_command PRIVATE nunatak_cli)
  set_target_properties(nunatak_command PROPERTIES OUTPUT_NAME nunatak RUNTIME_OUTPUT_DIRECTORY
                                                                       "${PROJECT_BINARY_DIR}")
endfunction()
