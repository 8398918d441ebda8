# One executable per fuzz/<name>_fuzz.cc, linked with the instrumented core.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*_fuzz.cc")
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  target_link_libraries(${name} PRIVATE nunatak_core)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
# Of the rooms beyond the core, these files need no Arrow.
foreach(file IN ITEMS bit_unpack byte_stream_split delta_integers delta_texts rle_decoder)
  target_sources(page_encodings_fuzz
                 PRIVATE "${PROJECT_SOURCE_DIR}/src/nunatak/read/decode/pages/${file}.cc")
endforeach()
foreach(file IN ITEMS action_lines actions add_batch add_files deletion_vector features file_path
                      file_statistics log_replay partition_numbers partition_value schema_json
                      statistics_json
                      table_schema type_change)
  target_sources(delta_log_fuzz PRIVATE "${PROJECT_SOURCE_DIR}/src/nunatak/delta/${file}.cc")
endforeach()
