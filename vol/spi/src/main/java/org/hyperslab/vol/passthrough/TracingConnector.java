package org.hyperslab.vol.passthrough;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.TypeOperation;
import org.hyperslab.vol.passthrough.IoProfile.Figures;
import org.hyperslab.vol.passthrough.IoProfile.ObjectFigures;

/**
 * Measures every operation that it passes on, and prints an I/O profile when it is closed: to
 * standard error, or to the file of the option {@code file}. {@code print=false} keeps it silent;
 * {@link #profile} gives the figures at any time.
 *
 * <p>Thread rule: any thread.
 */
public final class TracingConnector extends PassThroughConnector {

  private static final int REPORTED_OBJECTS = 40;

  private final boolean print;
  private final Optional<Path> reportFile;
  private final Map<Handle, String> names = new ConcurrentHashMap<>();

  /** The first link names of objects created without a link, by their provisional names. */
  private final Map<String, String> linked = new ConcurrentHashMap<>();

  private final Map<String, Figures> kinds = new TreeMap<>();
  private final Map<String, ObjectFigures> objects = new TreeMap<>();
  private final long[] readSizes = new long[IoProfile.SIZE_CLASSES.size()];
  private final long[] writeSizes = new long[IoProfile.SIZE_CLASSES.size()];
  private boolean closed;

  /**
   * Creates a connector that measures the operations passed to another one, and closes it with
   * itself.
   *
   * @param below the connector that operations are passed to
   * @param print whether to report on closing
   * @param reportFile where to report; standard error if empty
   */
  public TracingConnector(Connector below, boolean print, Optional<Path> reportFile) {
    super("tracing", below);
    this.print = print;
    this.reportFile = reportFile;
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    operation.opens().ifPresent(handle -> names.put(handle, nameOf(operation)));
    String object = objectOf(operation);
    long bytes = bytesOf(operation);
    long start = System.nanoTime();
    return TrackedFuture.watch(
        below.submit(operation),
        (result, failure) ->
            count(operation, object, failure != null, bytes, System.nanoTime() - start));
  }

  /** {@return the figures so far, without pending operations} */
  public synchronized IoProfile profile() {
    return new IoProfile(
        kinds,
        objects,
        LongStream.of(readSizes).boxed().toList(),
        LongStream.of(writeSizes).boxed().toList());
  }

  private synchronized void count(
      Operation<?> operation, String submitted, boolean failed, long bytes, long nanos) {
    if (operation instanceof LinkOperation.CreateHard link && !failed) {
      nameByLink(link);
    }
    Figures kind = kinds.getOrDefault(kindOf(operation), Figures.NONE);
    kinds.put(kindOf(operation), kind.plus(failed, bytes, nanos));
    if (operation instanceof DatasetOperation.Multi multi) {
      // The time is divided among the parts: the time that each alone would take is unknown.
      for (DatasetOperation<Void> part : multi.parts()) {
        countFor(part, objectOf(part), failed, bytesOf(part), nanos / multi.parts().size());
      }
    } else {
      countFor(operation, submitted, failed, bytes, nanos);
    }
    if (operation.closes()) {
      names.remove(operation.subject());
      linked.remove(submitted);
    }
  }

  private void countFor(
      Operation<?> operation, String submitted, boolean failed, long bytes, long nanos) {
    String object = linked.getOrDefault(submitted, submitted);
    ObjectFigures of = objects.getOrDefault(object, ObjectFigures.NONE);
    if (isRead(operation)) {
      readSizes[IoProfile.sizeClass(bytes)]++;
      of = new ObjectFigures(of.reads().plus(failed, bytes, nanos), of.writes(), of.others());
    } else if (isWrite(operation)) {
      writeSizes[IoProfile.sizeClass(bytes)]++;
      of = new ObjectFigures(of.reads(), of.writes().plus(failed, bytes, nanos), of.others());
    } else {
      of = new ObjectFigures(of.reads(), of.writes(), of.others().plus(failed, bytes, nanos));
    }
    objects.put(object, of);
  }

