__global__ void k(float *p) { *p = 1 }
int main() { return 0; }
