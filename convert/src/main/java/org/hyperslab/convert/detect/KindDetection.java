package org.hyperslab.convert.detect;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.ZipInput;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.parts.PartsList;
import org.hyperslab.convert.parts.SubfileSet;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.superblock.SuperblockCodec;

/**
 * Detects the format of a file, first by its content, then by its name.
 *
 * <p>Thread rule: stateless.
 */
public final class KindDetection {

  private static final Pattern FAMILY = Pattern.compile("%(0[0-9]{1,2})?d");
  private static final byte[] HDF4 = {0x0E, 0x03, 0x13, 0x01};
  private static final byte[] NPY = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final byte[] CDF = {'C', 'D', 'F'};
  private static final byte[] ZIP = {'P', 'K', 3, 4};
  private static final byte[] EMPTY_ZIP = {'P', 'K', 5, 6};

  private KindDetection() {}

  /** Returns the format of an input. */
  public static FileKind ofInput(Path path) {
    if (FAMILY.matcher(path.toString()).find() && !Files.exists(path)) {
      return FileKind.FAMILY;
    }
    if (!Files.exists(path)) {
      throw new NotFoundException("input: actual=no such file, expected=a file, at=" + path);
    }
    if (SubfileSet.configOf(path).isPresent()) {
      return FileKind.SUBFILING;
    }
    Optional<FileKind> byContent = Files.isDirectory(path) ? ofFolder(path) : byContent(path);
    return byContent
        .or(() -> byName(path))
        .orElseThrow(() ->
            new UnsupportedFeatureException(
                "format of the input: actual=unknown, expected=one of "
                    + FileKind.options()
                    + "; name the format with --from, at="
                    + path));
  }

  private static Optional<FileKind> byContent(Path path) {
    try (FileBytes file = FileBytes.open(path)) {
      if (starts(file, 0, HDF4)) {
        throw new UnsupportedFeatureException(
            "format of the input: actual=HDF4, expected=one of "
                + FileKind.options()
                + "; HDF4 is not supported, convert the file with h4toh5 first, at="
                + path);
      }
      if (starts(file, 0, PartsList.MAGIC)) {
        return Optional.of(FileKind.PARTS);
      }
      if (starts(file, 0, NPY)) {
        return Optional.of(FileKind.NPY);
      }
      if (starts(file, 0, ZIP) || starts(file, 0, EMPTY_ZIP)) {
        return Optional.of(zipKind(path));
      }
      if (starts(file, 0, CDF)) {
        return Optional.of(FileKind.NETCDF);
      }
      return isHdf5(path) ? Optional.of(FileKind.HDF5) : Optional.empty();
    }
  }

  /** Returns whether a file has the signature of HDF5, at the start or after a user block. */
  private static boolean isHdf5(Path path) {
    try (FileStore store = FileStore.open(path, FileAccess.READ)) {
      return SuperblockCodec.findSignature(store).isPresent();
    }
  }

  private static boolean starts(FileBytes file, long at, byte[] magic) {
    if (file.size() - at < magic.length) {
      return false;
    }
    byte[] found = new byte[magic.length];
    file.read(at, MemorySegment.ofArray(found));
    return MemorySegment.ofArray(found).mismatch(MemorySegment.ofArray(magic)) < 0;
  }

  /** Returns the Zarr version of a folder, or empty if the folder is not a Zarr store. */
  public static Optional<FileKind> ofFolder(Path folder) {
    if (Files.exists(folder.resolve("zarr.json"))) {
      return Optional.of(FileKind.ZARR3);
    }
    boolean two =
        Files.exists(folder.resolve(".zgroup")) || Files.exists(folder.resolve(".zarray"));
    return two ? Optional.of(FileKind.ZARR2) : Optional.empty();
  }

  /** Returns the Zarr version of a zip archive, or empty if the file is no archive of Zarr. */
  public static Optional<FileKind> ofArchive(Path path) {
    try (FileBytes file = FileBytes.open(path)) {
      if (!starts(file, 0, ZIP)) {
        return Optional.empty();
      }
    }
    return Optional.of(zipKind(path)).filter(kind -> kind != FileKind.NPZ);
  }

  private static FileKind zipKind(Path path) {
    try (ZipInput zip = new ZipInput(path, 0)) {
      List<String> names = zip.names();
      if (names.contains("zarr.json")) {
        return FileKind.ZARR3;
      }
      boolean two = names.contains(".zgroup") || names.contains(".zarray");
      return two ? FileKind.ZARR2 : FileKind.NPZ;
    }
  }

  private static Optional<FileKind> byName(Path path) {
    String name = path.getFileName() == null ? "" : path.getFileName().toString();
    for (FileKind kind : FileKind.values()) {
      if (kind.isNamed(name)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** Returns the format of an output by its name. */
  public static FileKind ofOutput(Path path) {
    return byName(path)
        .orElseThrow(() ->
            new InvalidUseException(
                "format of the output: actual=unknown file name extension, expected=one of "
                    + FileKind.options()
                    + "; name the format with --to, at="
                    + path));
  }

  /** Returns whether a file or folder is another one, or within it. */
  public static boolean isWithin(Path file, Path other) {
    try {
      return Files.exists(file)
              && Files.exists(other)
              && file.toRealPath().startsWith(other.toRealPath())
          || isSame(file, other);
    } catch (IOException failure) {
      throw new StorageException(
          "compare: actual=" + failure + ", expected=success, at=" + file, failure);
    }
  }

  private static boolean isSame(Path a, Path b) throws IOException {
    return Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
  }
}
