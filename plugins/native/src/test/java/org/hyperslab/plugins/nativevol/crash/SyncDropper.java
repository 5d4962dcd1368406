package org.hyperslab.plugins.nativevol.crash;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;

/**
 * A store that omits the syncs of one place in the code. A place is identified by the engine's
 * stack frames.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
final class SyncDropper extends StoreDecorator {

  private static final int LINES = 1;
  private static final String ENGINE = "org.hyperslab.plugins.nativevol.file.";

  private final String dropped;
  private final Set<String> places;

  /**
   * Leaves out the syncs of a place.
   *
   * @param dropped the place; empty for none
   * @param places every place that was met is added
   */
  SyncDropper(ByteStore store, String dropped, Set<String> places) {
    super(store);
    this.dropped = dropped;
    this.places = places;
  }

  /** An empty set of places. */
  static Set<String> places() {
    return new ConcurrentSkipListSet<>();
  }

  private static String place() {
    List<String> lines =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(frame -> frame.getClassName().startsWith(ENGINE))
                    .filter(frame -> !frame.getMethodName().equals("force"))
                    .limit(LINES)
                    .map(frame -> simpleName(frame) + ":" + frame.getLineNumber())
                    .collect(Collectors.toList()));
    return String.join(" < ", lines);
  }

  private static String simpleName(StackWalker.StackFrame frame) {
    String name = frame.getClassName();
    return name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
  }

  @Override
  public void force(boolean withMetadata) {
    String place = place();
    places.add(place);
    if (!place.equals(dropped)) {
      store.force(withMetadata);
    }
  }
}
