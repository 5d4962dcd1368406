package org.hyperslab.format.header;

import java.util.Optional;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The group info message: the thresholds at which a new-style group changes between compact and
 * dense storage, and an estimate of its links.
 *
 * <pre>
 *   1  version, 0
 *   1  flags: bit 0 phase change values, bit 1 estimates
 *   2  maximum compact links, 2 minimum dense links           (if bit 0)
 *   2  estimated number of links, 2 estimated name length     (if bit 1)
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.k; reference {@code H5Oginfo.c}.
 *
 * @param phaseChange the thresholds, if not the default
 * @param estimate the estimate, if not the default
 */
public record GroupInfoMessage(Optional<PhaseChange> phaseChange, Optional<Estimate> estimate)
    implements Message {

  /**
   * An estimate of a group's links, which determines the initial size of its header.
   *
   * @param links the number of links
   * @param nameLength the average length of their names in bytes
   */
  public record Estimate(int links, int nameLength) {

    /** The default for files that store none. */
    public static final Estimate DEFAULT = new Estimate(4, 8);
  }

  /** A message with all values at their defaults. */
  public static final GroupInfoMessage DEFAULT =
      new GroupInfoMessage(Optional.empty(), Optional.empty());

  @Override
  public int typeCode() {
    return MessageType.GROUP_INFO.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static GroupInfoMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    int flags = reader.u8();
    if ((flags & ~3) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..3");
    }
    Optional<PhaseChange> phase = Optional.empty();
    if ((flags & 1) != 0) {
      phase = Optional.of(phaseChange(reader));
    }
    Optional<Estimate> estimate = Optional.empty();
    if ((flags & 2) != 0) {
      estimate = Optional.of(new Estimate(reader.u16(), reader.u16()));
    }
    return new GroupInfoMessage(phase, estimate);
  }

  static PhaseChange phaseChange(MetadataReader reader) {
    int maximumCompact = reader.u16();
    int minimumDense = reader.u16();
    if (minimumDense > maximumCompact + 1) {
      throw reader.corrupt(
          "phase change: minimum dense actual="
              + minimumDense
              + ", expected=at most maximum compact + 1 = "
              + (maximumCompact + 1));
    }
    return new PhaseChange(maximumCompact, minimumDense);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).u8((phaseChange.isPresent() ? 1 : 0) | (estimate.isPresent() ? 2 : 0));
    phaseChange.ifPresent(phase -> writer.u16(phase.maximumCompact()).u16(phase.minimumDense()));
    estimate.ifPresent(expected -> writer.u16(expected.links()).u16(expected.nameLength()));
  }
}
