package org.hyperslab.plugins.nativevol.copy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.header.CommentMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.TypeOperation;

/**
 * Copies an object with everything below it, within a file or to another one. An object with
 * several links is copied once, so that the copy has the same structure as the original; groups may
 * contain themselves. The walk is not recursive.
 *
 * <p>Thread rule: one copy at a time in a connector; under the write lock of the destination and
 * the read lock of the source, with no pending changes in the source's chunk caches.
 */
public final class ObjectCopy {

  /** Finds the targets of external links; an opened file stays open until the copy is complete. */
  @FunctionalInterface
  public interface ExternalTargets {
    /**
     * {@return the object, if the file and the object exist}
     *
     * @param from the file that holds the link
     * @param link the link
     */
    Optional<Found> find(FileObjects from, LinkMessage.External link);
  }

  /**
   * An object of a file.
   *
   * @param objects the file
   * @param address the address of its header
   */
  public record Found(FileObjects objects, long address) {}

  private record Job(Found source, long copy, int depth) {}

  /** The name of a copy that only references point to; the address of its header follows. */
  private static final String REFERENCED = "~obj_pointed_by_";

  private final FileObjects target;
  private final CopyOptions options;
  private final ExternalTargets external;
  private final Map<Found, Long> copies = new HashMap<>();
  private final Deque<Job> jobs = new ArrayDeque<>();

  /** The copies without a link. Their headers have a reference count of 1, for the first link. */
  private final Set<Long> unlinked = new HashSet<>();

  /** The copies of what references from another file point to, in the order in which they began. */
  private final Set<Long> referenced = new LinkedHashSet<>();

  private Map<Datatype, Long> committedTypes;

  /**
   * Creates a copy into a file.
   *
   * @param target the file to copy into
   * @param options the copy options
   * @param external opens the files that external links name
   */
  public ObjectCopy(FileObjects target, CopyOptions options, ExternalTargets external) {
    this.target = target;
    this.options = options;
    this.external = external;
  }

  /**
   * Copies an object under a name that is not in use in a group of the destination.
   *
   * @param source the object to copy
   * @param group the address of the group's header
   * @param name the name
   * @param encoding the character set of the link's name
   */
  public void copy(Found source, long group, String name, TextEncoding encoding) {
    long root = begin(source, 0);
    while (!jobs.isEmpty()) {
      fill(jobs.removeFirst());
    }
    link(group, name, encoding, root);
    referenced.stream().filter(unlinked::contains).toList().forEach(this::linkInRoot);
    for (long address : unlinked) {
      ObjectHeader header = target.headers().open(address);
      if (target.headers().kind(header) == ObjectKind.COMMITTED_TYPE
          && header.referenceCount() > 1) {
        header.setReferenceCount(header.referenceCount() - 1);
      }
    }
  }

  /**
   * Links a copy that only references point to in the root group, under the name that the HDF5
   * library gives it. Without a link, a program that copies the file would lose it.
   */
  private void linkInRoot(long copy) {
    StringBuilder name = new StringBuilder(REFERENCED).append(copy);
    while (target.groups().find(target.root(), name.toString()).isPresent()) {
      name.append('_');
    }
    link(target.root(), name.toString(), TextEncoding.ASCII, copy);
  }

  private void link(long group, String name, TextEncoding encoding, long copy) {
    if (unlinked.remove(copy)) {
      target.links().createFirst(group, name, encoding, copy);
    } else {
      target.links().createHard(group, name, encoding, copy);
    }
  }

  /**
   * Creates the copy of an object, without content, and returns its address; the content is copied
   * later.
   */
  private long begin(Found source, int depth) {
    Long known = copies.get(source);
    if (known != null) {
      return known;
    }
    ObjectHeader header = source.objects.headers().open(source.address);
    ObjectKind kind = source.objects.headers().kind(header);
    long made =
        switch (kind) {
          case GROUP -> {
            GroupInfo group = source.objects.groups().info(source.address);
            yield target.groups().create(group.options());
          }
          case DATASET -> dataset(source);
          case COMMITTED_TYPE -> committedType(source);
        };
    copies.put(source, made);
    if (kind != ObjectKind.COMMITTED_TYPE || !isMerged(made)) {
      unlinked.add(made);
      jobs.add(new Job(source, made, depth));
    }
    return made;
  }

  private boolean isMerged(long made) {
    return committedTypes != null && committedTypes.containsValue(made);
  }

  private long dataset(Found source) {
    DatasetInfo info = source.objects.datasets().at(source.address).info(false);
    OptionalLong committed =
        info.committedType().isPresent()
            ? OptionalLong.of(sharedType(source.objects, info.committedType().get().address()))
            : OptionalLong.empty();
    return target
        .newObjects()
        .copyOf(
            source.objects.datasets().at(source.address).description(), committed, info.options());
  }

  /**
   * Returns the committed type that the copy shares: a copy of the type, even within one file,
   * unless types are to be merged.
   */
  private long sharedType(FileObjects from, long address) {
    return begin(new Found(from, address), 0);
  }

