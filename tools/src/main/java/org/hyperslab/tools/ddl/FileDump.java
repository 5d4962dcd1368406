package org.hyperslab.tools.ddl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.SpaceStrategy;

/**
 * Prints one file, or what is asked for in it. Nothing is recursive, and no group is entered twice,
 * whatever its reference count says: links may be nested and go in circles as they like.
 */
final class FileDump {

  /** A group whose members are being printed. */
  private record Frame(Group group, Iterator<Link> links, int indent, boolean owned) {}

  private final H5File file;
  private final DumpOptions options;
  private final DdlPage page;
  private final Consumer<String> errors;
  private final ObjectTable table;
  private final DataText data;
  private final Deque<Frame> frames = new ArrayDeque<>();

  /** Groups printed since the last wish. */
  private final Set<ObjectToken> entered = new HashSet<>();

  private final ExternalFiles externals;
  private boolean behindLink;
  private boolean failed;

  FileDump(
      H5File file,
      DumpOptions options,
      DdlPage page,
      Consumer<String> errors,
      ExternalFiles externals) {
    this.externals = externals;
    this.file = file;
    this.options = options;
    this.page = page;
    this.errors = errors;
    this.table = new ObjectTable(file);
    this.data = new DataText(page, options, new ReferenceNames(file, table), file);
  }

  /** Prints; whether everything asked for was there and could be read. */
  boolean run() {
    page.line(0, "HDF5 \"" + file.name() + "\" {");
    if (options.superblock) {
      superblock(file.info().creation());
    }
    if (options.contents) {
      new ContentsText(page, file, options.contentsWithAttributes).print();
    } else if (options.wishes.isEmpty()) {
      group("/", file.root(), 0, true);
      members();
    } else {
      options.wishes.forEach(this::wish);
    }
    page.line(0, "}");
    return !failed;
  }

