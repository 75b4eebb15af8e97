#include <cufft.h>
int main() { return 0; }
