package org.hyperslab.mpiio.comm;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Caches facts about a communicator that do not change while it is open. */
final class CommunicatorCache {

  private final Map<Class<?>, Object> values = new HashMap<>();

  <T> T get(Class<T> kind, Supplier<T> find) {
    Object known = values.get(kind);
    if (known == null) {
      known = find.get();
      values.put(kind, known);
    }
    return kind.cast(known);
  }
}
