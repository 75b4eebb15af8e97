#include "blanks.h"
__global__ void k() {}
int main() { LAUNCH(k); return 0; }
