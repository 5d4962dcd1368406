package org.hyperslab.web.limit;

/**
 * Says that too little memory is free now. What has asked for it is done again when there is; no
 * thread waits meanwhile.
 */
public final class MemoryShortage extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long bytes;

  private final int units;

  MemoryShortage(long bytes, int units) {
    super(
        "memory: actual=in use by other requests, expected=" + bytes + " bytes",
        null,
        false,
        false);
    this.bytes = bytes;
    this.units = units;
  }

  /** {@return the memory that is missing, in units of the share} */
  int units() {
    return units;
  }

  /** {@return the refusal of a request that has waited long enough} */
  public RequestRefusal refusal() {
    return new RequestRefusal(
        503, "memory: actual=in use by other requests, expected=" + bytes + " bytes; try again");
  }
}
