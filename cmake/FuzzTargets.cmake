# One executable per fuzz/<name>_fuzz.cc, linked with the instrumented core.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*_fuzz.cc")
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  target_link_libraries(${name} PRIVATE nunatak_core)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
