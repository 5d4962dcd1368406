package org.hyperslab.convert.parts;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The files that HDF5's subfiling driver writes for one HDF5 file: a stub, subfiles to which its
 * stripes are distributed round-robin, and a text file that describes them.
 *
 * <pre>
 * NAME                              the stub
 * NAME.subfile_INODE.config         lines: stripe_size=, aggregator_count=, subfile_count=,
 *                                   hdf5_file=, subfile_dir=, then a subfile's name each
 * NAME.subfile_INODE_i_of_n         the stripes i - 1, i - 1 + n, i - 1 + 2n, ...
 * </pre>
 *
 * <p>Source: HDF5 2.2, src/H5FDsubfiling/H5FDsubfiling.h (H5FD_SUBFILING_FILENAME_TEMPLATE),
 * utils/subfiling_vfd/h5fuse.
 *
 * @param config the text file
 * @param stripeBytes the length of a stripe
 * @param subfiles the subfiles, in the order of their stripes
 */
public record SubfileSet(Path config, long stripeBytes, List<Path> subfiles) {

  private static final String ENDING = ".config";
  private static final long MAX_CONFIG_BYTES = 16 << 20;
  private static final int MAX_SUBFILES = 100_000;
  private static final Pattern SUBFILE =
      Pattern.compile("[^/\\\\]+\\.subfile_[0-9]+_[0-9]+_of_[0-9]+");

  /**
   * Finds the text file that describes a set.
   *
   * @param path the text file or the stub
   * @return the text file, or empty if the path is neither
   */
  public static Optional<Path> configOf(Path path) {
    Path name = path.getFileName();
    if (name == null || !Files.isRegularFile(path)) {
      return Optional.empty();
    }
    if (name.toString().matches(".*\\.subfile_[0-9]+\\" + ENDING)) {
      return Optional.of(path);
    }
    Path folder = path.toAbsolutePath().getParent();
    String start = name + ".subfile_";
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, each -> isConfig(each, start))) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      if (found.size() > 1) {
        throw new UnsupportedFeatureException(
            "subfiling: actual=several sets "
                + found.stream().map(Path::getFileName).toList()
                + ", expected=one; name its .config, at="
                + path);
      }
      return found.stream().findFirst();
    } catch (IOException failure) {
      throw FileBytes.failed("list", folder, failure);
    }
  }

  private static boolean isConfig(Path each, String start) {
    String name = each.getFileName().toString();
    return name.startsWith(start) && name.substring(start.length()).matches("[0-9]+\\" + ENDING);
  }

  /**
   * Reads the set that a path belongs to.
   *
   * @throws CorruptFileException if it does not belong to a set
   */
  public static SubfileSet of(Path path) {
    return read(
        configOf(path)
            .orElseThrow(() ->
                corrupt(
                    path,
                    "actual=no NAME.subfile_NUMBER.config beside the stub, " + "expected=one")));
  }

  /**
   * Reads the text file of a set.
   *
   * @throws CorruptFileException if it is malformed
   */
  public static SubfileSet read(Path config) {
    String text;
    try (FileBytes file = FileBytes.open(config)) {
      if (file.size() > MAX_CONFIG_BYTES) {
        throw corrupt(config, "actual=" + file.size() + " bytes, expected<=" + MAX_CONFIG_BYTES);
      }
      text = new String(file.read(0, (int) file.size()), StandardCharsets.UTF_8);
    }
    if (text.indexOf('\0') >= 0) {
      throw corrupt(config, "actual=bytes that are not text, expected=lines of text");
    }
    List<String> names = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (SUBFILE.matcher(line.strip()).matches()) {
        names.add(line.strip());
      }
    }
    long stripe = number(text, "stripe_size", config);
    long count = number(text, "subfile_count", config);
    if (stripe < 1 || count < 1 || count > MAX_SUBFILES || names.size() != count) {
      throw corrupt(
          config,
          "actual=stripes of "
              + stripe
              + " bytes, "
              + names.size()
              + " names of subfiles for "
              + count
              + ", expected=the same number, 1 to "
              + MAX_SUBFILES);
    }
    return new SubfileSet(config, stripe, paths(names, value(text, "subfile_dir"), config));
  }

  /** Returns the folder of the subfiles: that of the text file, or the folder that it names. */
  private static List<Path> paths(List<String> names, Optional<String> folder, Path config) {
    Path beside = Objects.requireNonNull(config.toAbsolutePath().getParent());
    boolean moved = Files.exists(beside.resolve(names.getFirst())) || folder.isEmpty();
    Path from = moved ? beside : Path.of(folder.get());
    List<Path> paths = names.stream().map(from::resolve).toList();
    for (Path path : paths) {
      if (!Files.isRegularFile(path)) {
        throw corrupt(config, "actual=no subfile " + path + ", expected=all of them");
      }
    }
    return paths;
  }

  private static Optional<String> value(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  private static long number(String text, String name, Path config) {
    return value(text, name)
        .filter(digits -> digits.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElseThrow(() -> corrupt(config, "actual=no number " + name + ", expected=one"));
  }

  private static CorruptFileException corrupt(Path config, String problem) {
    return new CorruptFileException(
        config.toString(), "subfiling set", CorruptFileException.NO_OFFSET, problem);
  }

  /**
   * Writes the HDF5 file that the set represents.
   *
   * @param out the file, which must not exist
   * @param mostBytes its maximum length in bytes
   * @return its length in bytes
   * @throws CorruptFileException if it would exceed the maximum
   * @throws StorageException if a file cannot be read or written
   */
  public long join(Path out, long mostBytes) {
    try (FileChannel to =
        FileChannel.open(out, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int i = 0; i < subfiles.size(); i++) {
        try (FileChannel from = FileChannel.open(subfiles.get(i), StandardOpenOption.READ)) {
          requireEnd(from.size(), i, mostBytes);
          deal(from, i, to);
        }
      }
      return to.size();
    } catch (IOException failure) {
      throw FileBytes.failed("join subfiles", out, failure);
    }
  }

  private void requireEnd(long size, int subfile, long mostBytes) {
    if (size == 0) {
      return;
    }
    long last = (size - 1) / stripeBytes;
    try {
      long stripe = Math.addExact(Math.multiplyExact(last, (long) subfiles.size()), subfile);
      long start = Math.multiplyExact(stripe, stripeBytes);
      if (Math.addExact(start, size - last * stripeBytes) <= mostBytes) {
        return;
      }
    } catch (ArithmeticException _) {
      // 2^63 or more: longer than any file
    }
    throw corrupt(
        config,
        "actual=a file of more than "
            + mostBytes
            + " bytes, expected=at most the length of its subfiles; raise the limit with "
            + "--max-expanded");
  }

  private void deal(FileChannel from, int subfile, FileChannel to) throws IOException {
    long size = from.size();
    for (long at = 0; at < size; ) {
      long stripe = at / stripeBytes;
      long end = Math.min(size, (stripe + 1) * stripeBytes);
      long target = (stripe * subfiles.size() + subfile) * stripeBytes;
      while (at < end) {
        to.position(target + at - stripe * stripeBytes);
        at += from.transferTo(at, end - at, to);
      }
    }
  }
}
