package org.hyperslab.tools.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * The version of the product, as Maven records it in the jar. It survives when jars are put
 * together into one, which has no manifest of its own.
 */
public final class ProductVersion implements IVersionProvider {

  private static final String RECORD =
      "/META-INF/maven/org.hyperslab/hyperslab-tools/pom.properties";

  /** Creates a provider; picocli does. */
  public ProductVersion() {}

  @Override
  public String[] getVersion() {
    try (InputStream record = ProductVersion.class.getResourceAsStream(RECORD)) {
      return new String[] {"hyperslab " + of(record)};
    } catch (IOException unreadable) {
      return new String[] {"hyperslab (" + unreadable.getMessage() + ")"};
    }
  }

  /**
   * Returns the version in Maven's record; the record is null in a program that is not packaged.
   */
  static String of(InputStream record) throws IOException {
    if (record == null) {
      return "(unpackaged)";
    }
    Properties properties = new Properties();
    properties.load(record);
    return properties.getProperty("version", "(unpackaged)");
  }
}
