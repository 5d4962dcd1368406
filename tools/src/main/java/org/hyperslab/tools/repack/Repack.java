package org.hyperslab.tools.repack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.ObjectPath;

/**
 * Rewrites a file: first all objects and links, then all elements and attributes, so that
 * references can be changed to refer to the copies of their targets.
 *
 * <p>Further links to an object that has been copied become hard links to its copy. The chunks of a
 * dataset with an unavailable filter are copied as stored. Between files of different connectors,
 * such as from a Zarr store, all elements are read and written. No method is recursive, so groups
 * may be nested to any depth.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Repack {

  /**
   * A copy whose elements and attributes are to be filled in, or a link, which is complete.
   *
   * @param from the original's token; 0 for a link
   * @param asStored whether the elements have been copied already
   */
  private record Step(long from, ObjectPath place, boolean asStored) {}

  /** A group whose links are to be copied. */
  private record Pending(long from, ObjectPath place) {}

  private final H5File source;
  private final H5File target;
  private final RepackPlan plan;

  /** Whether one connector has both files open: only then does it copy objects as stored. */
  private final boolean copiesStored;

  /** The copies of what links lead to: external links are replaced in them, too. */
  private static final CopyOptions MERGED = CopyOptions.builder().expandExternalLinks(true).build();

  private final RepackListener listener;

  /** The copies' tokens, by the originals'. */
  private final Map<Long, Long> newTokens = new HashMap<>();

  private final List<Step> steps = new ArrayList<>();
  private final Deque<Pending> pending = new ArrayDeque<>();

  /** Copies of committed types that are open, by the originals' tokens. */
  private final Map<Long, CommittedType> types = new HashMap<>();

  /** Types that were copied for an object that uses them, before a link to them was found. */
  private final Set<Long> unlinkedTypes = new HashSet<>();

  private long totalBytes;

  /**
   * Prepares a repacking.
   *
   * @param source an open file
   * @param target a new file, created with {@link RepackPlan#creation}
   * @param plan what to change
   * @param listener receives the progress
   */
  public Repack(H5File source, H5File target, RepackPlan plan, RepackListener listener) {
    this.source = source;
    this.target = target;
    this.plan = plan;
    this.copiesStored = source.sharesConnectorWith(target);
    this.listener = listener;
  }

  /** Copies all objects, links and attributes of the source to the target. */
  public void run() {
    requireNamedPaths();
    long root = source.root().token().address();
    newTokens.put(root, target.root().token().address());
    steps.add(new Step(root, ObjectPath.ROOT, false));
    pending.add(new Pending(root, ObjectPath.ROOT));
    while (!pending.isEmpty()) {
      copyLinks(pending.removeLast());
    }
    long done = 0;
    for (Step step : steps) {
      done = saturated(done, step.from == 0 ? finishedLink(step) : copyContent(step, done));
    }
    types.values().forEach(H5Object::close);
  }

  private void requireNamedPaths() {
    for (String path : plan.paths()) {
      if (!source.exists(path)) {
        throw new NotFoundException(
            "filter or layout: actual=" + path + ", expected=an object, at=" + source.name());
      }
    }
  }

  private static long saturated(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private long finishedLink(Step step) {
    if (listener.wantsObjects()) {
      listener.finished(RepackListener.Kind.LINK, step.place.path(), List.of(), 0);
    }
    return 0;
  }

  // --- objects and links ---

  private H5Object copyOf(long token) {
    return target.objectOf(new ObjectToken(newTokens.get(token)));
  }

  private void copyLinks(Pending group) {
    try (H5Object from = source.objectOf(new ObjectToken(group.from));
        H5Object to = copyOf(group.from)) {
      Group origin = (Group) from;
      boolean tracked = origin.groupInfo().options().creationOrderTracked();
      RepackPlan.ObjectRules rules = plan.objects();
      List<Link> links = origin.links(rules.order(tracked), rules.descending()).toList();
      for (Link link : links) {
        copyLink(origin, (Group) to, new ObjectPath(group.place, link.name()), link);
      }
    }
  }

  private void copyLink(Group from, Group to, ObjectPath place, Link link) {
    String name = link.name();
    LinkOptions options = LinkOptions.builder().charset(link.info().charset()).build();
    if (isMergedOrPruned(from, to, place, link)) {
      return;
    }
    switch (link.kind()) {
      case SOFT -> to.createSoftLink(name, link.targetPath().orElseThrow(), options);
      case EXTERNAL ->
          to.createExternalLink(
              name, link.targetFile().orElseThrow(), link.targetPath().orElseThrow());
      case USER_DEFINED -> to.createUserDefinedLink(name, link.info().userClass(), link.userData());
      case HARD -> {
        copyObject(from, to, place, options);
        return;
      }
    }
    if (listener.wantsObjects()) {
      steps.add(new Step(0, place, false));
    }
  }

  /** Replaces a link by a copy of what it leads to, or leaves it out, if the plan wants that. */
  private boolean isMergedOrPruned(Group from, Group to, ObjectPath place, Link link) {
    RepackPlan.LinkRules rules = plan.objects().links();
    if (link.kind() != LinkKind.SOFT && link.kind() != LinkKind.EXTERNAL) {
      return false;
    }
    if (rules.merged() && from.resolves(link.name())) {
      try (H5Object object = from.get(link.name())) {
        object.copyTo(to, link.name(), MERGED);
      }
      return true;
    }
    if (rules.pruned()) {
      listener.pruned(place.path());
    }
    return rules.pruned();
  }

  private void copyObject(Group from, Group to, ObjectPath place, LinkOptions options) {
    String name = place.name();
    try (H5Object object = from.get(name)) {
      long token = object.token().address();
      if (newTokens.containsKey(token) && !unlinkedTypes.contains(token)) {
        try (H5Object copy = copyOf(token)) {
          to.createHardLink(name, copy);
        }
        return;
      }
      switch (object) {
        case Group group -> {
          try (Group copy =
              to.createGroup(name, plan.objects().group(group.groupInfo().options()), options)) {
            made(token, copy, place, false);
          }
          pending.addLast(new Pending(token, place));
        }
        case CommittedType type -> copyType(type, to, place, options);
        case Dataset dataset -> copyDataset(dataset, to, place, options);
      }
    }
  }

  private void made(long token, H5Object copy, ObjectPath place, boolean asStored) {
    newTokens.put(token, copy.token().address());
    steps.add(new Step(token, place, asStored));
  }

  private void copyType(CommittedType type, Group to, ObjectPath place, LinkOptions options) {
    long token = type.token().address();
    if (unlinkedTypes.remove(token)) {
      to.createHardLink(place.name(), types.get(token));
      steps.add(new Step(token, place, false));
      return;
    }
    try (CommittedType copy =
        to.commit(place.name(), type.datatype(), type.attributeStorage(), options)) {
      made(token, copy, place, false);
    }
  }

  private void copyDataset(Dataset dataset, Group to, ObjectPath place, LinkOptions link) {
    DatasetInfo info = dataset.datasetInfo();
    totalBytes = saturated(totalBytes, RepackPlan.bytes(info));
    String path = plan.usesPaths() ? place.path() : "";
    DatasetOptions options = plan.options(path, info);
    Optional<String> missing = copiesStored ? missingFilter(info) : Optional.empty();
    if (missing.isPresent()) {
      requireKeepable(place, info, missing.get());
    }
    if (missing.isPresent() || (copiesStored && isKept(info, options))) {
      copyAsStored(dataset, to, place);
      return;
    }
    Optional<CommittedType> shared =
        plan.objects().nativeTypes() ? Optional.empty() : committed(info.committedType());
    Datatype type = plan.objects().type(info.type());
    Dataspace space = RepackPlan.space(info, options);
    try (Dataset copy =
        shared.isPresent()
            ? to.datasetBuilder(place.name())
                .type(shared.get())
                .space(space)
                .options(options)
                .create()
            : to.datasetBuilder(place.name())
                .type(type)
                .space(space)
                .options(options)
                .link(link)
                .create()) {
      made(dataset.token().address(), copy, place, false);
    }
  }

  /** Returns an unavailable filter of a dataset, if there is one. */
  private static Optional<String> missingFilter(DatasetInfo info) {
    for (FilterSpec filter : info.options().filters()) {
      if (FilterRegistry.standard().find(filter.id()).isEmpty()) {
        return Optional.of("filter " + filter.id() + " (" + filter.name() + ") is not available");
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a filtered dataset is copied unchanged, without recomputing the filters'
   * parameters or decoding chunks.
   */
  private boolean isKept(DatasetInfo info, DatasetOptions options) {
    return options.equals(info.options())
        && !info.options().filters().isEmpty()
        && info.committedType().isEmpty()
        && !info.type().hasOutOfLineParts()
        && !ReferenceMover.concerns(info.type())
        && !plan.objects().nativeTypes();
  }

  private void requireKeepable(ObjectPath place, DatasetInfo info, String reason) {
    String path = place.path();
    if (plan.options(path, info).equals(info.options())) {
      return;
    }
    if (plan.names(path)) {
      throw new UnsupportedFeatureException(
          "repack: actual=" + reason + ", expected=a filter that can be undone, at=" + path);
    }
    listener.keptAsStored(path, reason);
  }

  private void copyAsStored(Dataset dataset, Group to, ObjectPath place) {
    DatasetInfo info = dataset.datasetInfo();
    committed(info.committedType());
    dataset.copyTo(
        to,
        place.name(),
        CopyOptions.builder().withoutAttributes(true).mergeCommittedTypes(true).build());
    try (Dataset copy = to.dataset(place.name())) {
      made(dataset.token().address(), copy, place, true);
    }
  }

  /**
   * Returns the copy of a committed type, which is made now if none of its links has been found
   * yet.
   */
  private Optional<CommittedType> committed(Optional<ObjectToken> token) {
    if (token.isEmpty()) {
      return Optional.empty();
    }
    long address = token.get().address();
    return Optional.of(types.computeIfAbsent(address, _ -> committedCopy(address)));
  }

  private CommittedType committedCopy(long token) {
    if (newTokens.containsKey(token)) {
      return (CommittedType) copyOf(token);
    }
    try (H5Object type = source.objectOf(new ObjectToken(token))) {
      CommittedType copy = target.root().commitAnonymous(((CommittedType) type).datatype());
      newTokens.put(token, copy.token().address());
      unlinkedTypes.add(token);
      return copy;
    }
  }

  // --- elements and attributes ---

  private long copyContent(Step step, long doneBefore) {
    try (H5Object from = source.objectOf(new ObjectToken(step.from));
        H5Object to = copyOf(step.from)) {
      long bytes = 0;
      if (from instanceof Dataset dataset && to instanceof Dataset copy) {
        bytes = RepackPlan.bytes(dataset.datasetInfo());
        if (!step.asStored) {
          copyElements(dataset, copy, step.place, doneBefore);
        }
      }
      copyAttributes(from, to);
      from.comment().ifPresent(to::setComment);
      if (listener.wantsObjects()) {
        finished(to, step.place.path(), bytes);
      }
      return bytes;
    }
  }

  private void copyElements(Dataset from, Dataset to, ObjectPath place, long doneBefore) {
    String path = place.path();
    new DatasetContent(from, to, references())
        .copy(done -> listener.copied(path, saturated(doneBefore, done), totalBytes));
  }

  private void finished(H5Object copy, String path, long bytes) {
    switch (copy) {
      case Group _ -> listener.finished(RepackListener.Kind.GROUP, path, List.of(), 0);
      case CommittedType _ -> listener.finished(RepackListener.Kind.TYPE, path, List.of(), 0);
      case Dataset dataset -> {
        DatasetInfo info = dataset.datasetInfo();
        long stored = info.storage().allocatedBytes();
        double ratio = stored == 0 ? 0 : (double) bytes / stored;
        listener.finished(RepackListener.Kind.DATASET, path, info.options().filters(), ratio);
      }
    }
  }

  private ReferenceMover references() {
    return new ReferenceMover(old -> newTokens.getOrDefault(old, 0L));
  }

  private void copyAttributes(H5Object from, H5Object to) {
    RepackPlan.ObjectRules rules = plan.objects();
    boolean tracked = from.info().creationOrderTracked();
    List<Attribute> attributes = from.attributes(rules.order(tracked), rules.descending()).toList();
    for (Attribute attribute : attributes) {
      copyAttribute(attribute, to);
    }
  }

  private void copyAttribute(Attribute from, H5Object to) {
    AttributeInfo info = from.info();
    Optional<CommittedType> shared =
        plan.objects().nativeTypes() ? Optional.empty() : committed(info.committedType());
    Attribute copy =
        shared.isPresent()
            ? to.createAttribute(from.name(), shared.get(), info.space())
            : to.createAttribute(from.name(), plan.objects().type(info.type()), info.space());
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
