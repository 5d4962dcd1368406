package org.hyperslab.mpi;

/**
 * MPI's predefined handles under each ABI: under Open MPI the address of a symbol, otherwise a
 * number. Sources as for {@link Constant}.
 */
enum Predefined {
  COMM_NULL("ompi_mpi_comm_null", 0x04000000, 0x100),
  COMM_WORLD("ompi_mpi_comm_world", 0x44000000, 0x101),
  COMM_SELF("ompi_mpi_comm_self", 0x44000001, 0x102),
  GROUP_NULL("ompi_mpi_group_null", 0x08000000, 0x108),
  FILE_NULL("ompi_mpi_file_null", 0, 0x118),
  INFO_NULL("ompi_mpi_info_null", 0x1c000000, 0x130),
  REQUEST_NULL("ompi_request_null", 0x2c000000, 0x180),
  ERRORS_ARE_FATAL("ompi_mpi_errors_are_fatal", 0x54000000, 0x141),
  ERRORS_RETURN("ompi_mpi_errors_return", 0x54000001, 0x142),

  SUM("ompi_mpi_op_sum", 0x58000003, 0x21),
  MIN("ompi_mpi_op_min", 0x58000002, 0x22),
  MAX("ompi_mpi_op_max", 0x58000001, 0x23),
  PROD("ompi_mpi_op_prod", 0x58000004, 0x24),
  BAND("ompi_mpi_op_band", 0x58000006, 0x28),
  BOR("ompi_mpi_op_bor", 0x58000008, 0x29),
  BXOR("ompi_mpi_op_bxor", 0x5800000a, 0x2a),
  LAND("ompi_mpi_op_land", 0x58000005, 0x30),
  LOR("ompi_mpi_op_lor", 0x58000007, 0x31),
  LXOR("ompi_mpi_op_lxor", 0x58000009, 0x32),
  MINLOC("ompi_mpi_op_minloc", 0x5800000b, 0x38),
  MAXLOC("ompi_mpi_op_maxloc", 0x5800000c, 0x39),
  REPLACE("ompi_mpi_op_replace", 0x5800000d, 0x3c),
  NO_OP("ompi_mpi_op_no_op", 0x5800000e, 0x3d),

  DATATYPE_NULL("ompi_mpi_datatype_null", 0x0c000000, 0x200),
  AINT("ompi_mpi_aint", 0x4c000843, 0x201),
  COUNT("ompi_mpi_count", 0x4c000845, 0x202),
  OFFSET("ompi_mpi_offset", 0x4c000844, 0x203),
  PACKED("ompi_mpi_packed", 0x4c00010f, 0x207),
  SHORT("ompi_mpi_short", 0x4c000203, 0x208),
  INT("ompi_mpi_int", 0x4c000405, 0x209),
  LONG("ompi_mpi_long", 0x4c000807, 0x20a),
  LONG_LONG("ompi_mpi_long_long_int", 0x4c000809, 0x20b),
  UNSIGNED_SHORT("ompi_mpi_unsigned_short", 0x4c000204, 0x20c),
  UNSIGNED("ompi_mpi_unsigned", 0x4c000406, 0x20d),
  UNSIGNED_LONG("ompi_mpi_unsigned_long", 0x4c000808, 0x20e),
  UNSIGNED_LONG_LONG("ompi_mpi_unsigned_long_long", 0x4c000819, 0x20f),
  FLOAT("ompi_mpi_float", 0x4c00040a, 0x210),
  DOUBLE("ompi_mpi_double", 0x4c00080b, 0x214),
  FLOAT_INT("ompi_mpi_float_int", 0x8c000000, 0x228),
  DOUBLE_INT("ompi_mpi_double_int", 0x8c000001, 0x229),
  LONG_INT("ompi_mpi_long_int", 0x8c000002, 0x22a),
  TWO_INT("ompi_mpi_2int", 0x4c000816, 0x22b),
  C_BOOL("ompi_mpi_c_bool", 0x4c00013f, 0x238),
  INT8_T("ompi_mpi_int8_t", 0x4c000137, 0x240),
  UINT8_T("ompi_mpi_uint8_t", 0x4c00013b, 0x241),
  CHAR("ompi_mpi_char", 0x4c000101, 0x243),
  SIGNED_CHAR("ompi_mpi_signed_char", 0x4c000118, 0x244),
  UNSIGNED_CHAR("ompi_mpi_unsigned_char", 0x4c000102, 0x245),
  BYTE("ompi_mpi_byte", 0x4c00010d, 0x247),
  INT16_T("ompi_mpi_int16_t", 0x4c000238, 0x248),
  UINT16_T("ompi_mpi_uint16_t", 0x4c00023c, 0x249),
  INT32_T("ompi_mpi_int32_t", 0x4c000439, 0x250),
  UINT32_T("ompi_mpi_uint32_t", 0x4c00043d, 0x251),
  INT64_T("ompi_mpi_int64_t", 0x4c00083a, 0x258),
  UINT64_T("ompi_mpi_uint64_t", 0x4c00083e, 0x259);

  private final String symbol;
  private final int mpich;
  private final int standard;

  Predefined(String symbol, int mpich, int standard) {
    this.symbol = symbol;
    this.mpich = mpich;
    this.standard = standard;
  }

  /** Returns Open MPI's symbol. */
  String symbol() {
    return symbol;
  }

  /** Returns the handle under an ABI with numeric handles: all but Open MPI's. */
  long number(Abi abi) {
    return abi == Abi.MPICH ? mpich : standard;
  }
}
