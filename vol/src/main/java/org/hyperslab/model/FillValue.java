package org.hyperslab.model;

import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;

/** What an element reads as before it was written. */
public sealed interface FillValue {

  /** Zeros, as the library's default says. */
  record Default() implements FillValue {}

  /** No value is defined: what is read is unspecified (zeros here). */
  record Undefined() implements FillValue {}

  /**
   * A value given by the user.
   *
   * @param type the type of the value, in memory form
   * @param value one element of that type
   */
  record Value(Datatype type, DataBuffer value) implements FillValue {}

  /** When fill values are written to newly allocated storage. */
  enum Time {
    /** When storage is allocated. */
    ON_ALLOCATION,
    /** Never. */
    NEVER,
    /** When storage is allocated, if the user gave a value. */
    IF_SET
  }
}
