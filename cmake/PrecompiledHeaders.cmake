# Headers of other projects that nearly every file of a target includes, parsed once per set: where
# half the files would do without them, loading a set costs more than it saves. Sources still include
# what they use.

# Adds the set `name`, precompiled with the dependencies LINK; `nunatak_use_headers` applies it.
function(nunatak_add_headers name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  set(source "${PROJECT_BINARY_DIR}/${name}.cc")
  if(NOT EXISTS "${source}")
    file(WRITE "${source}" "")
  endif()
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# Has `target` use the set `name`; both must be compiled with the same options.
function(nunatak_use_headers target name)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # An object library cannot be compiled as an executable is, except with neither's flags.
    set_target_properties(${name} ${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