  /** Gives an object that was made without a link the name of its first one. */
  private void nameByLink(LinkOperation.CreateHard link) {
    Handle target = link.target().base();
    String old = known(target);
    if (!link.target().isBase() || !old.endsWith(unlinked(target))) {
      return;
    }
    String name = join(link.link());
    names.put(target, name);
    linked.put(old, name);
    ObjectFigures figures = objects.remove(old);
    if (figures != null) {
      objects.put(name, figures);
    }
  }

  private static String unlinked(Handle handle) {
    return ":(no link, handle " + handle.id() + ")";
  }

  /** Returns the kind of an operation, such as {@code Dataset.Write}. */
  static String kindOf(Operation<?> operation) {
    Class<?> type = operation.getClass();
    return type.getEnclosingClass().getSimpleName().replace("Operation", "")
        + "."
        + type.getSimpleName();
  }

  private static boolean isRead(Operation<?> operation) {
    return operation instanceof DatasetOperation.Read
        || operation instanceof AttributeOperation.Read;
  }

  private static boolean isWrite(Operation<?> operation) {
    return operation instanceof DatasetOperation.Write
        || operation instanceof AttributeOperation.Write
        || operation instanceof AttributeOperation.Set;
  }

  private static long bytesOf(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Read o -> bytesOf(o.transfer());
      case DatasetOperation.Write o -> bytesOf(o.transfer());
      case DatasetOperation.Multi o ->
          o.parts().stream().mapToLong(TracingConnector::bytesOf).sum();
      case DatasetOperation.WriteChunk o -> o.chunk().bytes().byteSize();
      case AttributeOperation.Read o -> o.target().elements().byteSize();
      case AttributeOperation.Write o -> o.source().elements().byteSize();
      case AttributeOperation.Set o -> o.content().source().elements().byteSize();
      default -> 0;
    };
  }

  private static long bytesOf(DatasetOperation.Transfer transfer) {
    Dataspace space = transfer.memorySpace();
    if (space.kind() == Dataspace.Kind.NULL) {
      return 0;
    }
    return transfer.memorySelection().elementCount(space.dims()) * transfer.memoryType().size();
  }

  /** Returns the name of the object that an operation opens or creates. */
  private String nameOf(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Open o -> RemoteStores.shown(o.name());
      case FileOperation.Create o -> RemoteStores.shown(o.name());
      case GroupOperation.Create o -> created(o.at(), operation);
      case DatasetOperation.Create o -> created(o.at(), operation);
      case TypeOperation.Commit o -> join(o.at());
      case ObjectOperation.Open o -> join(o.at());
      case ObjectOperation.OpenToken o -> known(o.file()) + ":(object " + o.token().address() + ")";
      default -> objectOf(operation);
    };
  }

  private String created(Location at, Operation<?> operation) {
    return at.isBase() ? fileOf(at.base()) + unlinked(operation.opens().orElseThrow()) : join(at);
  }

  private String fileOf(Handle base) {
    String name = known(base);
    int colon = name.indexOf(":/");
    return colon < 0 ? name : name.substring(0, colon);
  }

  private String objectOf(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Exists o -> o.name();
      case FileOperation.Delete o -> o.name();
      default -> known(operation.opens().orElse(operation.subject()));
    };
  }

  private String join(Location at) {
    String base = known(at.base());
    int colon = base.indexOf(":/");
    String file = colon < 0 ? base : base.substring(0, colon);
    String path = colon < 0 ? "" : base.substring(colon + 1);
    if (at.isBase()) {
      return base;
    }
    return file + ":" + (at.path().startsWith("/") ? "" : path + "/") + at.path();
  }

  private String known(Handle handle) {
    return names.getOrDefault(handle, "(handle " + handle.id() + ")");
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    below.close();
    if (print) {
      print(profile().report(REPORTED_OBJECTS));
    }
  }

  private void print(String report) {
    if (reportFile.isEmpty()) {
      System.err.print(report);
      return;
    }
    try {
      Files.writeString(reportFile.get(), report, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StorageException("I/O profile: actual=" + e + ", at=" + reportFile.get(), e);
    }
  }
}
