#include "elsewhere.h"
int main() { return 0; }
