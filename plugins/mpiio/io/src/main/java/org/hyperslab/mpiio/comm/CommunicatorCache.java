package org.hyperslab.mpiio.comm;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Caches facts about a communicator that do not change while it is open, and resources for it. */
final class CommunicatorCache implements AutoCloseable {

  private final Map<Class<?>, Object> values = new HashMap<>();

  <T> T get(Class<T> kind, Supplier<T> find) {
    Object known = values.get(kind);
    if (known == null) {
      known = find.get();
      values.put(kind, known);
    }
    return kind.cast(known);
  }

  /** Closes what can be closed; facts are kept. */
  @Override
  public void close() {
    for (Object value : values.values()) {
      if (value instanceof AutoCloseable resource) {
        close(resource);
      }
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
}
