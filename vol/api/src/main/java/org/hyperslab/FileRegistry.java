package org.hyperslab;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.format.memory.JvmDefects;
import org.hyperslab.vol.Connector;

/**
 * The files that the program has open through the API. Closes those that the program can no longer
 * reach, and when the JVM ends those that may be edited, and warns of them. Holds {@link
 * FileCloser}s only, so that a file can become unreachable.
 *
 * <p>When the JVM ends, every file is flushed at once, so that its data is safe whatever follows.
 * It is closed when the program, whose own shutdown hooks run at the same time, has not used it for
 * a moment. Each file has a thread of its own, and all of them have a limited time: a file that is
 * busy delays neither the others nor, beyond that time, the end of the JVM.
 *
 * <p>Thread rule: any thread.
 */
final class FileRegistry {

  static final FileRegistry OF_PROCESS = new FileRegistry();

  /** How long a file must be unused before it is closed at the end of the JVM. */
  private static final long QUIET_MILLIS = 250;

  private final Set<FileCloser> edited = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean hooked = new AtomicBoolean();
  private volatile boolean ending;

  private FileRegistry() {}

  /** Closes what the program loses; started by the first file. */
  private static final class Lost {
    static final Cleaner CLEANER =
        Cleaner.create(Thread.ofPlatform().daemon().name("hyperslab-lost-files").factory());
  }

  /**
   * Adds an open file.
   *
   * @param file what the program holds as long as it can use the file
   * @param closer closes the file
   */
  void add(OpenFile file, FileCloser closer) {
    JvmDefects.warn();
    closer.watchedBy(Lost.CLEANER.register(file, () -> closeLost(closer)));
    if (closer.holdsData() && Leaks.seconds() > 0) {
      edited.add(closer);
      hook();
    }
  }

  /** Removes a file that is being closed. */
  void remove(FileCloser closer) {
    edited.remove(closer);
  }

  /** Removes the files of a connector that is closed, which closes them. */
  void removeAll(Connector connector) {
    edited.removeIf(closer -> closer.connector() == connector);
  }

  /** Records that the program uses a file, which matters when the JVM ends. */
  void use(FileCloser closer) {
    if (ending) {
      closer.use();
    }
  }

  private void hook() {
    if (!hooked.getAndSet(true)) {
      try {
        Runtime.getRuntime().addShutdownHook(new Thread(this::closeAll, "hyperslab-open-files"));
      } catch (IllegalStateException ending) {
        return; // The first file is opened by a hook of the program, which closes it itself.
      }
    }
  }

  private static void closeLost(FileCloser closer) {
    if (closer.isClosed()) {
      return;
    }
    if (closer.holdsData() && closer.isCollective()) {
      closer.report(
          "became unreachable before it was closed. What was not flushed is lost:"
              + " the ranks of a job close a file together, and nothing can do so for them.");
      closer.abandon();
      return;
    }
    closer.end("became unreachable before it was closed; it has been closed now.");
  }

  /** Closes the files when the JVM ends; takes a limited time. */
  private void closeAll() {
    ending = true;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Leaks.seconds());
    List<Closing> closings = new ArrayList<>();
    for (FileCloser closer : List.copyOf(edited)) {
      Thread thread = Thread.ofVirtual().name("hyperslab-close").start(() -> closeAtEnd(closer));
      closings.add(new Closing(closer, thread));
    }
    closings.forEach(closing -> closing.await(deadline));
  }

  private record Closing(FileCloser closer, Thread thread) {

    void await(long deadline) {
      try {
        long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        thread.join(left);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        closer.report(
            "was not closed, and could not be closed within "
                + Leaks.seconds()
                + " s when the program ended. Data that was not flushed may be lost.");
      }
    }
  }

  private static void closeAtEnd(FileCloser closer) {
    if (closer.isCollective()) {
      closer.report(
          "was not closed. What was not flushed is lost: the ranks of a job close a"
              + " file together, and nothing can do so for them when the program ends.");
      return;
    }
    try {
      if (closer.flush()) {
        closer.awaitUnused(QUIET_MILLIS);
      }
    } catch (RuntimeException failure) {
      // Closing fails for the same reason, and is reported.
    }
    closer.end("was not closed; it was closed, and its data saved, when the program ended.");
  }
}
