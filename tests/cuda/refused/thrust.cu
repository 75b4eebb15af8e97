#include <thrust/sort.h>
int main() { return 0; }
