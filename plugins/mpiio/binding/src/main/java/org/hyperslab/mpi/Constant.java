package org.hyperslab.mpi;

/**
 * MPI's integer constants under each ABI. Sources: mpi.h of Open MPI 4.1, mpi.h and mpio.h of MPICH
 * 4.0, mpi.h of the MPI Forum's ABI stubs (MPI 5.0).
 */
enum Constant {
  ANY_SOURCE(-1, -2, -1),
  ANY_TAG(-1, -1, -2),
  PROC_NULL(-2, -1, -3),
  UNDEFINED(-32766, -32766, -32766),
  STATUS_IGNORE(0, 1, 0),
  IN_PLACE(1, -1, 1),
  BOTTOM(0, 0, 0),
  THREAD_SINGLE(0, 0, 0),
  THREAD_FUNNELED(1, 1, 1024),
  THREAD_SERIALIZED(2, 2, 2048),
  THREAD_MULTIPLE(3, 3, 4096),
  COMM_TYPE_SHARED(0, 1, 221),
  CART(1, 2, 211),
  IDENT(0, 0, 201),
  CONGRUENT(1, 1, 202),
  ORDER_C(0, 56, 12),
  ORDER_FORTRAN(1, 57, 15),
  DISTRIBUTE_BLOCK(0, 121, 17),
  DISTRIBUTE_CYCLIC(1, 122, 18),
  DISTRIBUTE_NONE(2, 123, 16),
  DISTRIBUTE_DFLT_DARG(-1, -49767, 19),
  COMBINER_NAMED(0, 1, 101),
  MODE_CREATE(1, 1, 2),
  MODE_RDONLY(2, 2, 16),
  MODE_WRONLY(4, 4, 256),
  MODE_RDWR(8, 8, 32),
  MODE_DELETE_ON_CLOSE(16, 16, 4),
  MODE_UNIQUE_OPEN(32, 32, 128),
  MODE_EXCL(64, 64, 8),
  MODE_APPEND(128, 128, 1),
  MODE_SEQUENTIAL(256, 256, 64),
  SEEK_SET(600, 600, 401),
  SEEK_CUR(602, 602, 402),
  SEEK_END(604, 604, 403),
  DISPLACEMENT_CURRENT(-54278278, -54278278, -1),
  ERR_TRUNCATE(15, 14, 15),
  ERR_IN_STATUS(18, 17, 19);

  private final int openMpi;
  private final int mpich;
  private final int standard;

  Constant(int openMpi, int mpich, int standard) {
    this.openMpi = openMpi;
    this.mpich = mpich;
    this.standard = standard;
  }

  int in(Abi abi) {
    return switch (abi) {
      case OPEN_MPI -> openMpi;
      case MPICH -> mpich;
      case STANDARD -> standard;
    };
  }
}
