package org.hyperslab.mpi;

/**
 * The MPI functions that are bound, each with the shape of its parameters; all return an error
 * code.
 *
 * <p>One letter stands for each parameter: {@code P} a pointer, {@code I} an int, {@code L} an
 * MPI_Aint, MPI_Offset or MPI_Count (8 bytes), {@code H} a handle, {@code F} a file handle, which
 * is a pointer under every ABI. The Java side passes them as {@link
 * org.hyperslab.format.store.NativeFunction} takes them.
 */
enum Call {
  INIT_THREAD("Init_thread", "PPIP"),
  INITIALIZED("Initialized", "P"),
  FINALIZED("Finalized", "P"),
  FINALIZE("Finalize", ""),
  QUERY_THREAD("Query_thread", "P"),
  GET_VERSION("Get_version", "PP"),
  GET_LIBRARY_VERSION("Get_library_version", "PP"),
  GET_PROCESSOR_NAME("Get_processor_name", "PP"),
  ERROR_STRING("Error_string", "IPP"),
  ABORT("Abort", "HI"),

  COMM_RANK("Comm_rank", "HP"),
  COMM_SIZE("Comm_size", "HP"),
  COMM_SET_ERRHANDLER("Comm_set_errhandler", "HH"),
  COMM_SPLIT("Comm_split", "HIIP"),
  COMM_SPLIT_TYPE("Comm_split_type", "HIIHP"),
  COMM_DUP("Comm_dup", "HP"),
  COMM_IDUP("Comm_idup", "HPP"),
  COMM_FREE("Comm_free", "P"),
  COMM_GET_NAME("Comm_get_name", "HPP"),
  COMM_SET_NAME("Comm_set_name", "HP"),
  COMM_GROUP("Comm_group", "HP"),
  COMM_COMPARE("Comm_compare", "HHP"),
  GROUP_SIZE("Group_size", "HP"),
  GROUP_TRANSLATE_RANKS("Group_translate_ranks", "HIPHP"),
  GROUP_FREE("Group_free", "P"),

  SEND("Send", "PIHIIH"),
  SSEND("Ssend", "PIHIIH"),
  RECV("Recv", "PIHIIHP"),
  ISEND("Isend", "PIHIIHP"),
  IRECV("Irecv", "PIHIIHP"),
  PROBE("Probe", "IIHP"),
  IPROBE("Iprobe", "IIHPP"),
  WAIT("Wait", "PP"),
  TEST("Test", "PPP"),
  CANCEL("Cancel", "P"),
  GET_ELEMENTS_X("Get_elements_x", "PHP"),
  GET_ELEMENTS_C("Get_elements_c", "PHP"),

  BARRIER("Barrier", "H"),
  BCAST("Bcast", "PIHIH"),
  GATHER("Gather", "PIHPIHIH"),
  SCATTER("Scatter", "PIHPIHIH"),
  ALLGATHER("Allgather", "PIHPIHH"),
  ALLTOALL("Alltoall", "PIHPIHH"),
  ALLGATHERV("Allgatherv", "PIHPPPHH"),
  ALLGATHERV_C("Allgatherv_c", "PLHPPPHH"),
  ALLTOALLV("Alltoallv", "PPPHPPPHH"),
  ALLTOALLV_C("Alltoallv_c", "PPPHPPPHH"),
  REDUCE("Reduce", "PPIHHIH"),
  ALLREDUCE("Allreduce", "PPIHHH"),
  SCAN("Scan", "PPIHHH"),
  EXSCAN("Exscan", "PPIHHH"),
  IBARRIER("Ibarrier", "HP"),
  IBCAST("Ibcast", "PIHIHP"),
  IALLREDUCE("Iallreduce", "PPIHHHP"),
  IALLGATHER("Iallgather", "PIHPIHHP"),

