// Linked with every object of nunatak::core and with no Arrow library.
int main() { return 0; }
