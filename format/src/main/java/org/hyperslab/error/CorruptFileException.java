package org.hyperslab.error;

/**
 * The bytes of a file are not what the HDF5 File Format Specification allows.
 *
 * <p>It carries the file, the structure that was being decoded, and the byte offset at which it
 * failed.
 */
public final class CorruptFileException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /** The offset of a failure without a single position in the file. */
  public static final long NO_OFFSET = -1;

  private final String file;
  private final String structure;
  private final long offset;
  private final String problem;

  /**
   * Creates the exception.
   *
   * @param file the path or URI of the file
   * @param structure the structure being decoded, in the specification's words
   * @param offset the file offset in bytes, or {@link #NO_OFFSET}
   * @param problem the problem, with actual and expected values
   */
  public CorruptFileException(String file, String structure, long offset, String problem) {
    this(file, structure, offset, problem, null);
  }

  /**
   * Creates the exception with a cause, which may be null.
   *
   * @param file the file's name, for errors
   * @param structure the structure's name, for errors
   * @param offset the file offset of the structure; negative if unknown
   * @param problem the problem, with actual and expected values
   * @param cause the cause
   */
  public CorruptFileException(
      String file, String structure, long offset, String problem, Throwable cause) {
    super(structure + ": " + problem + ", at=" + file + (offset < 0 ? "" : "@" + offset), cause);
    this.file = file;
    this.structure = structure;
    this.offset = offset;
    this.problem = problem;
  }

  /** Tells a failure in other words. */
  CorruptFileException(CorruptFileException original, String message) {
    super(message, original.getCause());
    this.file = original.file;
    this.structure = original.structure;
    this.offset = original.offset;
    this.problem = original.problem;
  }

  /** {@return the path or URI of the file} */
  public String file() {
    return file;
  }

  /** {@return the structure being decoded, in the specification's words} */
  public String structure() {
    return structure;
  }

  /** {@return the file offset in bytes, or {@link #NO_OFFSET}} */
  public long offset() {
    return offset;
  }

  /** {@return the problem, with actual and expected values: the message without the place} */
  public String problem() {
    return problem;
  }
}
