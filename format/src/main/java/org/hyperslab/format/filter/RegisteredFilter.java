package org.hyperslab.format.filter;

import java.util.Arrays;
import java.util.Optional;

/**
 * The filters of The HDF Group's registry that are not built in: their names, and where the program
 * that decodes them is to be had, so that an error can say both.
 *
 * <p>Source: RegisteredFilterPlugins.md of HDFGroup/hdf5_plugins.
 */
enum RegisteredFilter {
  HZIP(257, "hzip", "computing.llnl.gov/projects/hzip"),
  FPZIP_OF_SILO(258, "fpzip", "computing.llnl.gov/projects/floating-point-compression"),
  LZO(305, "LZO", "github.com/PyTables/PyTables"),
  MAFISC(32002, "MAFISC", "wr.informatik.uni-hamburg.de/research/projects/icomex/mafisc"),
  SNAPPY(32003, "Snappy", "github.com/lucasvr/snappy-cuda"),
  APAX(32005, "APAX", "the contact that the registry names"),
  CBF(32006, "CBF", "the contact that the registry names"),
  JPEG_XR(32007, "JPEG-XR", "the contact that the registry names"),
  SPDP(32009, "SPDP", "userweb.cs.txstate.edu/~burtscher/research/SPDP"),
  LPC_RICE(32010, "LPC-Rice", "sourceforge.net/projects/lpcrice"),
  CCSDS_123(32011, "CCSDS-123", "sourceforge.net/projects/ccsds123-hdf-filter"),
  JPEG_LS(32012, "JPEG-LS", "sourceforge.net/projects/jpegls-hdf-filter"),
  FPZIP(32014, "fpzip", "computing.llnl.gov/projects/floating-point-compression"),
  B3D(32016, "B3D", "the contact that the registry names"),
  SZ(32017, "SZ", "github.com/szcompressor/SZ, Python's hdf5plugin"),
  FCIDECOMP(32018, "FCIDECOMP", "EUMETSAT, Python's hdf5plugin"),
  JPEG(32019, "JPEG", "github.com/HDFGroup/hdf5_plugins"),
  FAPEC(32021, "FAPEC", "www.dapcom.es"),
  BITGROOM(32022, "BitGroom", "github.com/ccr/ccr"),
  GRANULAR_BITROUND(32023, "Granular BitRound", "github.com/ccr/ccr"),
  SZ3(32024, "SZ3", "github.com/szcompressor/SZ3, Python's hdf5plugin"),
  DELTA_RICE(32025, "Delta-Rice", "gitlab.com/dgma224/deltarice"),
  FLAC(32027, "FLAC", "the contact that the registry names"),
  SPERR(32028, "SPERR", "github.com/NCAR/H5Z-SPERR, Python's hdf5plugin"),
  TERSE_PROLIX(32029, "TERSE/PROLIX", "github.com/Senikm/trpx"),
  FFMPEG(32030, "FFMPEG", "github.com/Cai-Lab-at-University-of-Michigan/ffmpeg_HDF5_filter"),
  JPEG2000(32031, "JPEG2000", "github.com/hmaarrfk/hdf5_jpeg2000"),
  BITROUND(32032, "BitRound", "github.com/HDFGroup/hdf5_plugins");

  private final int id;
  private final String title;
  private final String source;

  RegisteredFilter(int id, String title, String source) {
    this.id = id;
    this.title = title;
    this.source = source;
  }

  /**
   * {@return the filter with a number; empty if it is not in the registry, or is built in}
   *
   * @param id the number
   */
  static Optional<RegisteredFilter> of(int id) {
    return Arrays.stream(values()).filter(each -> each.id == id).findFirst();
  }

  /** {@return the name in the registry} */
  String title() {
    return title;
  }

  /** {@return where the program is to be had} */
  String source() {
    return source;
  }
}
