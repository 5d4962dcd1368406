package org.hyperslab.mpiio.collective;

/** Compares random accesses by every algorithm of this module with a sequential model. */
final class CollectiveRandomTest extends CollectiveRandomContract {

  CollectiveRandomTest() {
    super(
        "individual",
        "individual hyperslab_transfer=sieving ind_wr_buffer_size=100 ind_rd_buffer_size=100",
        "individual hyperslab_transfer=list",
        "two-phase hyperslab_domains=even",
        "two-phase hyperslab_domains=aligned striping_unit=512",
        "two-phase hyperslab_domains=lustre striping_unit=64",
        "two-phase hyperslab_domains=block",
        "two-phase hyperslab_domains=layout striping_unit=100 striping_factor=3",
        "two-phase hyperslab_domains=cyclic hyperslab_block=77",
        "two-phase hyperslab_assignment=reversed",
        "two-phase hyperslab_assignment=reversed hyperslab_domains=lustre striping_unit=64",
        "dynamic",
        "static",
        "dynamic hyperslab_aggregators=ompio",
        "turns",
        "two-phase hyperslab_messages=unpacked",
        "two-phase hyperslab_domains=group-cyclic striping_unit=100 striping_factor=2",
        "auto");
  }
}
