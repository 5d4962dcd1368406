package org.hyperslab.convert.detect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.parts.SubfileSet;
import org.hyperslab.error.InvalidUseException;

/**
 * The most that may be read of a compressed input, or written of a Zarr store: a small file can
 * state a huge shape.
 *
 * <p>Thread rule: stateless.
 */
public final class ExpansionLimit {

  private static final long MIN_EXPANDED_BYTES = 1L << 30;
  private static final long EXPANSION = 200;

  private ExpansionLimit() {}

  /**
   * Returns the limit for an input of unknown size.
   *
   * @param options the options of the conversion, which may have a limit
   * @return the limit, in bytes
   */
  public static long of(ConversionOptions options) {
    return options.expandedBytes() > 0 ? options.expandedBytes() : MIN_EXPANDED_BYTES;
  }

  /**
   * Returns the limit for an input on this machine.
   *
   * @param in a file or a folder
   * @param options the options of the conversion, which may have a limit
   * @return the limit, in bytes
   */
  public static long of(Path in, ConversionOptions options) {
    if (options.expandedBytes() > 0) {
      return options.expandedBytes();
    }
    long size =
        SubfileSet.configOf(in).map(ExpansionLimit::subfileBytes).orElseGet(() -> sizeOf(in));
    return size > Long.MAX_VALUE / EXPANSION
        ? Long.MAX_VALUE
        : Math.max(MIN_EXPANDED_BYTES, size * EXPANSION);
  }

  /**
   * Returns the size of all elements of a tree.
   *
   * @param root the tree
   * @return the size, in bytes
   * @throws InvalidUseException if it is 2^63 bytes or more
   */
  public static long totalBytes(GroupNode root) {
    long total = 0;
    for (var variable : root.allVariables().toList()) {
      try {
        total = Math.addExact(total, variable.bytes());
      } catch (ArithmeticException tooMuch) {
        throw new InvalidUseException(
            "size: actual=2^63 bytes or more, expected=fewer, at=" + variable.path(), tooMuch);
      }
    }
    return total;
  }

  /**
   * Checks that the elements that an output gets are within the limit. Some formats have all
   * elements, others those that are stored; of a variable that does not know which these are, all
   * are written.
   *
   * @param root the tree to write
   * @param to the format of the output
   * @param most the limit, in bytes
   * @throws org.hyperslab.error.UnsupportedFeatureException if they are larger
   */
  public static void require(GroupNode root, FileKind to, long most) {
    boolean isWhole =
        switch (to) {
          case NPY, NPZ, RAW, CSV, TSV, NETCDF, CDF1, CDF2, CDF5 -> true;
          default -> false;
        };
    long left = most;
    for (Variable variable : root.allVariables().toList()) {
      boolean isWritten = isWhole || variable.elements().stored().isEmpty();
      if (isWritten && variable.bytes() > left) {
        throw ConversionRun.tooMuch(
            variable.bytes() + " bytes of elements of " + variable.path(), most);
      }
      left -= isWritten ? variable.bytes() : 0;
    }
  }

  private static long sizeOf(Path in) {
    if (!Files.isDirectory(in)) {
      return in.toFile().length();
    }
    try (Stream<Path> all = Files.walk(in)) {
      return all.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException failure) {
      throw FileBytes.failed("list", in, failure);
    }
  }

  private static long subfileBytes(Path config) {
    return SubfileSet.read(config).subfiles().stream().mapToLong(f -> f.toFile().length()).sum();
  }
}
