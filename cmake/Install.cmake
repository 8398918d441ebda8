# `cmake --install build --prefix PREFIX`: what was built of
#
#   bin/nunatak              finds Arrow in ../lib/nunatak
#   lib/libnunatak*.a        nunatak::core and nunatak::nunatak
#   include/nunatak          their headers
#   lib/cmake/nunatak        the CMake package
#   lib/nunatak              the Arrow libraries of the wheel and their headers, unless the system has Arrow
#   share/doc/nunatak        licences
#
# A prefix may be moved as a whole. Build the target `installed` first.
include(CMakePackageConfigHelpers)

# Installing builds nothing: it would be everything, tests too.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(package_folder lib/cmake/nunatak)
set(installed_targets nunatak_core nunatak_core_dependencies)
set(installed_rooms ${NUNATAK_CORE_ROOMS})
set_target_properties(nunatak_core PROPERTIES EXPORT_NAME core)
set_target_properties(nunatak_core_dependencies PROPERTIES EXPORT_NAME core_dependencies)

if(NOT NUNATAK_CORE_ONLY)
  list(APPEND installed_targets nunatak_full nunatak_full_dependencies nunatak_arrow)
  list(APPEND installed_rooms ${library_rooms})
  set_target_properties(nunatak_full PROPERTIES EXPORT_NAME nunatak OUTPUT_NAME nunatak)
  set_target_properties(nunatak_full_dependencies PROPERTIES EXPORT_NAME full_dependencies)
  set_target_properties(nunatak_arrow PROPERTIES EXPORT_NAME arrow)
endif()

# Part of `all` where tests are, which install it.
set(in_all "")
if(NUNATAK_TESTS)
  set(in_all ALL)
endif()
add_custom_target(installed ${in_all} DEPENDS nunatak_core)
if(TARGET nunatak_full)
  add_dependencies(installed nunatak_full)
endif()
install(TARGETS ${installed_targets} EXPORT nunatak ARCHIVE DESTINATION lib)
if(TARGET nunatak_command)
  add_dependencies(installed nunatak_command)
  set_target_properties(nunatak_command PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/nunatak")
  install(TARGETS nunatak_command RUNTIME DESTINATION bin)
endif()

foreach(room IN LISTS installed_rooms)
  if(EXISTS "${PROJECT_SOURCE_DIR}/src/nunatak/${room}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/nunatak/${room}" DESTINATION include/nunatak
            FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()

# Where Arrow comes from the wheel (cmake/FindArrowParquet.cmake), it goes along.
get_property(NUNATAK_ARROW_WHEEL GLOBAL PROPERTY NUNATAK_ARROW_WHEEL)
set(NUNATAK_ARROW_LIBRARIES "")
if(NUNATAK_ARROW_WHEEL)
  foreach(name IN ITEMS parquet arrow_compute arrow)
    get_target_property(library nunatak_wheel_${name} IMPORTED_LOCATION)
    install(PROGRAMS "${library}" DESTINATION lib/nunatak)
    get_filename_component(file "${library}" NAME)
    list(APPEND NUNATAK_ARROW_LIBRARIES "${file}")
  endforeach()
  install(DIRECTORY "${NUNATAK_ARROW_WHEEL}/include/arrow" "${NUNATAK_ARROW_WHEEL}/include/parquet"
          DESTINATION lib/nunatak/include)
  file(GLOB licences "${NUNATAK_ARROW_WHEEL}/../pyarrow-*.dist-info/licenses/*")
  install(FILES ${licences} DESTINATION share/doc/nunatak/arrow)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/nunatak)

install(EXPORT nunatak NAMESPACE nunatak:: FILE nunatakTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/nunatakConfig.cmake.in" "${PROJECT_BINARY_DIR}/nunatakConfig.cmake"
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/nunatakConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/nunatakConfig.cmake"
              "${PROJECT_BINARY_DIR}/nunatakConfigVersion.cmake" DESTINATION ${package_folder})
