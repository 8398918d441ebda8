# Reads scripts/versions.env, the one place where versions are pinned, into CMake variables.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                       "${PROJECT_SOURCE_DIR}/scripts/versions.env")
file(STRINGS "${PROJECT_SOURCE_DIR}/scripts/versions.env" lines REGEX "^[A-Z_]+=")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([A-Z_]+)=(.*)$" _ "${line}")
  set(NUNATAK_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
