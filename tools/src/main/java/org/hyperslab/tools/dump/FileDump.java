package org.hyperslab.tools.dump;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.SpaceStrategy;

/**
 * Prints one file, or the requested objects in it. Does not use recursion and enters no group
 * twice, whatever its reference count: links may be nested to any depth and form cycles.
 */
final class FileDump {

  /** A group whose members are being printed. */
  private record Frame(Group group, GroupMembers members, int indent, boolean owned) {}

  private static final int UNNAMED_INDENT = 3;

  /**
   * The largest dataset in bytes that another thread formats before its turn; larger ones are read
   * piece by piece.
   */
  private static final int SMALL_BYTES = 1 << 14;

  /** The deepest nesting at which other threads format members of groups before their turn. */
  private static final int MAX_GROUPS_AHEAD = 8;

  private final H5File file;
  private final DumpOptions options;
  private final DdlPage page;
  private final Consumer<String> errors;
  private final ObjectTable table;
  private final DataText data;
  private final Deque<Frame> frames = new ArrayDeque<>();

  private final LinkedFiles externals;
  private ExecutorService workers;
  private boolean behindLink;
  private boolean failed;

  FileDump(
      H5File file,
      DumpOptions options,
      DdlPage page,
      Consumer<String> errors,
      LinkedFiles externals) {
    this(file, options, page, errors, externals, new ObjectTable(file, options));
  }

  private FileDump(
      H5File file,
      DumpOptions options,
      DdlPage page,
      Consumer<String> errors,
      LinkedFiles externals,
      ObjectTable table) {
    this.externals = externals;
    this.file = file;
    this.options = options;
    this.page = page;
    this.errors = errors;
    this.table = table;
    this.data =
        new DataText(page, options, new ReferenceNames(file, table, externals::openOther), file);
  }

  /**
   * Prints the file.
   *
   * @return whether everything requested exists and could be read
   */
  boolean run() {
    page.line(0, "HDF5 \"" + file.name() + "\" {");
    if (options.contents) {
      new ContentsText(page, file, options)
          .print(
              table.unnamed().keySet(),
              failure -> fail("unable to list everything: " + failure.getMessage()));
      page.line(0, "}");
      return !failed;
    }
    if (options.superblock) {
      superblock(file.info().creation());
    }
    if (options.requested.isEmpty()) {
      wholeFile();
    } else {
      RequestedObjects requested = new RequestedObjects(file, page, this, options, this::fail);
      options.requested.forEach(one -> {
        try {
          requested.print(one);
        } catch (HyperslabException failure) {
          fail("unable to print \"" + one.path + "\": " + failure.getMessage());
        }
      });
    }
    page.line(0, "}");
    return !failed;
  }

  private void wholeFile() {
    try {
      group("/", file.root(), 0, true);
      members();
    } finally {
      if (workers != null) {
        workers.shutdownNow();
      }
      if (page.description() instanceof DeferredText text && text.isHolding()) {
        // Everything was visited; if nothing used the table, there is no such type.
        text.release(failed || table.isWalked() ? () -> unnamedTypes(UNNAMED_INDENT) : () -> {});
      }
    }
  }

  /**
   * Prints the committed types without a path, which come first, though only a walk through the
   * file finds them. The rest of the output is therefore held back; most files have no such types,
   * and printing shows whether there are any.
   */
  private void unnamedTypesAhead() {
    boolean meetsAll = options.attributes && options.binary == null && !options.isDivided();
    if (meetsAll && page.description() instanceof DeferredText text) {
      text.hold(() -> text.release(() -> unnamedTypes(UNNAMED_INDENT)));
    } else {
      unnamedTypes(UNNAMED_INDENT);
    }
  }

  private void unnamedTypes(int indent) {
    for (Map.Entry<ObjectToken, CommittedType> one : table.unnamed().entrySet()) {
      type("#" + one.getKey().address(), one.getValue(), indent);
    }
  }

  /** Prints the target of an external link of another file, if it exists. */
  void printExternal(String path, int indent) {
    behindLink = true;
    int outer = frames.size();
    try {
      object(path, file.get(path), indent);
      members(outer);
    } catch (HyperslabException dangling) {
      // A link may be dangling.
    }
  }

  private void fail(String message) {
    failed = true;
    errors.accept(message);
  }