  WIN_ALLOCATE("Win_allocate", "LIHHPP"),
  WIN_FREE("Win_free", "P"),
  WIN_SET_ERRHANDLER("Win_set_errhandler", "HH"),
  WIN_LOCK_ALL("Win_lock_all", "IH"),
  WIN_UNLOCK_ALL("Win_unlock_all", "H"),
  WIN_FLUSH("Win_flush", "IH"),
  WIN_FLUSH_LOCAL("Win_flush_local", "IH"),
  WIN_SYNC("Win_sync", "H"),
  PUT("Put", "PIHILIHH"),
  ACCUMULATE("Accumulate", "PIHILIHHH"),
  FETCH_AND_OP("Fetch_and_op", "PPHILHH"),

  DIMS_CREATE("Dims_create", "IIP"),
  CART_CREATE("Cart_create", "HIPPIP"),
  CARTDIM_GET("Cartdim_get", "HP"),
  CART_GET("Cart_get", "HIPPP"),
  CART_RANK("Cart_rank", "HPP"),
  CART_COORDS("Cart_coords", "HIIP"),
  CART_SHIFT("Cart_shift", "HIIPP"),
  CART_SUB("Cart_sub", "HPP"),
  TOPO_TEST("Topo_test", "HP"),

  TYPE_CONTIGUOUS("Type_contiguous", "IHP"),
  TYPE_VECTOR("Type_vector", "IIIHP"),
  TYPE_CREATE_HVECTOR("Type_create_hvector", "IILHP"),
  TYPE_INDEXED("Type_indexed", "IPPHP"),
  TYPE_CREATE_HINDEXED("Type_create_hindexed", "IPPHP"),
  TYPE_CREATE_INDEXED_BLOCK("Type_create_indexed_block", "IIPHP"),
  TYPE_CREATE_STRUCT("Type_create_struct", "IPPPP"),
  TYPE_CREATE_RESIZED("Type_create_resized", "HLLP"),
  TYPE_CREATE_SUBARRAY("Type_create_subarray", "IPPPIHP"),
  TYPE_CREATE_DARRAY("Type_create_darray", "IIIPPPPIHP"),
  TYPE_DUP("Type_dup", "HP"),
  TYPE_COMMIT("Type_commit", "P"),
  TYPE_FREE("Type_free", "P"),
  TYPE_SIZE_X("Type_size_x", "HP"),
  TYPE_SIZE_C("Type_size_c", "HP"),
  TYPE_GET_EXTENT("Type_get_extent", "HPP"),
  TYPE_GET_TRUE_EXTENT("Type_get_true_extent", "HPP"),
  TYPE_GET_ENVELOPE("Type_get_envelope", "HPPPP"),
  PACK_EXTERNAL("Pack_external", "PPIHPLP"),
  PACK_EXTERNAL_SIZE("Pack_external_size", "PIHP"),

  INFO_CREATE("Info_create", "P"),
  INFO_DUP("Info_dup", "HP"),
  INFO_SET("Info_set", "HPP"),
  INFO_GET("Info_get", "HPIPP"),
  INFO_GET_VALUELEN("Info_get_valuelen", "HPPP"),
  INFO_DELETE("Info_delete", "HP"),
  INFO_GET_NKEYS("Info_get_nkeys", "HP"),
  INFO_GET_NTHKEY("Info_get_nthkey", "HIP"),
  INFO_FREE("Info_free", "P"),

