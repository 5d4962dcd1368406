package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;

/**
 * The marker in a part: an attribute of the root group with the number of the mark whose metadata
 * the part has. It is set for the flush that stores that metadata and removed after it, so it is on
 * storage only, and programs do not see it. The last flush stores none.
 *
 * <p>Thread rule: no state; the caller lets no other edit pass between the steps of a flush.
 */
final class LogMarker {

  private static final String NAME = ".hyperslab.log";

  private static final AttributeOperation.Spec SPEC =
      new AttributeOperation.Spec(
          Datatypes.I64LE, Optional.empty(), Dataspace.scalar(), CharacterSet.ASCII);

  private static final ValueLayout.OfLong LITTLE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private LogMarker() {}

  /** Flushes a part with a marker. */
  static void flush(Connector below, Handle file, long mark) {
    MemorySegment value = MemorySegment.ofArray(new byte[Long.BYTES]);
    value.set(LITTLE, 0, mark);
    Location root = Location.of(file);
    done(
        below,
        new AttributeOperation.Set(
            root,
            NAME,
            SPEC,
            true,
            new AttributeOperation.Content(Datatypes.I64LE, DataBuffer.of(value))));
    try {
      done(below, new FileOperation.Flush(file));
    } finally {
      done(below, new AttributeOperation.Delete(root, NAME));
    }
  }

  /** {@return the marker of a part; 0 if it has none} */
  static long of(Connector below, Handle file) {
    Location root = Location.of(file);
    if (!done(below, new AttributeOperation.Exists(root, NAME))) {
      return 0;
    }
    MemorySegment value = MemorySegment.ofArray(new byte[Long.BYTES]);
    done(below, new AttributeOperation.Read(root, NAME, Datatypes.I64LE, DataBuffer.of(value)));
    return value.get(LITTLE, 0);
  }

  /** Removes the marker of a part, if it has one; the next flush stores none. */
  static void remove(Connector below, Handle file) {
    Location root = Location.of(file);
    if (done(below, new AttributeOperation.Exists(root, NAME))) {
      done(below, new AttributeOperation.Delete(root, NAME));
    }
  }
}