  private void superblock(CreateOptions creation) {
    page.line(0, "SUPER_BLOCK {");
    page.line(3, "SUPERBLOCK_VERSION " + file.info().superblockVersion());
    page.line(3, "FREELIST_VERSION 0");
    page.line(3, "SYMBOLTABLE_VERSION 0");
    page.line(3, "OBJECTHEADER_VERSION 0");
    page.line(3, "OFFSET_SIZE " + creation.sizeOfOffsets());
    page.line(3, "LENGTH_SIZE " + creation.sizeOfLengths());
    page.line(3, "BTREE_RANK " + creation.symbolInternalK());
    page.line(3, "BTREE_LEAF " + creation.symbolLeafK());
    page.line(3, "ISTORE_K " + creation.chunkInternalK());
    SpaceStrategy space = creation.space();
    String strategy =
        switch (space.kind()) {
          case FREE_SPACE -> "FSM_AGGR";
          case PAGE -> "PAGE";
          case AGGREGATION -> "AGGR";
          case NONE -> "NONE";
        };
    page.line(3, "FILE_SPACE_STRATEGY H5F_FSPACE_STRATEGY_" + strategy);
    page.line(3, "FREE_SPACE_PERSIST " + (space.persist() ? "TRUE" : "FALSE"));
    page.line(3, "FREE_SPACE_SECTION_THRESHOLD " + space.thresholdBytes());
    page.line(3, "FILE_SPACE_PAGE_SIZE " + space.pageBytes());
    page.line(3, "USER_BLOCK {");
    page.line(6, "USERBLOCK_SIZE " + creation.userBlockBytes());
    page.line(3, "}");
    page.line(0, "}");
  }

