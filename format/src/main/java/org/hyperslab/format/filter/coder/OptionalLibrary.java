package org.hyperslab.format.filter.coder;

import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The libraries that some filters need and that a program may omit. Only classes that are loaded
 * when such a filter is used refer to them.
 */
public enum OptionalLibrary {
  /** LZ4, Snappy and Zstandard. */
  AIRCOMPRESSOR("io.airlift:aircompressor-v3", "aircompressor.v3"),
  /** Commons Compress, which decodes bzip2. */
  COMMONS_COMPRESS("org.apache.commons:commons-compress", "org.apache.commons.compress");

  private final String artifact;
  private final String module;

  OptionalLibrary(String artifact, String module) {
    this.artifact = artifact;
    this.module = module;
  }

  /**
   * Creates the error for a library that is absent.
   *
   * @param coding the name of the coding that needs it
   * @param cause the exception that loading it threw
   * @return the error
   */
  public UnsupportedFeatureException missing(String coding, Throwable cause) {
    return new UnsupportedFeatureException(
        "coding "
            + coding
            + ": actual=its library is missing ("
            + cause.getMessage()
            + "), expected="
            + artifact
            + "; add "
            + artifact
            + " to the class path, or to the module path with --add-modules "
            + module,
        cause);
  }
}
