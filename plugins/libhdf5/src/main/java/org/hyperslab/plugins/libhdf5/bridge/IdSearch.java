package org.hyperslab.plugins.libhdf5.bridge;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.IdType;

/**
 * Finds libhdf5's identifiers of a file's objects, which only the library knows.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class IdSearch {

  private static final int[] TYPES = {
    IdType.FILE, IdType.DATASET, IdType.GROUP, IdType.DATATYPE, IdType.ATTRIBUTE
  };

  /** {@code H5F_OBJ_LOCAL}: only objects reached through the same identifier of the file. */
  private static final int LOCAL = 32;

  private final Bridge bridge;
  private final List<Long> visited = new ArrayList<>();
  private final long visitor;

  /**
   * Creates a search.
   *
   * @param bridge the bridge
   * @param visitor the C function that has {@link #visit} called
   */
  public IdSearch(Bridge bridge, long visitor) {
    this.bridge = bridge;
    this.visitor = visitor;
  }

  /** Called for each identifier of a type. */
  public void visit(long id) {
    visited.add(id);
  }

  /**
   * Returns the identifiers of a file's objects of some kinds, as bits of {@link IdType#countBit}.
   */
  public synchronized List<Long> of(BridgeObject origin, int kinds) {
    List<Long> found = new ArrayList<>();
    for (int type : TYPES) {
      if ((IdType.countBit(type) & kinds) != 0) {
        visited.clear();
        bridge.hdf5.checked(Hdf5Function.I_ITERATE, type, visitor, 0);
        visited.stream().filter(id -> isOf(origin, kinds, id)).forEach(found::add);
      }
    }
    return found;
  }

  private boolean isOf(BridgeObject origin, int kinds, long id) {
    if (bridge.hdf5.status(Hdf5Function.I_GET_TYPE, id) == IdType.DATATYPE
        && bridge.hdf5.status(Hdf5Function.T_COMMITTED, id) <= 0) {
      return false;
    }
    long pointer = bridge.hdf5.call(Hdf5Function.VL_OBJECT, id);
    return bridge.objects.find(pointer).filter(object -> counts(origin, object, kinds)).isPresent();
  }

  /** Returns whether an object counts among some kinds, of a file or of one identifier of it. */
  public static boolean counts(BridgeObject origin, BridgeObject object, int kinds) {
    return object.file() == origin.file()
        && (bit(object) & kinds) != 0
        && ((kinds & LOCAL) == 0 || object.opening() == origin.opening());
  }

  /** Returns the bit under which an object is counted. */
  static int bit(BridgeObject object) {
    return switch (object) {
      case BridgeObject.OfFile _ -> IdType.countBit(IdType.FILE);
      case BridgeObject.OfObject o -> IdType.countBit(o.type());
      case BridgeObject.OfAttribute _ -> IdType.countBit(IdType.ATTRIBUTE);
      case BridgeObject.OfRequest _ -> 0;
    };
  }
}
