# What every target is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O2 compiles faster than CMake's -O3, and what is hot here is bound by memory and libraries.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# Options structs have defaults, so a designated initialiser names only what differs.
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these for correct uses of std::string and std::optional.
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow
                      -Wno-array-bounds)
else()
  # clang reports libstdc++'s own use of what it deprecates, in std::stable_sort.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(NUNATAK_WERROR)
  add_compile_options(-Werror)
endif()

if(NUNATAK_SANITIZE)
  add_compile_options(-fsanitize=${NUNATAK_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${NUNATAK_SANITIZE})
  if(NUNATAK_SANITIZE MATCHES "undefined")
    add_compile_options(-fsanitize=float-cast-overflow)
  endif()
endif()

# Paths are hashed relative to the checkout, so that another checkout finds the same objects; the
# sloppiness is what ccache asks for where precompiled headers are used.
find_program(CCACHE_PROGRAM ccache)
find_program(ENV_PROGRAM env)
if(CCACHE_PROGRAM AND ENV_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${ENV_PROGRAM}" "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
