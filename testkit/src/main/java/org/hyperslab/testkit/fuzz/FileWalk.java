package org.hyperslab.testkit.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;

/**
 * Walks a whole file: describes every object, reads every attribute, follows every link and
 * reference, lists chunks, and reads the first and the last elements of every dataset. A typed
 * error does not stop the walk.
 */
public final class FileWalk implements FuzzTarget {

  /** The greatest number of elements read of one dataset or attribute. */
  private static final long MAX_ELEMENTS = 4096;

  /** The greatest number of bytes read of one dataset at once, unless one element is longer. */
  private static final long MAX_BYTES = 1 << 20;

  /** The greatest number of bytes of one element that is read. */
  private static final long LONGEST_ELEMENT_BYTES = 16 << 20;

  private static final int MAX_CHUNKS = 2000;
  private static final int MAX_OBJECTS = 20_000;
  private static final int RAW_CHUNKS = 4;

  private final List<HyperslabException> errors = new ArrayList<>();
  private final Set<ObjectToken> seen = new HashSet<>();
  private final List<ObjectToken> pending = new ArrayList<>();
  private long elements;

  /** Creates a walk. */
  public FileWalk() {}

  @Override
  public void use(Path file) {
    new FileWalk().walk(file, OpenOptions.READ.withThreads(1));
  }

  /**
   * Walks a file once.
   *
   * @param path the file
   * @param options the options for opening it
   * @return this walk, with its errors and counts
   * @throws AssertionError if an error was not typed
   */
  public FileWalk walk(Path path, OpenOptions options) {
    attempt(() -> {
      try (H5File file = Hdf5.open(path, options)) {
        attempt(file::info);
        pending.add(file.root().token());
        while (!pending.isEmpty() && seen.size() < MAX_OBJECTS) {
          ObjectToken token = pending.removeLast();
          if (seen.add(token)) {
            attempt(() -> object(file, token));
          }
        }
      }
      return null;
    });
    return this;
  }

  /** {@return the typed errors, in the order in which they occurred} */
  public List<HyperslabException> errors() {
    return List.copyOf(errors);
  }

  /** {@return the number of objects visited} */
  public int objects() {
    return seen.size();
  }

  /** {@return the number of elements of datasets and attributes read} */
  public long elements() {
    return elements;
  }

  /** Runs an action that may fail with a typed error; returns null if it fails. */
  private <T> T attempt(Supplier<T> action) {
    try {
      return action.get();
    } catch (HyperslabException failure) {
      requireTyped(failure);
      if (errors.size() < MAX_CHUNKS) {
        errors.add(failure);
      }
      return null;
    }
  }

  /**
   * Requires that an error was raised by a check, and not by an unexpected exception.
   *
   * @param failure the error
   * @throws AssertionError if it was not
   */
  public static void requireTyped(HyperslabException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error || cause instanceof InternalErrorException) {
        throw new AssertionError("not a typed error: " + failure, failure);
      }
    }
  }

  private Void object(H5File file, ObjectToken token) {
    try (H5Object object = file.objectOf(token)) {
      attempt(object::info);
      attempt(object::comment);
      attempt(object::storageSizes);
      attempt(() -> {
        object.attributes().forEach(attribute -> attempt(() -> attribute(file, attribute)));
        return null;
      });
      switch (object) {
        case Group group -> group(group);
        case Dataset dataset -> dataset(file, dataset);
        case CommittedType type -> attempt(() -> type.datatype().describe());
      }
    }
    return null;
  }

  private Void attribute(H5File file, Attribute attribute) {
    attribute.info();
    if (readable(attribute.type(), attribute.space())
        && attribute.space().elementCount() * attribute.type().memorySize() <= 16 * MAX_BYTES) {
      follow(file, attribute.read());
    }
    return null;
  }

  private void group(Group group) {
    attempt(group::groupInfo);
    attempt(() -> {
      group.links().limit(MAX_OBJECTS).forEach(link -> attempt(() -> link(group, link)));
      return null;
    });
  }

  private Void link(Group group, Link link) {
    if (link.kind() == LinkKind.HARD) {
      pending.add(link.info().token());
    } else {
      group.resolves(link.name());
    }
    return null;
  }

  private void dataset(H5File file, Dataset dataset) {
    attempt(dataset::datasetInfo);
    attempt(() -> dataset.committedType().map(CommittedType::datatype));
    Dataspace space = attempt(dataset::space);
    Datatype type = attempt(dataset::type);
    if (space == null || type == null) {
      return;
    }
    attempt(() -> type.describe());
    List<ChunkInfo> chunks = attempt(() -> dataset.chunks().limit(MAX_CHUNKS).toList());
    if (chunks != null) {
      chunks.stream().limit(RAW_CHUNKS).forEach(chunk -> attempt(() -> raw(dataset, chunk)));
    }
    if (readable(type, space)) {
      attempt(() -> part(file, dataset, space, false));
      attempt(() -> part(file, dataset, space, true));
    }
  }

  private static boolean readable(Datatype type, Dataspace space) {
    return space.elementCount() > 0
        && type.memorySize() <= LONGEST_ELEMENT_BYTES
        && type.size() <= LONGEST_ELEMENT_BYTES;
  }

  private static Object raw(Dataset dataset, ChunkInfo chunk) {
    if (chunk.storedBytes() <= 16 * MAX_BYTES) {
      return dataset.readChunk(chunk.offset().stream().mapToLong(Long::longValue).toArray());
    }
    return null;
  }

  /** Reads a box at the first or the last corner. */
  private Void part(H5File file, Dataset dataset, Dataspace space, boolean last) {
    long room = Math.clamp(MAX_BYTES / Math.max(1, dataset.type().memorySize()), 1, MAX_ELEMENTS);
    long[] dims = space.dims();
    long[] start = new long[dims.length];
    long[] count = new long[dims.length];
    for (int d = dims.length - 1; d >= 0; d--) {
      count[d] = Math.min(dims[d], Math.max(1, room));
      start[d] = last ? dims[d] - count[d] : 0;
      room /= count[d];
    }
    Selection box = dims.length == 0 ? Selection.all() : Selection.box(start, count);
    follow(file, dataset.read(box, Object.class));
    return null;
  }

  private void follow(H5File file, Object value) {
    elements++;
    switch (value) {
      case Reference reference -> attempt(() -> dereference(file, reference));
      case Object[] many -> {
        for (Object each : many) {
          if (each instanceof Reference || each instanceof Object[]) {
            follow(file, each);
          }
        }
      }
      case null, default -> {}
    }
  }

  private Void dereference(H5File file, Reference reference) {
    try (H5Object object = file.dereference(reference)) {
      pending.add(object.token());
      if (object instanceof Dataset dataset && reference instanceof Reference.ToRegion region) {
        dataset.region(region).shape();
      }
    }
    return null;
  }
}
