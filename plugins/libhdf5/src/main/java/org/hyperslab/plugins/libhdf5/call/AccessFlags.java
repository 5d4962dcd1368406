package org.hyperslab.plugins.libhdf5.call;

/** The flags {@code H5F_ACC_…} with which programs open and create files (H5Fpublic.h). */
public final class AccessFlags {

  public static final int WRITABLE = 0x01;
  public static final int TRUNCATE = 0x02;
  public static final int EXCLUSIVE = 0x04;
  public static final int CREATE = 0x10;
  public static final int SWMR_WRITE = 0x20;
  public static final int SWMR_READ = 0x40;

  private AccessFlags() {}
}
