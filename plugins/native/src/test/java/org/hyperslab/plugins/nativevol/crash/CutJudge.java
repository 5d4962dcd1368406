package org.hyperslab.plugins.nativevol.crash;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.ConnectorOver;

/**
 * Says whether what crashes of a recording have left is what was promised: the file must be as the
 * last completed flush left it, or as the next one would have.
 *
 * <p>A file whose bytes, once it is recovered, are those of one that was read wholly at the same
 * flush is not read again.
 *
 * <p>Confined to one thread.
 */
final class CutJudge {

  /** Options with which nothing is looked for beside the store. */
  static final OpenOptions EDIT = OpenOptions.EDIT.withProperty("driver", "sec2");

  private static final int ALSO_FOR_READING = 16;

  private final Recording recording;
  private final Set<Long> good = new HashSet<>();
  private int goodAt = Integer.MIN_VALUE;
  private long opened;
  private long read;

  CutJudge(Recording recording) {
    this.recording = recording;
  }

  /** Returns the number of files that were opened and recovered. */
  long opened() {
    return opened;
  }

  /** Returns the number of files that were read as a whole. */
  long read() {
    return read;
  }

  /** Opens a file for editing, which recovers it, and returns its content. */
  static State state(byte[] image) {
    try (Session session = Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("cut", image)));
        H5File file = session.open("cut", EDIT)) {
      return State.of(file);
    }
  }

  /** The bytes of a file after its recovery. */
  static byte[] recovered(byte[] image) {
    MemoryStore store = MemoryStore.copyOf("cut", image);
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.open("cut", EDIT)) {
      file.flush();
      return store.toByteArray();
    }
  }

  /** A number that differs, all but surely, where bytes differ. */
  static long digest(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue() << 32 | Arrays.hashCode(bytes) & 0xFFFF_FFFFL;
  }

  /**
   * Returns the problem of a file after a crash; null if there is none.
   *
   * @param completed the last completed flush, -1 for none
   */
  String problem(byte[] image, int completed) {
    if (completed != goodAt) {
      good.clear();
      goodAt = completed;
    }
    opened++;
    MemoryStore store = MemoryStore.copyOf("cut", image);
    String edited = problem(store, EDIT, completed);
    if (edited != null || opened % ALSO_FOR_READING != 0) {
      return edited;
    }
    return problem(
        new ReadOnly(MemoryStore.copyOf("cut", image)), EDIT.withWritable(false), completed);
  }

  private static final class ReadOnly extends StoreDecorator {
    ReadOnly(ByteStore store) {
      super(store);
    }

    @Override
    public boolean readOnly() {
      return true;
    }

    @Override
    public void write(long offset, MemorySegment source) {
      throw new AssertionError("written at " + offset + " through a store for reading only");
    }

    @Override
    public void write(long offset, MemorySegment[] sources) {
      throw new AssertionError("written at " + offset + " through a store for reading only");
    }

    @Override
    public void truncate(long sizeBytes) {
      throw new AssertionError("cut to " + sizeBytes + " through a store for reading only");
    }
  }

  private String problem(ByteStore store, OpenOptions options, int completed) {
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.open("cut", options)) {
      long digest = 0;
      if (options.writable()) {
        byte[] bytes = ((MemoryStore) store).toByteArray();
        int size = Math.toIntExact(file.info().sizeBytes());
        digest = digest(bytes.length > size ? Arrays.copyOf(bytes, size) : bytes);
        if (good.contains(digest)) {
          return null;
        }
      }
      read++;
      String problem = problem(State.of(file), recording, completed);
      if (problem == null && options.writable()) {
        good.add(digest);
      }
      return problem;
    } catch (CorruptFileException refused) {
      boolean notYet = completed < 0 && refused.getMessage().contains("signature");
      return notYet ? null : "refused: " + refused;
    } catch (RuntimeException | StackOverflowError failure) {
      return "failed: " + failure;
    }
  }

  /** As the other, of what somebody has read. */
  static String problem(State found, Recording recording, int completed) {
    String last =
        completed < 0
            ? "no flush was completed"
            : recording.flushed().get(completed).state().difference(found);
    if (last == null || completed + 1 == recording.flushed().size()) {
      return last;
    }
    String next = recording.flushed().get(completed + 1).state().difference(found);
    return next == null ? null : "not the last flush: " + last + "; not the next: " + next;
  }
}