  /** Returns the committed datatype without a path that is named by its number, or null. */
  CommittedType unnamed(String path) {
    return table.unnamed().entrySet().stream()
        .filter(one -> path.equals("/#" + one.getKey().address()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /** Prints an object; of a group, only the beginning. */
  void object(String name, H5Object object, int indent) {
    switch (object) {
      case Group group -> group(name, group, indent, false);
      case Dataset dataset -> dataset(name, dataset, indent, null);
      case CommittedType type -> type(name, type, indent);
    }
  }

  /** {@return the information about an object at its opening, which needs no further request} */
  private static ObjectInfo asOpened(H5Object object) {
    CompletableFuture<ObjectInfo> opened = object.opened();
    return opened.isDone() && !opened.isCompletedExceptionally()
        ? opened.resultNow()
        : object.info();
  }

  private boolean alreadyPrinted(H5Object object, int indent) {
    boolean once = asOpened(object).referenceCount() <= 1 && !behindLink;
    if (once || table.print(object.token())) {
      return false;
    }
    page.line(indent, "HARDLINK \"" + table.path(object.token()) + "\"");
    return true;
  }

  private void comment(H5Object object, int indent) {
    asOpened(object).comment().ifPresent(text -> page.line(indent, "COMMENT \"" + text + "\""));
  }

  private void objectId(H5Object object, int indent) {
    if (options.objectIds) {
      page.line(indent, "OBJECTID { " + object.token().address() + " }");
    }
  }

  private void group(String name, Group group, int indent, boolean root) {
    page.line(indent, "GROUP \"" + name + "\" {");
    if (root) {
      unnamedTypesAhead();
    }
    objectId(group, indent + 3);
    comment(group, indent + 3);
    // No group is entered twice, whatever its reference count.
    if (!table.print(group.token())) {
      page.line(indent + 3, "HARDLINK \"" + table.path(group.token()) + "\"");
      page.line(indent, "}");
      return;
    }
    attributes(group, indent + 3);
    frames.addLast(new Frame(group, members(links(group), indent + 3), indent, !root));
  }

  private Iterator<Link> links(Group group) {
    try {
      return group.links(options.order(group), options.descending).iterator();
    } catch (HyperslabException failure) {
      fail("unable to list a group: " + failure.getMessage());
      return Collections.emptyIterator();
    }
  }

  private GroupMembers members(Iterator<Link> links, int indent) {
    boolean ahead = page.isOnePlace() && !behindLink && frames.size() < MAX_GROUPS_AHEAD;
    if (!ahead) {
      return new GroupMembers(links, null, null);
    }
    ObjectTable known = table.forWorkers();
    return new GroupMembers(links, workers(), () -> new Alone(known, indent));
  }

  /**
   * Prints small datasets that have one path, each by itself.
   *
   * <p>Thread rule: confined to one thread, beside others that print other members.
   */
  private final class Alone implements Function<Link, String> {
    private final int indent;
    private final LimitedText text = new LimitedText();
    private final FileDump dump;

    /**
     * Creates a printer.
     *
     * @param known the table, which does not change meanwhile
     */
    Alone(ObjectTable known, int indent) {
      Consumer<String> giveUp =
          message -> {
            throw new LimitedText.NotAloneException(message);
          };
      this.indent = indent;
      this.dump = new FileDump(file, options, page.apart(text), giveUp, externals, known);
    }

    /**
     * {@return the lines of a link's target; null if it must be printed in its turn, as everything
     * must after a failure}
     */
    @Override
    public String apply(Link link) {
      if (link.kind() != LinkKind.HARD) {
        return null;
      }
      try (H5Object member = file.objectOf(link.info().token())) {
        if (!(member instanceof Dataset dataset) || asOpened(member).referenceCount() > 1) {
          return null;
        }
        if (options.elements && isLarge(dataset.datasetInfo())) {
          return null;
        }
        text.clear();
        dump.dataset(link.name(), dataset, indent, null);
        return text.toString();
      } catch (RuntimeException inItsTurn) {
        return null;
      }
    }
  }

  private static boolean isLarge(DatasetInfo info) {
    return info.space().elementCount() > SMALL_BYTES / info.type().size();
  }

  private ExecutorService workers() {
    if (workers == null) {
      workers =
          Executors.newFixedThreadPool(
              Runtime.getRuntime().availableProcessors(),
              work -> Thread.ofPlatform().daemon().name("dump").unstarted(work));
    }
    return workers;
  }

  /** Prints the contents of the groups that were begun, and ends them. */
  void members() {
    members(0);
  }

  /** Prints the members of open groups, except for those that a caller is about to print. */
  private void members(int outer) {
    while (frames.size() > outer) {
      Frame frame = frames.getLast();
      GroupMembers.Member member = next(frame);
      if (member != null) {
        member(member, frame.indent + 3);
      } else {
        frames.removeLast();
        page.line(frame.indent, "}");
        if (frame.owned) {
          frame.group.close();
        }
      }
    }
  }

  /** Returns the next member of a group; null after the last one, or if the rest cannot be read. */
  private GroupMembers.Member next(Frame frame) {
    try {
      return frame.members.hasNext() ? frame.members.next() : null;
    } catch (HyperslabException failure) {
      fail("unable to list a group: " + failure.getMessage());
      return null;
    }
  }

  private void member(GroupMembers.Member printed, int indent) {
    if (printed.text() != null) {
      page.lines(printed.text());
      return;
    }
    Link link = printed.link();
    if (link.kind() != LinkKind.HARD) {
      LinkInfo info = link.info();
      link(link.name(), info, indent);
      if (link.kind() == LinkKind.EXTERNAL) {
        externals.print(file, info, indent + 6);
      }
      page.line(indent, "}");
      return;
    }
    try {
      // By its token: an object opened by path keeps the path, and paths of deep groups are long.
      H5Object member = file.objectOf(link.info().token());
      try {
        object(link.name(), member, indent);
      } finally {
        boolean pushed = !frames.isEmpty() && frames.getLast().group == member;
        if (!pushed) {
          member.close();
        }
      }
    } catch (HyperslabException failure) {
      fail("unable to dump \"" + link.name() + "\": " + failure.getMessage());
    }
  }

  /** Begins the block of a link that is not hard. */
  void link(String name, LinkInfo info, int indent) {
    switch (info.kind()) {
      case HARD -> fail("\"" + name + "\" is not a symbolic link");
      case SOFT -> {
        page.line(indent, "SOFTLINK \"" + name + "\" {");
        page.line(indent + 3, "LINKTARGET \"" + info.targetPath() + "\"");
      }
      case EXTERNAL -> {
        page.line(indent, "EXTERNAL_LINK \"" + name + "\" {");
        page.line(indent + 3, "TARGETFILE \"" + info.targetFile() + "\"");
        page.line(indent + 3, "TARGETPATH \"" + info.targetPath() + "\"");
      }
      case USER_DEFINED -> {
        page.line(indent, "USERDEFINED_LINK \"" + name + "\" {");
        page.line(indent + 3, "LINKCLASS " + info.userClass());
      }
    }
  }

  private void attributes(H5Object object, int indent) {
    if (!options.attributes) {
      return;
    }
    try {
      if (asOpened(object).attributeCount() == 0) {
        return;
      }
      List<Attribute> all =
          object.attributes(options.attributeOrder(object), options.descending).toList();
      for (Attribute attribute : all) {
        attribute(attribute, indent, options.attributeElements);
      }
    } catch (HyperslabException failure) {
      fail("unable to read attributes: " + failure.getMessage());
    }
  }

  /** Prints an attribute. */
  void attribute(Attribute attribute, int indent, boolean elements) {
    page.line(indent, "ATTRIBUTE \"" + attribute.name() + "\" {");
    typeLine(attribute.type(), attribute.info().committedType().orElse(null), indent + 3);
    page.line(indent + 3, "DATASPACE  " + SpaceText.of(attribute.space()));
    if (elements && options.attributeElements) {
      try {
        data.attribute(attribute, indent + 3);
      } catch (HyperslabException failure) {
        page.line(indent + 3, "}");
        fail("unable to read attribute \"" + attribute.name() + "\": " + failure.getMessage());
      }
    }
    page.line(indent, "}");
  }

  private void typeLine(Datatype type, ObjectToken committed, int indent) {
    String text = TypeText.of(type, indent);
    if (committed != null) {
      String path = table.path(committed);
      text = path != null ? "\"" + path + "\"" : "\"/#" + committed.address() + "\"";
    }
    page.line(indent, "DATATYPE  " + text);
  }

  private void type(String name, CommittedType type, int indent) {
    Datatype datatype = type.datatype();
    String heading = "DATATYPE \"" + name + "\" ";
    if (asOpened(type).referenceCount() > 1 && !table.print(type.token())) {
      page.line(indent, heading, "HARDLINK \"" + table.path(type.token()) + "\"", 0);
      return;
    }
    String end = datatype instanceof CompoundType ? "" : ";";
    page.line(indent, heading, TypeText.of(datatype, indent) + end, 0);
    attributes(type, indent + 3);
  }

  /** Prints a dataset, or a subset of its elements. */
  void dataset(String name, Dataset dataset, int indent, DumpOptions.Subset subset) {
    page.begunLine(indent, "DATASET \"" + name + "\" {");
    if (!alreadyPrinted(dataset, indent + 3)) {
      // The C library puts a dataset's comment below the word DATASET, not one level further in.
      comment(dataset, indent);
      DatasetInfo info = dataset.datasetInfo();
      typeLine(info.type(), info.committedType().orElse(null), indent + 3);
      page.line(indent + 3, "DATASPACE  " + SpaceText.of(info.space()));
      objectId(dataset, indent + 3);
      if (options.properties) {
        new StorageText(page, indent + 3, info).print(fillValue(info, indent + 3));
      }
      if (options.elements) {
        elements(name, dataset, indent + 3, subset);
      }
      if (options.binary == null) {
        attributes(dataset, indent + 3);
      }
    }
    page.begunLine(indent, "}");
  }

  private String fillValue(DatasetInfo info, int indent) {
    return info.options().fill() instanceof FillValue.Value v
        ? data.value(v.type(), v.value(), indent / 3 + 1)
        : "";
  }

  private void elements(String name, Dataset dataset, int indent, DumpOptions.Subset subset) {
    if (dataset.type() instanceof TimeType) {
      page.line(indent, "DATA{ not yet implemented.}");
      return;
    }
    boolean subsetOpen = subset != null && dataset.space().rank() > 0;
    try {
      data.dataset(dataset, indent, subset);
    } catch (InvalidUseException outside) {
      // The C library prints the part within the dataset, and succeeds.
      if (!subsetOpen) {
        throw outside;
      }
      errors.accept("subset of \"" + name + "\": " + outside.getMessage());
    } catch (HyperslabException failure) {
      unreadable(name, indent, subsetOpen, failure);
    }
  }

  private void unreadable(String name, int indent, boolean closed, Throwable failure) {
    if (!closed) {
      page.line(indent, "}");
    }
    fail("unable to read dataset \"" + name + "\": " + failure.getMessage());
  }
}
