package org.hyperslab.mpiio.comm;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Caches facts about a communicator that do not change while it is open, and resources for it. */
final class CommunicatorCache implements AutoCloseable {

  private final Map<Class<?>, Object> values = new HashMap<>();

  /** The open caches of all communicators that are derived, at any distance, from one. */
  private final Set<CommunicatorCache> family;

  CommunicatorCache() {
    this(ConcurrentHashMap.newKeySet());
  }

  private CommunicatorCache(Set<CommunicatorCache> family) {
    this.family = family;
    family.add(this);
  }

  /** Returns the cache of a communicator that is derived from this one. */
  CommunicatorCache derive() {
    return new CommunicatorCache(family);
  }

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
    family.remove(this);
    for (Object value : values.values()) {
      if (value instanceof AutoCloseable resource) {
        close(resource);
      }
    }
  }

  /** Closes the open caches of the family. */
  void closeAll() {
    family.forEach(cache -> cache.close());
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
