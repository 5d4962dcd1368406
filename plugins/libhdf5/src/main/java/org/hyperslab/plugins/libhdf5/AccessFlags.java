package org.hyperslab.plugins.libhdf5;

/** The flags {@code H5F_ACC_…} with which programs open and create files (H5Fpublic.h). */
final class AccessFlags {

  static final int WRITABLE = 0x01;
  static final int TRUNCATE = 0x02;
  static final int EXCLUSIVE = 0x04;
  static final int CREATE = 0x10;
  static final int SWMR_WRITE = 0x20;
  static final int SWMR_READ = 0x40;

  private AccessFlags() {}
}
