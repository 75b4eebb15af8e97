/* cluster.cu - clang 14 knows no clusters. */
__global__ void __cluster_dims__(2, 1, 1) k(int *p)
{
    p[0] = 1;
}

int main()
{
    k<<<2, 1>>>(nullptr);
    return 0;
}
