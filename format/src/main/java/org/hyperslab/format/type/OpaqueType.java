package org.hyperslab.format.type;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Bytes that HDF5 does not interpret (class 5).
 *
 * @param size the size of an element in bytes
 * @param tag a description of the bytes, at most {@value #TAG_LIMIT_BYTES} bytes of UTF-8 without
 *     NUL; may be empty
 */
public record OpaqueType(int size, String tag) implements Datatype {

  /** The greatest length of a tag in bytes: its length field holds a multiple of 8 below 256. */
  public static final int TAG_LIMIT_BYTES = 248;

  /** Requires a valid size and tag. */
  public OpaqueType {
    TypeChecks.positiveSize("opaque", size);
    TypeChecks.present("opaque tag", tag);
    int length = NameBytes.encode(tag).length;
    if (length > TAG_LIMIT_BYTES || tag.indexOf('\0') >= 0) {
      throw new InvalidUseException(
          "opaque tag: actual=" + length + " bytes, expected=at most 248 bytes without NUL");
    }
  }

  @Override
  public int classNumber() {
    return 5;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    return "opaque[" + size + ", \"" + tag + "\"]";
  }

  /** Returns the description, which is complete. */
  @Override
  public String toString() {
    return describe();
  }
}
