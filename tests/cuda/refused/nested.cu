__global__ void inner() {}
__global__ void outer() { inner<<<1, 1>>>(); }
int main() { outer<<<1, 1>>>(); return 0; }
