#include "nunatak/cli/commands.h"

int main(int argc, char** argv) { return nunatak::cli::Run(argc, argv); }