  FILE_OPEN("File_open", "HPIHP"),
  FILE_CLOSE("File_close", "P"),
  FILE_DELETE("File_delete", "PH"),
  FILE_SET_ERRHANDLER("File_set_errhandler", "FH"),
  FILE_SET_SIZE("File_set_size", "FL"),
  FILE_PREALLOCATE("File_preallocate", "FL"),
  FILE_GET_SIZE("File_get_size", "FP"),
  FILE_GET_GROUP("File_get_group", "FP"),
  FILE_GET_AMODE("File_get_amode", "FP"),
  FILE_SET_INFO("File_set_info", "FH"),
  FILE_GET_INFO("File_get_info", "FP"),
  FILE_SET_VIEW("File_set_view", "FLHHPH"),
  FILE_GET_VIEW("File_get_view", "FPPPP"),
  FILE_GET_TYPE_EXTENT("File_get_type_extent", "FHP"),
  FILE_SET_ATOMICITY("File_set_atomicity", "FI"),
  FILE_GET_ATOMICITY("File_get_atomicity", "FP"),
  FILE_SYNC("File_sync", "F"),
  FILE_SEEK("File_seek", "FLI"),
  FILE_SEEK_SHARED("File_seek_shared", "FLI"),
  FILE_GET_POSITION("File_get_position", "FP"),
  FILE_GET_POSITION_SHARED("File_get_position_shared", "FP"),
  FILE_GET_BYTE_OFFSET("File_get_byte_offset", "FLP"),
  FILE_READ_AT("File_read_at", "FLPIHP"),
  FILE_READ_AT_ALL("File_read_at_all", "FLPIHP"),
  FILE_WRITE_AT("File_write_at", "FLPIHP"),
  FILE_WRITE_AT_ALL("File_write_at_all", "FLPIHP"),
  FILE_IREAD_AT("File_iread_at", "FLPIHP"),
  FILE_IREAD_AT_ALL("File_iread_at_all", "FLPIHP"),
  FILE_IWRITE_AT("File_iwrite_at", "FLPIHP"),
  FILE_IWRITE_AT_ALL("File_iwrite_at_all", "FLPIHP"),
  FILE_READ("File_read", "FPIHP"),
  FILE_READ_ALL("File_read_all", "FPIHP"),
  FILE_WRITE("File_write", "FPIHP"),
  FILE_WRITE_ALL("File_write_all", "FPIHP"),
  FILE_IREAD("File_iread", "FPIHP"),
  FILE_IREAD_ALL("File_iread_all", "FPIHP"),
  FILE_IWRITE("File_iwrite", "FPIHP"),
  FILE_IWRITE_ALL("File_iwrite_all", "FPIHP"),
  FILE_READ_SHARED("File_read_shared", "FPIHP"),
  FILE_WRITE_SHARED("File_write_shared", "FPIHP"),
  FILE_IREAD_SHARED("File_iread_shared", "FPIHP"),
  FILE_IWRITE_SHARED("File_iwrite_shared", "FPIHP"),
  FILE_READ_ORDERED("File_read_ordered", "FPIHP"),
  FILE_WRITE_ORDERED("File_write_ordered", "FPIHP"),
  FILE_READ_AT_ALL_BEGIN("File_read_at_all_begin", "FLPIH"),
  FILE_READ_AT_ALL_END("File_read_at_all_end", "FPP"),
  FILE_WRITE_AT_ALL_BEGIN("File_write_at_all_begin", "FLPIH"),
  FILE_WRITE_AT_ALL_END("File_write_at_all_end", "FPP"),
  FILE_READ_ALL_BEGIN("File_read_all_begin", "FPIH"),
  FILE_READ_ALL_END("File_read_all_end", "FPP"),
  FILE_WRITE_ALL_BEGIN("File_write_all_begin", "FPIH"),
  FILE_WRITE_ALL_END("File_write_all_end", "FPP"),
  FILE_READ_ORDERED_BEGIN("File_read_ordered_begin", "FPIH"),
  FILE_READ_ORDERED_END("File_read_ordered_end", "FPP"),
  FILE_WRITE_ORDERED_BEGIN("File_write_ordered_begin", "FPIH"),
  FILE_WRITE_ORDERED_END("File_write_ordered_end", "FPP");

  private final String symbol;
  private final String parameters;

  Call(String name, String parameters) {
    this.symbol = "MPI_" + name;
    this.parameters = parameters;
  }

  /** Returns the function's name, {@code MPI_…}. */
  String symbol() {
    return symbol;
  }

  /** Returns whether the function acts on a file. */
  boolean isOfFile() {
    return symbol.startsWith("MPI_File_");
  }

  /** Returns the number of parameters. */
  int parameters() {
    return parameters.length();
  }
}
