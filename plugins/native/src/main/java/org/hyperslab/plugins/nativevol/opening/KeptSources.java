package org.hyperslab.plugins.nativevol.opening;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;
import org.hyperslab.plugins.nativevol.virtual.SourceDataset;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;

/**
 * The sources of virtual datasets that stay open between reads, at most {@link #MOST}: those that
 * were used last. They count as openers of their files, so that a file whose only openers are kept
 * sources is one that the program has closed.
 *
 * <p>Thread rule: any thread. Files are closed outside the lock of this class, because opening and
 * closing files takes other locks.
 */
final class KeptSources {

  /** The most sources that stay open; each has a descriptor and some metadata in memory. */
  static final int MOST = Math.clamp(Runtime.getRuntime().maxMemory() >> 18, 64, 512);

  /**
   * Identifies a source.
   *
   * @param places where the file is searched for, which includes the file of the virtual dataset
   */
  record Key(SourcePlaces places, String fileName, String path) {}

  private final Map<Key, Kept> byKey = new LinkedHashMap<>(16, 0.75f, true);
  private volatile boolean empty = true;

  /** A source that stays open, and those who use it now. */
  private final class Kept {
    private final SourceDatasets.Source source;
    private final List<FileObjects> files;
    private int users;
    private boolean dropped;

    Kept(SourceDatasets.Source source, List<FileObjects> files) {
      this.source = source;
      this.files = files;
    }

    SourceDatasets.Source used() {
      users++;
      return new SourceDatasets.Source() {
        @Override
        public SourceDataset dataset() {
          return source.dataset();
        }

        @Override
        public void close() {
          unused(Kept.this);
        }
      };
    }
  }

  boolean isEmpty() {
    return empty;
  }

  synchronized Optional<SourceDatasets.Source> find(Key key) {
    Kept kept = byKey.get(key);
    return kept == null ? Optional.empty() : Optional.of(kept.used());
  }

  /** Keeps a source that was just opened, and returns it for use. */
  SourceDatasets.Source keep(Key key, SourceDatasets.Source source, List<FileObjects> files) {
    List<Kept> surplus = new ArrayList<>();
    SourceDatasets.Source used;
    synchronized (this) {
      Kept made = new Kept(source, files);
      used = made.used();
      Kept other = byKey.put(key, made);
      if (other != null) {
        drop(other, surplus);
      }
      Iterator<Kept> eldest = byKey.values().iterator();
      while (byKey.size() > MOST && eldest.hasNext()) {
        Kept each = eldest.next();
        if (each.users == 0) {
          eldest.remove();
          drop(each, surplus);
        }
      }
      empty = false;
    }
    close(surplus);
    return used;
  }

  private static void drop(Kept kept, List<Kept> surplus) {
    kept.dropped = true;
    if (kept.users == 0) {
      surplus.add(kept);
    }
  }

  private static void close(List<Kept> surplus) {
    surplus.forEach(each -> each.source.close());
  }

  private void unused(Kept kept) {
    boolean last;
    synchronized (this) {
      last = --kept.users == 0 && kept.dropped;
    }
    if (last) {
      kept.source.close();
    }
  }

  /** Closes all that nobody uses. */
  void closeUnused() {
    if (!empty) {
      close(removed(Optional.empty()));
    }
  }

  /** Closes the sources of the virtual datasets of a file. */
  void closeSourcesOf(NativeFile file) {
    close(removed(Optional.of(file)));
  }

  /** Removes the sources of one file's datasets; of all files, those that nobody uses. */
  private synchronized List<Kept> removed(Optional<NativeFile> ofFile) {
    List<Kept> surplus = new ArrayList<>();
    byKey
        .entrySet()
        .removeIf(entry -> {
          boolean goes =
              ofFile.isEmpty()
                  ? entry.getValue().users == 0
                  : entry.getKey().places.file() == ofFile.get();
          if (goes) {
            drop(entry.getValue(), surplus);
          }
          return goes;
        });
    empty = byKey.isEmpty();
    return surplus;
  }

  /** Returns how many of the openers of a file are kept sources. */
  synchronized int openersOf(NativeFile file) {
    int openers = 0;
    for (Kept kept : byKey.values()) {
      for (FileObjects each : kept.files) {
        openers += each.file() == file ? 1 : 0;
      }
    }
    return openers;
  }
}
