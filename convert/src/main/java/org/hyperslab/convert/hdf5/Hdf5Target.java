package org.hyperslab.convert.hdf5;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.BloscChunks;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ChunkSink;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.NodeLink;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;

/**
 * Writes an HDF5 file. Named dimensions become dimension scales, stored as in netCDF-4, so that
 * netCDF programs can open the file.
 */
public final class Hdf5Target implements TargetFile {

  private static final AttributeStorage ORDERED = AttributeStorage.DEFAULT.withCreationOrder();

  /** The part of the memory that a chunk may take which is written as it is stored. */
  private static final int CHUNK_SHARE = 4;

  private static final GroupOptions GROUP =
      GroupOptions.DEFAULT.withCreationOrder().withAttributes(ORDERED);

  /** The context of the members of a group: the dimensions of the file, and the types in scope. */
  private record Context(
      DimensionWriter scales,
      List<CommittedType> types,
      BiConsumer<Dataset, Variable> elements,
      ConversionRun work) {}

  /** Creates the target. */
  public Hdf5Target() {}

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    CreateOptions options =
        CreateOptions.DEFAULT
            .withExclusive(true)
            .withRoot(GROUP)
            .withAccess(CreateOptions.DEFAULT.access().withDurability(Durability.PROCESS));
    try (H5File file = Hdf5.create(path, options)) {
      write(
          file,
          root,
          (dataset, variable) -> copy(dataset, variable, variable.elements().stored(), work),
          work);
    }
  }

  /**
   * Creates a file in memory that has all but the elements of variables.
   *
   * @param root the group to write
   * @param created receives each dataset with the variable that it stands for
   * @param work receives a report of content that the format cannot hold
   * @return the bytes of the file
   */
  public static byte[] withoutElements(
      GroupNode root, BiConsumer<Dataset, Variable> created, ConversionRun work) {
    try (H5File file = Hdf5.createInMemory(CreateOptions.DEFAULT.withRoot(GROUP))) {
      write(file, root, created, work);
      return file.toByteArray();
    }
  }

  private static void write(
      H5File file, GroupNode root, BiConsumer<Dataset, Variable> elements, ConversionRun work) {
    DimensionWriter scales = new DimensionWriter(root);
    setAttributes(file.root(), root.attributes(), work);
    addMembers(file.root(), root, new Context(scales, List.of(), elements, work));
    scales.attach(file);
    root.all().forEach(group -> addLinks(file, group, work));
  }

  /** Commits the types of a group, and returns them after the types of the groups above. */
  private static List<CommittedType> types(Group group, GroupNode node, List<CommittedType> above) {
    List<CommittedType> types = new ArrayList<>(above);
    node.types().forEach(type -> types.add(group.commit(type.name(), type.type())));
    return types;
  }

  private static void addMembers(Group group, GroupNode node, Context context) {
    DimensionWriter scales = context.scales;
    ConversionRun work = context.work;
    List<CommittedType> types = types(group, node, context.types);
    for (Variable variable : node.variables()) {
      if (holdsReference(variable.type())) {
        work.reportLoss("references, which lead into the file that they are in", variable.path());
        continue;
      }
      try (Dataset dataset = create(group, variable, scales.nameOf(variable), types)) {
        setAttributes(dataset, variable.traits().attributes(), work);
        context.elements.accept(dataset, variable);
      }
    }
    scales.createWithoutVariable(group, node);
    for (GroupNode child : node.groups()) {
      try (Group created = group.createGroup(child.name(), GROUP)) {
        setAttributes(created, child.attributes(), work);
        addMembers(created, child, new Context(scales, types, context.elements, work));
      }
    }
  }

  private static void addLinks(H5File file, GroupNode node, ConversionRun work) {
    try (Group group = file.group(node.path())) {
      for (NodeLink link : node.links()) {
        switch (link.kind()) {
          case SOFT -> group.createSoftLink(link.name(), link.target());
          case EXTERNAL -> group.createExternalLink(link.name(), link.file(), link.target());
          case HARD -> {
            if (file.exists(link.target())) {
              group.createHardLink(link.name(), link.target());
            } else {
              work.reportLoss("a link to an object that is left out", node.child(link.name()));
            }
          }
        }
      }
    }
  }

  /**
   * Writes all stored elements of a variable.
   *
   * @param dataset the open dataset to write to
   * @param variable the variable
   * @param written what {@code ElementReader.stored} returns for the variable
   * @param work moves the elements
   */
  public static void copy(
      Dataset dataset, Variable variable, Optional<List<Boxes.Box>> written, ConversionRun work) {
    ConversionRun.BlockSink sink = (box, elements) -> write(dataset, variable, box, elements);
    if (variable.space().rank() == 0 || variable.space().elementCount() == 0) {
      work.copy(variable, sink);
      return;
    }
    Optional<ChunkSink> chunks = ChunkSink.of(dataset, variable, work.memoryBytes() / CHUNK_SHARE);
    Optional<List<Boxes.Box>> stored = hasSameFill(dataset, variable) ? written : Optional.empty();
    if (stored.isPresent() && stored.get().isEmpty()) {
      return;
    }
    if (chunks.isPresent()) {
      copyChunks(chunks.get(), variable, stored, work);
    } else if (variable.traits().chunk().isEmpty()) {
      work.copy(variable, sink);
    } else {
      long[] chunk = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
      if (stored.isPresent()) {
        work.copy(variable, chunk, stored.get(), sink);
      } else {
        long[] dims = variable.space().dims();
        work.copy(variable, Boxes.ofUnits(dims, chunk, work.blockElements(variable)), sink);
      }
    }
  }

  /** Returns whether elements that are not written have the variable's fill value. */
  private static boolean hasSameFill(Dataset dataset, Variable variable) {
    if (variable.type() instanceof VlenStringType) {
      Optional<String> text = Hdf5Source.fill(dataset.datasetInfo()).map(Hdf5Target::text);
      return text.orElse("").equals(variable.traits().fill().map(Hdf5Target::text).orElse(""));
    }
    if (variable.type().hasOutOfLineParts()) {
      boolean has = dataset.options().fill() instanceof FillValue.Value;
      return has == variable.traits().fill().isPresent();
    }
    return Arrays.equals(
        bytes(Hdf5Source.fill(dataset.datasetInfo()), variable),
        bytes(variable.traits().fill(), variable));
  }

  private static String text(DataBuffer one) {
    return one.heap().getString(one.elements(), 0);
  }

  private static byte[] bytes(Optional<DataBuffer> fill, Variable variable) {
    int size = variable.type().memorySize();
    return fill.map(one -> one.elements().asSlice(0, size).toArray(ValueLayout.JAVA_BYTE))
        .orElse(new byte[size]);
  }

  private static void copyChunks(
      ChunkSink chunks, Variable variable, Optional<List<Boxes.Box>> stored, ConversionRun work) {
    long[] dims = variable.space().dims();
    long[] given = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    if (stored.isPresent() && Arrays.equals(given, chunks.chunk())) {
      List<Boxes.Box> boxes = stored.get();
      if (variable.elements() instanceof BloscChunks blosc && chunks.takesBlosc()) {
        boxes = passBlosc(blosc, boxes, chunks, work);
      }
      work.copy(variable, given, boxes, chunks);
      return;
    }
    long most = Math.max(work.contiguousElements(variable), Dataspace.product(chunks.chunk()));
    work.copy(variable, Boxes.ofUnits(dims, chunks.chunk(), most), chunks);
  }

  /** Passes on the chunks for which that is possible, and returns the others. */
  private static List<Boxes.Box> passBlosc(
      BloscChunks blosc, List<Boxes.Box> boxes, ChunkSink chunks, ConversionRun work) {
    List<Boxes.Box> others = Collections.synchronizedList(new ArrayList<>());
    work.parallel(
        boxes,
        work.lanes(chunks.chunkBytes()),
        box -> {
          if (blosc.passBlosc(box, chunks)) {
            work.advance(chunks.chunkBytes());
          } else {
            others.add(box);
          }
        });
    return others;
  }

  private static void write(
      Dataset dataset, Variable variable, Boxes.Box box, DataBuffer elements) {
    boolean scalar = box.start().length == 0;
    Dataspace shape = scalar ? Dataspace.scalar() : Dataspace.simple(box.count());
    Selection where = scalar ? Selection.all() : Selection.box(box.start(), box.count());
    dataset.write(where, new Memory(variable.type(), shape, Selection.all(), elements));
  }

  private static Dataset create(
      Group group, Variable variable, String name, List<CommittedType> types) {
    Variable.Traits traits = variable.traits();
    DatasetOptions.Builder options =
        DatasetOptions.builder().attributes(ORDERED).filters(traits.filters());
    if (!traits.chunk().isEmpty()) {
      options.layout(new Layout.Chunked(traits.chunk(), true));
    }
    traits.fill().ifPresent(fill -> options.fill(new FillValue.Value(variable.type(), fill)));
    for (CommittedType type : types.reversed()) {
      if (type.datatype().equals(variable.type())) {
        return group
            .datasetBuilder(name)
            .type(type)
            .space(variable.space())
            .options(options.build())
            .create();
      }
    }
    return group
        .datasetBuilder(name)
        .type(variable.type())
        .space(variable.space())
        .options(options.build())
        .create();
  }

  /**
   * Returns whether a type contains references, which are valid only in their own file.
   *
   * @param type the type
   * @return whether a part of it is a reference
   */
  public static boolean holdsReference(Datatype type) {
    return switch (type) {
      case ReferenceType _ -> true;
      case CompoundType t -> t.members().stream().anyMatch(m -> holdsReference(m.type()));
      case ArrayType t -> holdsReference(t.base());
      case VlenType t -> holdsReference(t.base());
      default -> false;
    };
  }

  private static void setAttributes(
      H5Object object, List<AttributeValue> attributes, ConversionRun work) {
    for (AttributeValue attribute : attributes) {
      if (holdsReference(attribute.type())) {
        work.reportLoss("the attribute " + attribute.name() + " of references", object.path());
      } else if (attribute.space().elementCount() == 0) {
        object.createAttribute(attribute.name(), attribute.type(), attribute.space());
      } else {
        object.setAttribute(
            attribute.name(),
            new Memory(attribute.type(), attribute.space(), Selection.all(), attribute.data()));
      }
    }
  }
}
