package org.hyperslab.testkit.differential;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.SpaceStrategy;

/** The side of this project, through its public API. */
final class HyperslabSide implements Side {

  private final Session session;
  private final UnaryOperator<Path> names;

  HyperslabSide(Session session) {
    this(session, UnaryOperator.identity());
  }

  /**
   * Creates the side of a session.
   *
   * @param session the session, closed with this side
   * @param names the name by which the session knows a file of this machine
   */
  HyperslabSide(Session session, UnaryOperator<Path> names) {
    this.session = session;
    this.names = names;
  }

  @Override
  public String name() {
    return "hyperslab";
  }

  @Override
  public void edit(Path file, History.Creation creation, boolean isNew, Turn turn) {
    OpenOptions access =
        with(OpenOptions.EDIT, creation.kind())
            .withDurability(Durability.PROCESS)
            .withBounds(version(turn.low()), version(turn.high()))
            .withSwmr(turn.swmr());
    int number = 0;
    Edit last = null;
    try (H5File open =
        isNew
            ? session.create(names.apply(file), options(creation).withAccess(access))
            : session.open(names.apply(file), access)) {
      for (Edit edit : turn.edits()) {
        last = edit;
        number++;
        carryOut(open, edit);
      }
      last = null;
    } catch (HyperslabException failure) {
      throw new Refusal(
          last == null
              ? "opening or closing: " + failure
              : "edit " + (number - 1) + " " + Json.text(last.tree()) + ": " + failure,
          failure);
    }
  }

  private static OpenOptions with(OpenOptions access, HistoryKind kind) {
    if (kind.driver() == null) {
      return access;
    }
    OpenOptions by = access.withProperty("driver", kind.driver());
    return kind == HistoryKind.FAMILY
        ? by.withProperty("family.memberBytes", Integer.toString(HistoryKind.MEMBER_BYTES))
        : by;
  }

