/* cuda_pipeline.h - as programs include it. */
#include "cuda_pipeline_primitives.h"