  private long committedType(Found source) {
    TypeOperation.Spec type = source.objects.newObjects().committedSpecAt(source.address);
    if (options.mergeCommittedTypes()) {
      Long equal = committedTypes().get(target.newObjects().committedForm(type.datatype()));
      if (equal != null) {
        return equal;
      }
    }
    return target.newObjects().committedType(type);
  }

  /** Returns the committed types of the destination, by type. */
  private Map<Datatype, Long> committedTypes() {
    if (committedTypes == null) {
      committedTypes = new HashMap<>();
      target
          .descriptions()
          .forEachObject((address, kind) -> {
            if (kind == ObjectKind.COMMITTED_TYPE) {
              committedTypes.putIfAbsent(target.newObjects().committedTypeAt(address), address);
            }
          });
    }
    return committedTypes;
  }

  private void fill(Job job) {
    Found source = job.source;
    ObjectHeader header = source.objects.headers().open(source.address);
    switch (source.objects.headers().kind(header)) {
      case GROUP -> links(job);
      case DATASET ->
          new DatasetCopy(
                  source.objects.datasets().at(source.address),
                  target.datasets().at(job.copy),
                  tokens(source.objects))
              .run();
      case COMMITTED_TYPE -> {}
    }
    header
        .find(MessageType.COMMENT, CommentMessage.class)
        .ifPresent(comment -> target.descriptions().comment(job.copy, Optional.of(comment.text())));
    if (!options.withoutAttributes()) {
      attributes(job);
    }
    if (!target.headers().references().isOpen(job.copy)) {
      target.datasets().close(job.copy);
    }
  }

  private void links(Job job) {
    if (options.shallow() && job.depth > 0) {
      return;
    }
    FileObjects from = job.source.objects;
    boolean tracked = from.groups().info(job.source.address).options().creationOrderTracked();
    IterationIndex index = tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    PageRequest all = new PageRequest(index, false, 0, Integer.MAX_VALUE);
    List<LinkMessage> links = from.groups().list(job.source.address, all);
    for (LinkMessage link : links) {
      Optional<Found> object = object(job.source, link);
      if (object.isPresent()) {
        long copy = begin(object.get(), job.depth + 1);
        link(job.copy, link.name(), link.encoding(), copy);
      } else {
        target.links().create(job.copy, link.name(), link.encoding(), link.target());
      }
    }
  }

  /** Returns the object to copy for a link; empty if the link itself is copied. */
  private Optional<Found> object(Found group, LinkMessage link) {
    return switch (link.target()) {
      case LinkMessage.Hard hard -> Optional.of(new Found(group.objects, hard.headerAddress()));
      case LinkMessage.Soft soft ->
          options.expandSoftLinks() ? follow(group, soft.path()) : Optional.empty();
      case LinkMessage.External there ->
          options.expandExternalLinks() ? external.find(group.objects, there) : Optional.empty();
      case LinkMessage.UserDefined _ -> Optional.empty();
    };
  }

  private static Optional<Found> follow(Found group, String path) {
    try {
      return group.objects.paths().object(group.address, path, 0)
              instanceof PathResult.Reached(long address)
          ? Optional.of(new Found(group.objects, address))
          : Optional.empty();
    } catch (HyperslabException dangling) {
      return Optional.empty();
    }
  }

  /** Returns the mapping from object references among a dataset's elements to those of the copy. */
  private LongUnaryOperator tokens(FileObjects from) {
    return from == target ? LongUnaryOperator.identity() : outsideTokens(from);
  }

  /**
   * Returns the mapping from object references in an attribute to those of the copy. Unless
   * references are expanded, an element that is a reference becomes undefined in the copy, even
   * within one file; within one file, references that are parts of elements stay.
   */
  private LongUnaryOperator tokens(FileObjects from, Datatype type) {
    return type instanceof ReferenceType ? outsideTokens(from) : tokens(from);
  }

  private long referenced(Found source) {
    long copy = begin(source, 0);
    referenced.add(copy);
    return copy;
  }

  private LongUnaryOperator outsideTokens(FileObjects from) {
    return token -> options.expandReferences() ? referenced(new Found(from, token)) : 0;
  }

  private void attributes(Job job) {
    FileObjects from = job.source.objects;
    long address = job.source.address;
    boolean tracked = from.headers().open(address).tracksAttributeOrder();
    IterationIndex index = tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    PageRequest all = new PageRequest(index, false, 0, Integer.MAX_VALUE);
    for (AttributeInfo attribute : from.attributes().list(address, all, false)) {
      OptionalLong committed =
          attribute.committedType().isPresent()
              ? OptionalLong.of(sharedType(from, attribute.committedType().get().address()))
              : OptionalLong.empty();
      target
          .attributes()
          .create(
              job.copy,
              new Attributes.Spec(
                  attribute.name(),
                  attribute.charset(),
                  attribute.type(),
                  committed,
                  attribute.space()));
      Datatype memoryType = attribute.type().inMemory();
      long count = attribute.space().elementCount();
      DataBuffer buffer = DataBuffer.allocate(memoryType, count);
      from.attributes().read(address, attribute.name(), memoryType, buffer);
      new ReferenceMapper(memoryType, tokens(from, memoryType)).map(buffer, count);
      target.attributes().write(job.copy, attribute.name(), memoryType, buffer);
    }
  }
}
