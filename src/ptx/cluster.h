/* cluster.h - the blocks of a cluster: their barrier, and each other's shared memory; see cluster.c. */
#ifndef BSIM_PTX_CLUSTER_H
#define BSIM_PTX_CLUSTER_H

#include "ptx/launch.h"
#include "ptx/machine.h"

/* How many blocks a cluster of it has, in each direction: 1 where none is said. */
struct bsim_dim3 bsim_ptx_launch_cluster(const struct bsim_ptx_launch *launch);

/* Whether some blocks of it are there at the same time. */
bool bsim_ptx_runs_together(const struct bsim_ptx_launch *launch);

/* Of mapa, getctarank, st.async and red.async, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_cluster(const struct bsim_ptx_instruction *from);

/* The lanes come to the cluster's barrier, and go on. */
void bsim_ptx_cluster_arrive(struct bsim_ptx_warp *warp, uint32_t lanes);

/* They wait there for all who have not come. False: the group does not go on now. */
bool bsim_ptx_cluster_wait(struct bsim_ptx_warp *warp, uint32_t g, uint32_t lanes);

/* Lets all go on if everybody in the cluster has come or ended; false: nobody does. */
bool bsim_ptx_cluster_release(struct bsim_ptx_block *block);

/* Whether some of the block wait there. */
bool bsim_ptx_waits_for_cluster(const struct bsim_ptx_block *block);

/* The block of that rank, which there is. */
struct bsim_ptx_block *bsim_ptx_block_of_rank(struct bsim_ptx_block *block, uint32_t rank);

/* The blocks to which a copy goes by the argument's mask, a bit for each rank. False after a fault. */
bool bsim_ptx_cluster_ranks(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                            const struct bsim_ptx_argument *argument, uint32_t lane,
                            uint32_t *ranks);

#endif
