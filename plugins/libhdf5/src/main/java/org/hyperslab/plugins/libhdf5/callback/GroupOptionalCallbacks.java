package org.hyperslab.plugins.libhdf5.callback;

import java.time.Instant;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.ObjectOperation;

/**
 * The callbacks for the optional operations on groups: {@code H5Giterate} and {@code
 * H5Gget_objinfo} of HDF5 1.6, which {@code H5VLnative.h} numbers. Their arguments begin with the
 * location to work on:
 *
 * <pre>
 *   0                  40           48           56          64
 *   +------------------+------------+------------+-----------+---------+
 *   | place            | first      | last       | operator  | context |  H5Giterate
 *   |                  | followed   | H5G_stat_t |                      H5Gget_objinfo
 *   +------------------+------------+------------+
 * </pre>
 */
public final class GroupOptionalCallbacks {

  private static final int ITERATE = 0;
  private static final int OBJECT_INFO = 1;
  private static final int PLACE_BYTES = 40;

  /** {@code H5G_LINK} and {@code H5G_UDLINK}, which follow the kinds of objects. */
  private static final int LINK = 3;

  private static final int USER_LINK = 4;

  private final Bridge bridge;
  private final GroupWalker walker;

  public GroupOptionalCallbacks(Bridge bridge, GroupWalker walker) {
    this.bridge = bridge;
    this.walker = walker;
  }

  static boolean has(int operation) {
    return operation == ITERATE || operation == OBJECT_INFO;
  }

  /** Answers the callback {@code group.optional.call} of libhdf5. */
  public long call(long pointer, long args) {
    int operation = RawMemory.getInt(args);
    if (!has(operation)) {
      throw FileCallbacks.unknown("optional operation of a group", operation);
    }
    long a = RawMemory.getLong(args + 8);
    boolean link = operation == OBJECT_INFO && !RawMemory.getBool(a + PLACE_BYTES);
    try (LocationResolver.Place place =
        link ? bridge.locations.link(pointer, a) : bridge.locations.resolve(pointer, a)) {
      if (operation == ITERATE) {
        return walker.names(place, a + PLACE_BYTES);
      }
      describe(place, RawMemory.getBool(a + PLACE_BYTES), RawMemory.getLong(a + PLACE_BYTES + 8));
    }
    return 0;
  }

  /** Stores the {@code H5G_stat_t} of an object, or of the link if it is soft and not followed. */
  private static void describe(LocationResolver.Place place, boolean followed, long out) {
    LinkInfo link = followed || place.at().isBase() ? null : link(place);
    if (link == null || link.kind() == LinkKind.HARD) {
      ObjectInfo info = place.file().call(new ObjectOperation.Describe(place.at()));
      if (out != 0) {
        put(info, out);
      }
    } else if (out != 0) {
      RawMemory.at(out, 80).fill((byte) 0);
      RawMemory.setLong(out, place.file().info().fileNumber());
      RawMemory.setInt(out + 36, link.kind() == LinkKind.SOFT ? LINK : USER_LINK);
      RawMemory.setLong(out + 48, LinkCallbacks.value(link).length);
    }
  }

  /** Returns the link at a location, or null for the root or the group itself, which have none. */
  private static LinkInfo link(LocationResolver.Place place) {
    try {
      return place.file().call(new LinkOperation.Describe(place.at()));
    } catch (NotFoundException missing) {
      throw missing;
    } catch (InvalidUseException noName) {
      return null;
    }
  }

  private static void put(ObjectInfo info, long out) {
    RawMemory.setLong(out, info.fileNumber());
    RawMemory.setLong(out + 8, 0);
    RawMemory.setLong(out + 16, info.token().address());
    RawMemory.setLong(out + 24, 0);
    RawMemory.setInt(out + 32, (int) info.referenceCount());
    RawMemory.setInt(out + 36, info.kind().ordinal());
    RawMemory.setLong(out + 40, info.modified().map(Instant::getEpochSecond).orElse(0L));
    RawMemory.setLong(out + 48, 0);
    RawMemory.setLong(out + 56, info.header().totalBytes());
    RawMemory.setLong(out + 64, info.header().freeBytes());
    RawMemory.setInt(out + 72, info.header().messageCount());
    RawMemory.setInt(out + 76, info.header().chunkCount());
  }
}
