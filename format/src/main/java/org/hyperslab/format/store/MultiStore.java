package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;

/**
 * Combines several stores into one address range, in which each has its own start address, like
 * HDF5's multi and split drivers (H5FDmulti.c). A byte belongs to the member with the greatest
 * start that is not above its address, at offset (address - start).
 *
 * <p>Addresses are <em>unsigned</em>: the split driver starts raw data at 2^63-1, so that nearly
 * all raw data has addresses that are negative as a Java long. {@link #size} is the unsigned end,
 * too; compare with {@link Long#compareUnsigned}.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class MultiStore implements ByteStore {

  /** The address at which the split driver starts raw data: half the largest address. */
  public static final long SPLIT_RAW_START = Long.MAX_VALUE;

  /**
   * A file that holds a part of the address space.
   *
   * @param startAddress its first address, unsigned
   * @param store its bytes
   */
  public record Member(long startAddress, ByteStore store) {}

  private final String name;
  private final List<Member> members;
  private volatile boolean closed;

  /**
   * Creates a store over {@code members}, of which one must start at 0 and no two at the same
   * address.
   *
   * @param name the name for errors
   * @param members the members, in any order
   */
  public MultiStore(String name, List<Member> members) {
    this.name = name;
    this.members =
        members.stream()
            .sorted(Comparator.comparing(Member::startAddress, Long::compareUnsigned))
            .toList();
    if (this.members.isEmpty() || this.members.getFirst().startAddress() != 0) {
      throw new InvalidUseException(
          "multi-file members: actual=" + members + ", expected=one that starts at 0, at=" + name);
    }
    for (int i = 1; i < this.members.size(); i++) {
      if (this.members.get(i).startAddress() == this.members.get(i - 1).startAddress()) {
        throw new InvalidUseException(
            "multi-file members: actual=two start at "
                + Long.toUnsignedString(this.members.get(i).startAddress())
                + ", expected=different starts, at="
                + name);
      }
    }
  }

  /**
   * {@return a store with metadata in one member and raw data in another, like HDF5's split driver}
   *
   * @param name the name for errors
   * @param metadata the store of metadata
   * @param raw the store of raw data
   */
  public static MultiStore split(String name, ByteStore metadata, ByteStore raw) {
    return new MultiStore(name, List.of(new Member(0, metadata), new Member(SPLIT_RAW_START, raw)));
  }

  /** {@return the members in the order of their addresses} */
  public List<Member> members() {
    return members;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean readOnly() {
    return members.stream().anyMatch(member -> member.store().readOnly());
  }

  /** Returns the unsigned end of the last member that is not empty. */
  @Override
  public long size() {
    checkOpen("size");
    for (Member member : members.reversed()) {
      long used = member.store().size();
      if (used > 0) {
        return member.startAddress() + used;
      }
    }
    return 0;
  }

  @Override
  public void read(long address, MemorySegment target) {
    checkOpen("read");
    checkRange("read", address, target.byteSize());
    long end = size();
    if (Long.compareUnsigned(address + target.byteSize(), end) > 0) {
      throw new StorageException(
          "read past the end: actual="
              + Long.toUnsignedString(address)
              + "+"
              + target.byteSize()
              + " bytes, expected=at most "
              + Long.toUnsignedString(end)
              + ", at="
              + name);
    }
    transfer(address, target, MultiStore::readOrZero);
  }

  private static void readOrZero(ByteStore store, long offset, MemorySegment target) {
    long length = target.byteSize();
    long present = offset < 0 ? 0 : Math.clamp(store.size() - offset, 0, length);
    if (present > 0) {
      store.read(offset, target.asSlice(0, present));
    }
    target.asSlice(present).fill((byte) 0);
  }

  @Override
  public void write(long address, MemorySegment source) {
    checkOpen("write");
    checkRange("write", address, source.byteSize());
    transfer(address, source, ByteStore::write);
  }

  /** A transfer of part of a segment to or from one member. */
  private interface Part {
    void move(ByteStore store, long offset, MemorySegment segment);
  }

  private void transfer(long address, MemorySegment segment, Part part) {
    long length = segment.byteSize();
    for (long done = 0; done < length; ) {
      int index = memberAt(address + done);
      Member member = members.get(index);
      long within = address + done - member.startAddress();
      long piece = length - done;
      if (index + 1 < members.size()) {
        long room = members.get(index + 1).startAddress() - (address + done);
        piece = Long.compareUnsigned(room, piece) < 0 ? room : piece;
      }
      part.move(member.store(), within, segment.asSlice(done, piece));
      done += piece;
    }
  }

  private int memberAt(long address) {
    int index = members.size() - 1;
    while (Long.compareUnsigned(members.get(index).startAddress(), address) > 0) {
      index--;
    }
    return index;
  }

  private void checkRange(String operation, long address, long length) {
    if (Long.compareUnsigned(address + length, address) < 0) {
      throw new StorageException(
          operation
              + " outside the address range: actual="
              + Long.toUnsignedString(address)
              + "+"
              + length
              + " bytes, expected=below 2^64, at="
              + name);
    }
  }

  /**
   * Sets the unsigned end: members beyond it are emptied, the one that contains it is truncated.
   */
  @Override
  public void truncate(long endAddress) {
    checkOpen("truncate");
    int last = endAddress == 0 ? 0 : memberAt(endAddress - 1);
    for (int i = members.size() - 1; i > last; i--) {
      members.get(i).store().truncate(0);
    }
    members.get(last).store().truncate(endAddress - members.get(last).startAddress());
  }

  @Override
  public void force(boolean withMetadata) {
    checkOpen("force");
    members.forEach(member -> member.store().force(withMetadata));
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw Ranges.closed(name, operation);
    }
  }

  @Override
  public void close() {
    closed = true;
    FamilyStore.closeAll(members.stream().map(Member::store).toList(), ByteStore::close);
  }

  @Override
  public String toString() {
    return "MultiStore" + members;
  }
}