  private static FormatVersion version(String name) {
    return FormatVersion.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static CreateOptions options(History.Creation creation) {
    SpaceStrategy.Kind kind =
        List.of(
                SpaceStrategy.Kind.FREE_SPACE,
                SpaceStrategy.Kind.PAGE,
                SpaceStrategy.Kind.AGGREGATION,
                SpaceStrategy.Kind.NONE)
            .get(creation.strategy());
    GroupOptions root = GroupOptions.DEFAULT;
    return CreateOptions.DEFAULT
        .withUserBlock(creation.userBlock())
        .withSizes(creation.addressBytes(), creation.lengthBytes())
        .withRoot(creation.ordered() ? root.withCreationOrder() : root)
        .withSpace(new SpaceStrategy(kind, creation.persist(), 1, 4096));
  }

  static void carryOut(H5File file, Edit edit) {
    Group root = file.root();
    switch (edit) {
      case Edit.Group one ->
          root.createGroup(one.path(), HyperslabOptions.of(one), LinkOptions.DEFAULT).close();
      case Edit.Dataset one -> create(file, one);
      case Edit.Write one -> write(file, one);
      case Edit.Resize one -> {
        try (Dataset dataset = file.dataset(one.path())) {
          dataset.setExtent(Shapes.array(one.dims()));
        }
      }
      case Edit.Chunk one -> {
        try (Dataset dataset = file.dataset(one.path())) {
          byte[] bytes = HexFormat.of().parseHex(one.stored());
          dataset.writeChunk(
              new RawChunk(MemorySegment.ofArray(bytes), one.mask()), Shapes.array(one.offset()));
        }
      }
      case Edit.Attribute one -> create(file, one);
      case Edit.Rewrite one -> {
        try (H5Object object = file.get(one.path())) {
          fill(file, object.attribute(one.name()), one.values());
        }
      }
      case Edit.DeleteAttribute one -> {
        try (H5Object object = file.get(one.path())) {
          object.deleteAttribute(one.name());
        }
      }
      case Edit.RenameAttribute one -> {
        try (H5Object object = file.get(one.path())) {
          object.renameAttribute(one.from(), one.to());
        }
      }
      case Edit.Commit one -> root.commit(one.path(), HyperslabTypes.of(one.type())).close();
      case Edit.Delete one -> root.delete(one.path());
      case Edit.Move one -> root.move(one.from(), one.to());
      case Edit.Hard one -> {
        try (H5Object object = file.get(one.from())) {
          root.createHardLink(one.to(), object);
        }
      }
      case Edit.Soft one -> root.createSoftLink(one.path(), one.target());
      case Edit.External one -> root.createExternalLink(one.path(), one.file(), one.target());
      case Edit.Copy one -> root.copy(one.from(), root, one.to());
      case Edit.Comment one -> {
        try (H5Object object = file.get(one.path())) {
          object.setComment(one.text());
        }
      }
      case Edit.Flush ignored -> file.flush();
    }
  }

  private static Dataspace space(List<Long> dims, List<Long> most) {
    if (dims == null) {
      return Dataspace.nullSpace();
    }
    if (dims.isEmpty()) {
      return Dataspace.scalar();
    }
    return most == null
        ? Dataspace.simple(Shapes.array(dims))
        : Dataspace.simple(Shapes.array(dims), HyperslabOptions.most(most));
  }

  private static void create(H5File file, Edit.Dataset edit) {
    Dataspace space = space(edit.extent().dims(), edit.extent().most());
    HyperslabElements elements = new HyperslabElements(file, Map.of());
    String committed = edit.creation().committed();
    if (committed == null) {
      Datatype type = HyperslabTypes.of(edit.type());
      try (Dataset made =
          file.datasetBuilder(edit.path())
              .type(type)
              .space(space)
              .options(HyperslabOptions.of(edit.creation(), type, elements))
              .create()) {
        write(file, made, new SelectionSpec.All(), edit.values());
      }
      return;
    }
    try (CommittedType type = file.root().committedType(committed);
        Dataset made =
            file.root()
                .datasetBuilder(edit.path())
                .type(type)
                .space(space)
                .options(HyperslabOptions.of(edit.creation(), type.datatype(), elements))
                .create()) {
      write(file, made, new SelectionSpec.All(), edit.values());
    }
  }

  private static void write(H5File file, Edit.Write edit) {
    try (Dataset dataset = file.dataset(edit.path())) {
      write(file, dataset, edit.picks(), edit.values());
    }
  }

  private static void write(
      H5File file, Dataset dataset, SelectionSpec picks, List<Object> values) {
    if (values == null || dataset.space().kind() == Dataspace.Kind.NULL) {
      return;
    }
    Datatype memory = dataset.type().inMemory();
    Dataspace shape =
        picks instanceof SelectionSpec.All
            ? dataset.space()
            : Dataspace.simple((long) values.size());
    dataset.write(
        picks.selection(),
        new Memory(
            memory,
            shape,
            Selection.all(),
            new HyperslabElements(file, Map.of()).encode(memory, values)));
  }

  private static void create(H5File file, Edit.Attribute edit) {
    Dataspace space = space(edit.dims(), null);
    try (H5Object object = file.get(edit.path())) {
      if (edit.committed() == null) {
        Datatype type = HyperslabTypes.of(edit.type());
        fill(file, object.createAttribute(edit.name(), type, space), edit.values());
        return;
      }
      try (CommittedType type = file.root().committedType(edit.committed())) {
        fill(file, object.createAttribute(edit.name(), type, space), edit.values());
      }
    }
  }

  private static void fill(H5File file, Attribute attribute, List<Object> values) {
    if (attribute.space().kind() == Dataspace.Kind.NULL) {
      return;
    }
    Datatype memory = attribute.type().inMemory();
    attribute.write(memory, new HyperslabElements(file, Map.of()).encode(memory, values));
  }

  @Override
  public List<String> read(Path file, History.Creation creation) {
    try (H5File open = session.open(names.apply(file), with(OpenOptions.READ, creation.kind()))) {
      return new HyperslabFileReader(open).lines();
    } catch (HyperslabException failure) {
      throw new Refusal("reading: " + failure, failure);
    }
  }

  @Override
  public SwmrAccess openForSwmr(Path file, boolean writes) {
    OpenOptions access = writes ? OpenOptions.EDIT : OpenOptions.READ;
    try {
      return new HyperslabSwmrAccess(
          session.open(
              names.apply(file),
              access
                  .withSwmr(true)
                  .withDurability(Durability.PROCESS)
                  .withBounds(FormatVersion.V110, FormatVersion.V110)));
    } catch (HyperslabException failure) {
      throw new Refusal("opening for SWMR: " + failure, failure);
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
