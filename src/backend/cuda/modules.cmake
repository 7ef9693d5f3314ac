# The constraint types that have kernels. Any type of a fixed number of nodes may stand here.
set(SINEW_CUDA_TYPES distance isometric_bending neo_hookean_tet stretch_shear bend_twist)

# All modules: time integration, then the types.
set(SINEW_CUDA_MODULES integrate ${SINEW_CUDA_TYPES})
