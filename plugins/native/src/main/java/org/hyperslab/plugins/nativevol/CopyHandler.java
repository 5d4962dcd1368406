package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.plugins.nativevol.copy.ObjectCopy;
import org.hyperslab.plugins.nativevol.group.Links;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.ExternalFiles;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.vol.ObjectOperation;

/**
 * Carries out copies of objects. A copy holds the locks of two files, as no other operation does,
 * so only one copy runs at a time: otherwise two could wait for each other.
 *
 * <p>Thread rule: any thread.
 */
final class CopyHandler {

  private final Object oneAtATime = new Object();
  private final Locator locator;
  private final FileLoader loader;
  private final ExternalFiles external;

  CopyHandler(Locator locator, FileLoader loader, ExternalFiles external) {
    this.locator = locator;
    this.loader = loader;
    this.external = external;
  }

  /** Copies an object. */
  void copy(ObjectOperation.Copy copy) {
    synchronized (oneAtATime) {
      ObjectCopy.Found source = locator.read(copy.source(), this::retained);
      List<FileObjects> opened = new ArrayList<>();
      opened.add(source.objects());
      try {
        writeWaiting(source.objects());
        locator.editName(
            copy.destination(),
            copy.link().createIntermediate(),
            (objects, place) -> {
              objects.groups().requireAbsent(place.group(), place.name());
              ObjectCopy work =
                  new ObjectCopy(
                      objects, copy.options(), (from, link) -> external(opened, from, link));
              TextEncoding encoding = Links.encoding(place.name(), copy.link().charset());
              underReadLock(
                  source, objects, () -> work.copy(source, place.group(), place.name(), encoding));
              return null;
            });
      } finally {
        opened.forEach(loader::release);
      }
    }
  }

  /**
   * Keeps the file of an object open, which may be open only while an external link is followed.
   */
  private ObjectCopy.Found retained(FileObjects objects, long address) {
    loader.retain(objects);
    return new ObjectCopy.Found(objects, address);
  }

  private static void underReadLock(ObjectCopy.Found source, FileObjects target, Runnable work) {
    if (source.objects() == target) {
      work.run();
      return;
    }
    source
        .objects()
        .file()
        .read(() -> {
          work.run();
          return null;
        });
  }

  /** Writes the pending changes of a file's chunk caches, which requires the write lock. */
  private static void writeWaiting(FileObjects objects) {
    if (objects.file().writable()) {
      objects
          .file()
          .edit(() -> {
            objects.file().prepareFlush();
            return null;
          });
    }
  }

  private Optional<ObjectCopy.Found> external(
      List<FileObjects> opened, FileObjects from, LinkMessage.External link) {
    try {
      FileObjects there = external.open(from.file(), link.file(), false);
      opened.add(there);
      PathResult step = there.file().read(() -> there.paths().object(there.root(), link.path(), 0));
      return step instanceof PathResult.Reached(long address)
          ? Optional.of(new ObjectCopy.Found(there, address))
          : Optional.empty();
    } catch (HyperslabException dangling) {
      return Optional.empty();
    }
  }
}
