package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * An array of bytes divided into member files of equal size, like HDF5's family driver
 * (H5FDfamily.c): byte {@code a} is byte {@code a % memberBytes} of member {@code a / memberBytes}.
 * Members before the last may be shorter than the member size; missing bytes read as zeros.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class FamilyStore implements ByteStore {

  /** Opens the members of a family. */
  @FunctionalInterface
  public interface MemberOpener {
    /**
     * Returns the store of member {@code index}, counted from 0, or null if it does not exist and
     * {@code create} is false.
     *
     * @param index the index, counted from 0
     * @param create whether an absent member is created
     * @return the store
     */
    ByteStore open(int index, boolean create);
  }

  /**
   * The greatest number of members in a confined folder, because each is a file handle of the
   * server process.
   */
  private static final int MAX_CONFINED = 64;

  /**
   * The greatest number of members. Each is an open file, and a corrupt offset must not create a
   * million files.
   */
  private static final int MAX_MEMBERS = 65_536;

  private static final Pattern NUMBER = Pattern.compile("%(0?)(\\d*)d");

  private final String name;
  private final long memberBytes;

  /** The number of members, from the first on, that are known to have their full length. */
  private volatile int fullMembers;

  private final boolean readOnly;
  private final MemberOpener opener;
  private volatile List<ByteStore> members;
  private volatile boolean closed;

  /**
   * Creates a family of the members that {@code opener} returns, from 0 to the first absent one.
   *
   * @param name the name for errors
   * @param memberBytes the size of every member but the last, at least 1
   * @param readOnly whether changes are refused
   * @param opener opens the members
   */
  public FamilyStore(String name, long memberBytes, boolean readOnly, MemberOpener opener) {
    if (memberBytes < 1) {
      throw new InvalidUseException(
          "family member size: actual=" + memberBytes + ", expected=at least 1 byte, at=" + name);
    }
    this.name = name;
    this.memberBytes = memberBytes;
    this.readOnly = readOnly;
    this.opener = opener;
    this.members = present(opener);
  }

  /** Opens the members that there are; closes them again if one cannot be opened. */
  private static List<ByteStore> present(MemberOpener opener) {
    List<ByteStore> found = new ArrayList<>();
    try {
      for (ByteStore next = opener.open(0, false);
          next != null;
          next = opener.open(found.size(), false)) {
        found.add(next);
      }
      return List.copyOf(found);
    } catch (RuntimeException | Error failure) {
      closeAfter(failure, () -> closeAll(found, ByteStore::close));
      throw failure;
    }
  }

  private static void closeAfter(Throwable failure, Runnable close) {
    try {
      close.run();
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  /**
   * Opens the files named by {@code pattern}.
   *
   * @param pattern a path with one {@code %d}, {@code %5d} or {@code %05d} for the member's number
   * @param memberBytes the size of every member but the last; 0 takes the first member's length
   * @param access reading, editing or creating
   * @return the store
   * @throws NotFoundException if there is no first member and {@code access} does not create it
   */
  public static FamilyStore open(String pattern, long memberBytes, FileAccess access) {
    return open(pattern, memberBytes, access, Optional.empty());
  }

  /**
   * Opens the files named by {@code pattern}, which must be below a folder if one is given.
   *
   * @param pattern a path with a printf conversion for the member's number, such as {@code %05d}
   * @param memberBytes the size of every member but the last in bytes; 0 for the first member's
   *     length
   * @param access reading, editing or creating
   * @param within the folder, in which at most {@value #MAX_CONFINED} members are opened; empty if
   *     they may be anywhere
   * @return the store
   * @throws NotFoundException if there is no first member and {@code access} does not create it
   */
  public static FamilyStore open(
      String pattern, long memberBytes, FileAccess access, Optional<ConfinedFolder> within) {
    Path first = memberPath(pattern, 0);
    if (!access.creates() && !exists(first, within)) {
      throw new NotFoundException(
          "family not found: actual=no such file, expected=first member, at=" + first);
    }
    long size = memberBytes;
    if (size == 0) {
      try (FileStore member = openFile(first, FileAccess.READ, within)) {
        size = member.size();
      }
    }
    FileAccess later = access.writable() ? FileAccess.UPDATE : FileAccess.READ;
    FamilyStore family =
        new FamilyStore(
            pattern,
            size,
            !access.writable(),
            (index, create) ->
                openMember(pattern, index, create ? FileAccess.CREATE : later, within));
    if (access == FileAccess.TRUNCATE || access == FileAccess.CREATE_NEW) {
      try {
        family.start(access, first);
      } catch (RuntimeException | Error failure) {
        closeAfter(failure, family::close);
        throw failure;
      }
    }
    return family;
  }

  private void start(FileAccess access, Path first) {
    if (access == FileAccess.CREATE_NEW && !members.isEmpty()) {
      throw new AlreadyExistsException(
          "file exists: actual=existing file, expected=none, at=" + first);
    }
    truncate(0);
  }

  private static ByteStore openMember(
      String pattern, int index, FileAccess access, Optional<ConfinedFolder> within) {
    Path path = memberPath(pattern, index);
    if (!access.creates() && !exists(path, within)) {
      return null;
    }
    if (within.isPresent() && index >= MAX_CONFINED) {
      throw new StorageException(
          "family members: actual=more than "
              + MAX_CONFINED
              + ", expected=at most that for a client; choose a larger member size");
    }
    return openFile(path, access, within);
  }

  private static boolean exists(Path path, Optional<ConfinedFolder> within) {
    return within.map(folder -> folder.exists(path)).orElseGet(() -> Files.exists(path));
  }

  private static FileStore openFile(Path path, FileAccess access, Optional<ConfinedFolder> within) {
    return FileStore.open(path, access, FileLocking.NONE, within);
  }

  /**
   * {@return the path of a member of the family, with its index in place of the pattern's number}
   *
   * @param pattern a path with one {@code %d}, {@code %5d} or {@code %05d}
   * @param index the index, counted from 0
   * @throws InvalidUseException if it has no conversion
   */
  public static Path memberPath(String pattern, int index) {
    Matcher number = NUMBER.matcher(pattern);
    if (!number.find() || number.group(2).length() > 2) {
      throw new InvalidUseException(
          "family name: actual="
              + pattern
              + ", expected=a path with %d or %05d where the member's number goes");
    }
    String digits = Integer.toString(index);
    int width = number.group(2).isEmpty() ? 0 : Integer.parseInt(number.group(2));
    String fill = number.group(1).isEmpty() ? " " : "0";
    String padded = fill.repeat(Math.max(0, width - digits.length())) + digits;
    return Path.of(pattern.substring(0, number.start()) + padded + pattern.substring(number.end()));
  }

  /** {@return the size in bytes of every member but the last} */
  public long memberBytes() {
    return memberBytes;
  }

  /** Returns the number of members. */
  int memberCount() {
    return members.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  @Override
  public long size() {
    checkOpen("size");
    List<ByteStore> current = members;
    for (int i = current.size() - 1; i >= 0; i--) {
      long used = current.get(i).size();
      if (used > 0) {
        return Math.addExact(Math.multiplyExact(i, memberBytes), Math.min(used, memberBytes));
      }
    }
    return 0;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkOpen("read");
    long length = target.byteSize();
    Ranges.checkRead(name, offset, length, size());
    List<ByteStore> current = members;
    for (long done = 0; done < length; ) {
      long within = (offset + done) % memberBytes;
      long part = Math.min(length - done, memberBytes - within);
      ByteStore member = current.get(Math.toIntExact((offset + done) / memberBytes));
      long present = Math.clamp(member.size() - within, 0, part);
      if (present > 0) {
        member.read(within, target.asSlice(done, present));
      }
      target.asSlice(done + present, part - present).fill((byte) 0);
      done += part;
    }
  }

  @Override
  public void write(long offset, MemorySegment source) {
    checkWritable("write");
    long length = source.byteSize();
    Ranges.checkWrite(name, offset, length);
    if (length == 0) {
      return;
    }
    List<ByteStore> current = membersUpTo(offset + length - 1);
    int last = Math.toIntExact((offset + length - 1) / memberBytes);
    if (last > fullMembers) {
      fillBefore(last);
    }
    for (long done = 0; done < length; ) {
      long within = (offset + done) % memberBytes;
      long part = Math.min(length - done, memberBytes - within);
      ByteStore member = current.get(Math.toIntExact((offset + done) / memberBytes));
      member.write(within, source.asSlice(done, part));
      done += part;
    }
  }

  /** Returns the members up to the one that contains byte {@code last}, creating missing ones. */
  private List<ByteStore> membersUpTo(long last) {
    long needed = last / memberBytes + 1;
    if (needed <= members.size()) {
      return members;
    }
    synchronized (this) {
      if (needed > MAX_MEMBERS) {
        throw new StorageException(
            "too many family members: actual="
                + needed
                + ", expected=at most "
                + MAX_MEMBERS
                + ", at="
                + name
                + "; choose a larger member size");
      }
      List<ByteStore> grown = new ArrayList<>(members);
      try {
        while (grown.size() < needed) {
          grown.add(opener.open(grown.size(), true));
        }
      } finally {
        members = List.copyOf(grown); // also those before a failure, which are closed later
      }
      return members;
    }
  }

  /**
   * Extends the members before one to their full length, because the C library uses the length of
   * the first member as the member size.
   */
  private synchronized void fillBefore(int index) {
    for (int i = fullMembers; i < index; i++) {
      ByteStore member = members.get(i);
      if (member.size() < memberBytes) {
        member.truncate(memberBytes);
      }
      fullMembers = i + 1;
    }
  }

  @Override
  public synchronized void truncate(long sizeBytes) {
    checkWritable("truncate");
    Ranges.checkSize(name, sizeBytes);
    if (sizeBytes == 0) {
      fullMembers = 0;
      members.forEach(member -> member.truncate(0));
      return;
    }
    List<ByteStore> current = membersUpTo(sizeBytes - 1);
    int last = Math.toIntExact((sizeBytes - 1) / memberBytes);
    for (int i = current.size() - 1; i > last; i--) {
      current.get(i).truncate(0);
    }
    fullMembers = Math.min(fullMembers, last);
    fillBefore(last);
    current.get(last).truncate(sizeBytes - last * memberBytes);
  }

  @Override
  public void preallocate(long offset, long length) {
    checkWritable("preallocate");
    Ranges.checkReserve(name, offset, length);
  }

  @Override
  public void force(boolean withMetadata) {
    checkOpen("force");
    members.forEach(member -> member.force(withMetadata));
  }

  private void checkWritable(String operation) {
    checkOpen(operation);
    if (readOnly) {
      throw Ranges.readOnly(name, operation);
    }
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw Ranges.closed(name, operation);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeAll(members, ByteStore::close);
  }

  /** Applies {@code action} to all members, then throws the first failure. */
  static void closeAll(List<ByteStore> stores, Consumer<ByteStore> action) {
    RuntimeException first = null;
    for (ByteStore store : stores) {
      try {
        action.accept(store);
      } catch (RuntimeException failure) {
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  @Override
  public String toString() {
    return "FamilyStore[" + name + ", " + memberBytes + " bytes each]";
  }
}
