package org.hyperslab.plugins.nativevol.store;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.superblock.DriverInfo;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.model.OpenOptions;

/**
 * Detects that a name denotes a family, a split or a multi file although no driver is given. If no
 * file has that name, the name decides, as in the HDF5 tools ({@code %d} for a family, files {@code
 * -m.h5} and {@code -r.h5} for a split file, a file {@code -s.h5} for a multi file). If a file has
 * that name, the driver information in its superblock decides, so that a family can be opened by
 * its first member.
 *
 * <p>Thread rule: no state.
 */
public final class DriverDetection {

  private static final Pattern NUMBER = Pattern.compile("%0?\\d*d");
  private static final Pattern FIRST_MEMBER = Pattern.compile("(.*(?<!\\d))(0+)((?!\\d).*)");
  private static final String SPLIT_METADATA = "-m.h5";
  private static final String SPLIT_RAW = "-r.h5";
  private static final String MULTI_SUPERBLOCK = "-s.h5";
  private static final int LARGEST_BLOCK_BYTES = 1 << 16;

  /**
   * The name and options of the file to open.
   *
   * @param name the name in the form that the driver expects
   * @param options the options, including the driver
   */
  public record Named(String name, OpenOptions options) {}

  private DriverDetection() {}

  /**
   * {@return the name and options for a local file} Options that name a driver are unchanged.
   *
   * @param name the file's name
   * @param options the options for opening the file
   */
  public static Named find(String name, OpenOptions options) {
    Named plain = new Named(name, options);
    if (options.properties().containsKey(StoreOpener.DRIVER) || RemoteStores.isRemote(name)) {
      return plain;
    }
    Path path = StoreOpener.path(name);
    LocalFiles files = LocalFiles.of(options);
    Optional<Named> found =
        files.isRegularFile(path)
            ? byContent(path, options)
            : files.exists(path) ? Optional.empty() : byName(path.toString(), options);
    return found.orElse(plain);
  }

  private static Optional<Named> byName(String name, OpenOptions options) {
    LocalFiles files = LocalFiles.of(options);
    if (NUMBER.matcher(name).find() && firstMemberExists(name, files)) {
      return Optional.of(with(name, options, StoreOpener.FAMILY));
    }
    if (files.exists(LocalPaths.of(name + SPLIT_METADATA))
        && files.exists(LocalPaths.of(name + SPLIT_RAW))) {
      return Optional.of(with(name, options, StoreOpener.SPLIT));
    }
    return files.exists(LocalPaths.of(name + MULTI_SUPERBLOCK))
        ? Optional.of(with(name, options, StoreOpener.MULTI))
        : Optional.empty();
  }

  private static boolean firstMemberExists(String pattern, LocalFiles files) {
    try {
      return files.exists(FamilyStore.memberPath(pattern, 0));
    } catch (InvalidUseException twoNumbers) {
      return false;
    }
  }

  private static Optional<Named> byContent(Path path, OpenOptions options) {
    LocalFiles files = LocalFiles.of(options);
    String name = path.toString();
    if (name.endsWith(SPLIT_METADATA)) {
      String base = name.substring(0, name.length() - SPLIT_METADATA.length());
      return files.exists(LocalPaths.of(base + SPLIT_RAW))
              && isWrittenBy(path, DriverInfo.MULTI, files)
          ? Optional.of(with(base, options, StoreOpener.SPLIT))
          : Optional.empty();
    }
    if (name.endsWith(MULTI_SUPERBLOCK)) {
      String base = name.substring(0, name.length() - MULTI_SUPERBLOCK.length());
      return isWrittenBy(path, DriverInfo.MULTI, files)
          ? Optional.of(with(base, options, StoreOpener.MULTI))
          : Optional.empty();
    }
    return familyOf(path, files).map(pattern -> with(pattern, options, StoreOpener.FAMILY));
  }

  /** Returns the pattern of the family whose first member a file is, if a second member exists. */
  private static Optional<String> familyOf(Path path, LocalFiles files) {
    String file = path.getFileName().toString();
    Matcher digits = FIRST_MEMBER.matcher(file);
    if (!digits.matches() || file.indexOf('%') >= 0) {
      return Optional.empty();
    }
    String pattern = digits.group(1) + "%0" + digits.group(2).length() + "d" + digits.group(3);
    String whole = path.resolveSibling(pattern).toString();
    return files.exists(FamilyStore.memberPath(whole, 1))
            && isWrittenBy(path, DriverInfo.FAMILY, files)
        ? Optional.of(whole)
        : Optional.empty();
  }

  private static Named with(String name, OpenOptions options, String driver) {
    return new Named(name, options.withProperty(StoreOpener.DRIVER, driver));
  }

  /**
   * Returns whether a driver wrote a file, according to its superblock. The information may also be
   * in another member or in an object header; then it suffices that the file ends before the end
   * that its superblock records.
   */
  private static boolean isWrittenBy(Path path, String driver, LocalFiles files) {
    try (FileStore store = files.open(path, FileAccess.READ)) {
      Superblock superblock = SuperblockCodec.readUnchecked(store);
      return Long.compareUnsigned(superblock.endOfFile(), store.size()) > 0
          || driverInfo(store, superblock).filter(info -> info.driver().equals(driver)).isPresent();
    } catch (HyperslabException unreadable) {
      return false; // opening it as a plain file reports the problem
    }
  }

  /** Returns the driver information block to which a superblock of version 0 or 1 refers. */
  static Optional<DriverInfo> driverInfo(ByteStore store, Superblock superblock) {
    long at = superblock.legacy().map(Superblock.Legacy::driverInfoAddress).orElse(-1L);
    long room = store.size() - superblock.baseAddress() - at;
    if (at < 0 || room <= 0) {
      return Optional.empty();
    }
    byte[] block = new byte[(int) Math.min(room, LARGEST_BLOCK_BYTES)];
    store.read(superblock.baseAddress() + at, MemorySegment.ofArray(block));
    return Optional.of(
        DriverInfo.decodeBlock(
            new MetadataReader(superblock.geometry(), "driver information", block, at)));
  }
}