  /** Prints an object to which an external link of another file leads, if it is there. */
  void printExternal(String path, int indent) {
    behindLink = true;
    int outer = frames.size();
    try {
      object(path, file.get(path), indent);
      members(outer);
    } catch (HyperslabException dangling) {
      // A link may lead nowhere.
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

  private void wish(DumpOptions.Wish wish) {
    entered.clear();
    try {
      switch (wish.target) {
        case ATTRIBUTE -> attributeWish(wish.path);
        case DATASET -> dataset(wish.path, file.dataset(wish.path), 0, wish.subset);
        case GROUP -> object(wish.path, file.group(wish.path), 0);
        case DATATYPE -> type(wish.path, file.root().committedType(wish.path), 0);
        case SOFT_LINK -> link(wish.path, file.root().link(wish.path), 0);
        case ANY -> anyWish(wish);
      }
      members();
    } catch (HyperslabException failure) {
      fail("unable to open \"" + wish.path + "\": " + failure.getMessage());
    }
  }

  private void anyWish(DumpOptions.Wish wish) {
    if (!file.exists(wish.path)) {
      attributeWish(wish.path);
      return;
    }
    Link link = wish.path.equals("/") ? null : file.root().link(wish.path);
    if (link != null && link.kind() != LinkKind.HARD) {
      link(wish.path, link, 0);
      return;
    }
    object(wish.path, file.get(wish.path), 0);
  }

  private void attributeWish(String path) {
    int slash = path.length() - 1;
    while (slash >= 0
        && !(path.charAt(slash) == '/' && (slash == 0 || path.charAt(slash - 1) != '\\'))) {
      slash--;
    }
    String object = slash <= 0 ? "/" : path.substring(0, slash);
    String name = path.substring(slash + 1).replace("\\/", "/");
    Attribute attribute = file.get(object).attribute(name);
    attribute(attribute, 0, true);
  }

  private void object(String name, H5Object object, int indent) {
    switch (object) {
      case Group group -> group(name, group, indent, false);
      case Dataset dataset -> dataset(name, dataset, indent, null);
      case CommittedType type -> type(name, type, indent);
    }
  }

  private boolean alreadyPrinted(H5Object object, int indent) {
    boolean once = object.info().referenceCount() <= 1 && !behindLink;
    if (once || table.print(object.token())) {
      return false;
    }
    page.line(indent, "HARDLINK \"" + table.path(object.token()) + "\"");
    return true;
  }

  private void comment(H5Object object, int indent) {
    object.comment().ifPresent(text -> page.line(indent, "COMMENT \"" + text + "\""));
  }

  private void objectId(H5Object object, int indent) {
    if (options.objectIds) {
      page.line(indent, "OBJECTID { " + object.token().address() + " }");
    }
  }

  private void group(String name, Group group, int indent, boolean root) {
    page.line(indent, "GROUP \"" + name + "\" {");
    comment(group, indent + 3);
    if (root) {
      for (Map.Entry<ObjectToken, CommittedType> one : table.unnamed().entrySet()) {
        type("#" + one.getKey().address(), one.getValue(), indent + 3);
      }
    }
    objectId(group, indent + 3);
    boolean again = alreadyPrinted(group, indent + 3);
    if (!again && !entered.add(group.token())) {
      page.line(indent + 3, "HARDLINK \"" + table.path(group.token()) + "\"");
      again = true;
    }
    if (again) {
      page.line(indent, "}");
      return;
    }
    attributes(group, indent + 3);
    boolean tracked = group.groupInfo().options().creationOrderTracked();
    IterationIndex order = tracked ? options.sortBy : IterationIndex.NAME;
    Iterator<Link> links = group.links(order, options.descending).iterator();
    frames.addLast(new Frame(group, links, indent, !root));
  }

  /** Prints what is in the groups that were begun, and ends them. */
  private void members() {
    members(0);
  }

  /** Prints what is open above so many groups, which a caller is about to print. */
  private void members(int outer) {
    while (frames.size() > outer) {
      Frame frame = frames.getLast();
      Link link = next(frame);
      if (link != null) {
        member(link, frame.indent + 3);
      } else {
        frames.removeLast();
        page.line(frame.indent, "}");
        if (frame.owned) {
          frame.group.close();
        }
      }
    }
  }

  /** The next link of a group; null behind the last one, and where the rest cannot be read. */
  private Link next(Frame frame) {
    try {
      return frame.links.hasNext() ? frame.links.next() : null;
    } catch (HyperslabException failure) {
      fail("unable to list a group: " + failure.getMessage());
      return null;
    }
  }

  private void member(Link link, int indent) {
    if (link.kind() != LinkKind.HARD) {
      link(link.name(), link, indent);
      return;
    }
    try {
      // By its token: an object opened by its path keeps that, and paths of deep groups are long.
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

  private void link(String name, Link link, int indent) {
    LinkInfo info = link.info();
    switch (link.kind()) {
      case HARD -> fail("\"" + name + "\" is not a symbolic link");
      case SOFT -> {
        page.line(indent, "SOFTLINK \"" + name + "\" {");
        page.line(indent + 3, "LINKTARGET \"" + info.targetPath() + "\"");
      }
      case EXTERNAL -> {
        page.line(indent, "EXTERNAL_LINK \"" + name + "\" {");
        page.line(indent + 3, "TARGETFILE \"" + info.targetFile() + "\"");
        page.line(indent + 3, "TARGETPATH \"" + info.targetPath() + "\"");
        externals.print(file, info, indent + 6);
      }
      case USER_DEFINED -> {
        page.line(indent, "USERDEFINED_LINK \"" + name + "\" {");
        page.line(indent + 3, "LINKCLASS " + info.userClass());
      }
    }
    page.line(indent, "}");
  }

  private void attributes(H5Object object, int indent) {
    if (!options.attributes) {
      return;
    }
    IterationIndex order =
        object.info().creationOrderTracked() ? options.sortBy : IterationIndex.NAME;
    List<Attribute> all = object.attributes(order, options.descending).toList();
    for (Attribute attribute : all) {
      attribute(attribute, indent, options.attributeElements);
    }
  }

  private void attribute(Attribute attribute, int indent, boolean elements) {
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
    if (type.info().referenceCount() > 1 && !table.print(type.token())) {
      page.line(indent, "DATATYPE \"" + name + "\"  HARDLINK \"" + table.path(type.token()) + "\"");
      return;
    }
    String end = datatype instanceof CompoundType ? "" : ";";
    page.line(indent, "DATATYPE \"" + name + "\" " + TypeText.of(datatype, indent) + end);
    objectId(type, indent + 3);
    attributes(type, indent + 3);
  }

  private void dataset(String name, Dataset dataset, int indent, DumpOptions.Subset subset) {
    page.line(indent, "DATASET \"" + name + "\" {");
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
      attributes(dataset, indent + 3);
    }
    page.line(indent, "}");
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
    try {
      data.dataset(dataset, indent, subset);
    } catch (HyperslabException failure) {
      page.line(indent, "}");
      fail("unable to read dataset \"" + name + "\": " + failure.getMessage());
    } catch (java.util.concurrent.CompletionException failure) {
      page.line(indent, "}");
      fail("unable to read dataset \"" + name + "\": " + failure.getCause().getMessage());
    }
  }
}
