/* library_types.h - the types of data by their numbers, as libraries of CUDA are told them. */
#ifndef BANKSIM_LIBRARY_TYPES_H
#define BANKSIM_LIBRARY_TYPES_H

enum cudaDataType {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14,
};
typedef enum cudaDataType cudaDataType_t;

#endif
