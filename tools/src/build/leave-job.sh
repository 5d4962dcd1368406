# Sourced. Forgets the MPI job that this shell is a rank of: mpirun starts what is not built yet, and what
# the build runs would else take itself for a rank too, and wait for the others for ever.
leave_job() {
  local name
  for name in $(compgen -e); do
    case $name in
      OMPI_* | PMIX_* | PMI_* | PRTE_* | MPI_* | MPIR_* | HYDI_* | HYDRA_*) unset "$name" ;;
    esac
  done
}
