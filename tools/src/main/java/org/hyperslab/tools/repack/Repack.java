package org.hyperslab.tools.repack;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectToken;

/**
 * Writes a file anew: first all objects and links, then all elements and attributes, so that
 * references can be made to lead to the copies of what they lead to.
 *
 * <p>Links that lead to an object already copied become hard links to its copy. A dataset whose
 * filters are not at hand has its chunks copied as stored.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Repack {

  private final H5File source;
  private final H5File target;
  private final RepackPlan plan;
  private final RepackProgress progress;

  /** The copies' paths, by the originals' tokens, in the order of copying. */
  private final Map<Long, String> copies = new LinkedHashMap<>();

  private final Map<Long, Long> newTokens = new HashMap<>();
  private final Map<Long, CommittedType> unlinkedTypes = new HashMap<>();
  private long totalBytes;

  /** Hears what is being copied. */
  @FunctionalInterface
  public interface RepackProgress {
    /** So many bytes of elements are copied, of all. */
    void copied(String path, long doneBytes, long totalBytes);
  }

  /**
   * A repacking that is about to start.
   *
   * @param source an open file
   * @param target a new file
   */
  public Repack(H5File source, H5File target, RepackPlan plan, RepackProgress progress) {
    this.source = source;
    this.target = target;
    this.plan = plan;
    this.progress = progress;
  }

  /** Copies everything. */
  public void run() {
    long root = source.root().token().address();
    copies.put(root, "/");
    newTokens.put(root, target.root().token().address());
    copyLinks(source.root(), target.root(), "/");
    long done = 0;
    for (Map.Entry<Long, String> copy : copies.entrySet()) {
      done += copyContent(copy.getKey(), copy.getValue(), done);
    }
    unlinkedTypes.values().forEach(H5Object::close);
  }

  // --- objects and links ---

  private void copyLinks(Group from, Group to, String path) {
    boolean ordered = from.groupInfo().options().creationOrderTracked();
    IterationIndex index = ordered ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    List<Link> links = from.links(index, false).toList();
    for (Link link : links) {
      copyLink(from, to, path, link);
    }
  }

  private void copyLink(Group from, Group to, String path, Link link) {
    String name = link.name();
    LinkOptions options = new LinkOptions(false, link.info().charset());
    switch (link.kind()) {
      case SOFT -> to.createSoftLink(name, link.targetPath().orElseThrow(), options);
      case EXTERNAL ->
          to.createExternalLink(
              name, link.targetFile().orElseThrow(), link.targetPath().orElseThrow());
      case USER_DEFINED -> to.createUserDefinedLink(name, link.info().userClass(), link.userData());
      case HARD -> copyObject(from, to, path, name, options);
    }
  }

  private void copyObject(Group from, Group to, String path, String name, LinkOptions options) {
    String full = path.endsWith("/") ? path + name : path + "/" + name;
    try (H5Object object = from.get(name)) {
      long token = object.token().address();
      String present = copies.get(token);
      if (present != null) {
        to.createHardLink(name, present);
        return;
      }
      copies.put(token, full);
      switch (object) {
        case Group group -> {
          try (Group copy = to.createGroup(name, group.groupInfo().options(), options)) {
            newTokens.put(token, copy.token().address());
            copyLinks(group, copy, full);
          }
        }
        case CommittedType type -> {
          CommittedType early = unlinkedTypes.remove(token);
          if (early != null) {
            to.createHardLink(name, early);
            early.close();
          } else {
            try (CommittedType copy = to.commit(name, type.datatype(), options)) {
              newTokens.put(token, copy.token().address());
            }
          }
        }
        case Dataset dataset -> {
          try (Dataset copy = createDataset(dataset, to, full, name, options)) {
            newTokens.put(token, copy.token().address());
          }
        }
      }
    }
  }

  private Dataset createDataset(
      Dataset dataset, Group to, String path, String name, LinkOptions link) {
    DatasetInfo info = dataset.datasetInfo();
    totalBytes += info.space().elementCount() * info.type().size();
    DatasetOptions options = plan.options(path, info);
    Optional<CommittedType> shared = info.committedType().map(this::committed);
    return shared.isPresent()
        ? to.createDataset(name, shared.get(), info.space(), options)
        : to.createDataset(name, info.type(), info.space(), options, link);
  }

  /** The copy of a committed type; made now if none of its links has been met yet. */
  private CommittedType committed(ObjectToken token) {
    String path = copies.get(token.address());
    if (path != null) {
      return target.root().committedType(path);
    }
    return unlinkedTypes.computeIfAbsent(
        token.address(),
        _ -> {
          try (H5Object type = source.objectOf(token)) {
            CommittedType copy =
                target.root().commit("", ((CommittedType) type).datatype(), LinkOptions.DEFAULT);
            newTokens.put(token.address(), copy.token().address());
            return copy;
          }
        });
  }

  // --- elements and attributes ---

  private long copyContent(long token, String path, long doneBefore) {
    long bytes = 0;
    try (H5Object from = source.objectOf(new ObjectToken(token));
        H5Object to = target.get(path)) {
      if (from instanceof Dataset dataset && to instanceof Dataset copy) {
        bytes = copyElements(dataset, copy, path, doneBefore);
      }
      copyAttributes(from, to);
      from.comment().ifPresent(to::setComment);
    }
    return bytes;
  }

  private long copyElements(Dataset from, Dataset to, String path, long doneBefore) {
    DatasetInfo info = from.datasetInfo();
    long bytes = info.space().elementCount() * info.type().size();
    if (info.options().layout() instanceof Layout.Virtual
        || info.options().layout() instanceof Layout.External
        || bytes == 0) {
      return bytes;
    }
    try {
      new ElementCopy(from, to, references())
          .run(done -> progress.copied(path, doneBefore + done, totalBytes));
    } catch (UnsupportedFeatureException missing) {
      if (!sameChunks(info, to.datasetInfo())) {
        throw missing;
      }
      copyChunks(from, to);
    }
    progress.copied(path, doneBefore + bytes, totalBytes);
    return bytes;
  }

  private static boolean sameChunks(DatasetInfo from, DatasetInfo to) {
    return from.options().layout() instanceof Layout.Chunked
        && from.options().layout().equals(to.options().layout())
        && from.options().filters().equals(to.options().filters())
        && !from.type().hasOutOfLineParts();
  }

  private static void copyChunks(Dataset from, Dataset to) {
    for (ChunkInfo chunk : (Iterable<ChunkInfo>) from.chunks()::iterator) {
      long[] offset = chunk.offset().stream().mapToLong(Long::longValue).toArray();
      to.writeChunk(from.readChunk(offset), offset);
    }
  }

  private ReferenceMover references() {
    return new ReferenceMover(old -> newTokens.getOrDefault(old, 0L));
  }

  private void copyAttributes(H5Object from, H5Object to) {
    IterationIndex index =
        from.info().creationOrderTracked() ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    List<Attribute> attributes = from.attributes(index, false).toList();
    for (Attribute attribute : attributes) {
      copyAttribute(attribute, to);
    }
  }

  private void copyAttribute(Attribute from, H5Object to) {
    AttributeInfo info = from.info();
    Optional<CommittedType> shared = info.committedType().map(this::committed);
    Attribute copy =
        shared.isPresent()
            ? to.createAttribute(from.name(), shared.get(), info.space())
            : to.createAttribute(from.name(), info.type(), info.space());
    if (info.space().kind() == Dataspace.Kind.NULL) {
      return;
    }
    Datatype memory = info.type().inMemory();
    long count = info.space().elementCount();
    DataBuffer data = DataBuffer.allocate(memory, count);
    from.read(memory, data);
    references().move(memory, data, count);
    copy.write(memory, data);
  }
}
