package org.hyperslab.convert.hdf5;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.NamedType;
import org.hyperslab.convert.model.NodeLink;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.scales.ScaleConventions;

/**
 * A source that reads an HDF5 file, or one group or dataset of it. Dimension scales become
 * dimensions; user-defined links are reported to {@link ConversionRun#reportLoss}.
 */
public final class Hdf5Source implements SourceFile {

  private final H5File file;
  private final ConversionRun work;
  private final List<H5Object> opened = new ArrayList<>();

  /** The paths of groups and datasets, which are read once. */
  private final Map<Long, String> seen = new HashMap<>();

  /** The paths of all objects. */
  private final Map<Long, String> paths = new HashMap<>();

  private final boolean whole;
  private final boolean keepsOpen;
  private final DimensionReader scales = new DimensionReader();
  private final GroupNode root;

  /**
   * Reads the metadata of an open file.
   *
   * @param file the file; closed with this
   * @param path the group or dataset to read; "/" for all
   * @param work receives a report of content that the model cannot hold
   */
  public Hdf5Source(H5File file, String path, ConversionRun work) {
    this(file, false, path, work);
  }

  /**
   * Reads the metadata of a file that stays open when the source is closed.
   *
   * @param file the file
   * @param path the group or dataset to read; "/" for all
   * @param work receives a report of content that the model cannot hold
   * @return the source
   */
  public static Hdf5Source ofOpen(H5File file, String path, ConversionRun work) {
    return new Hdf5Source(file, true, path, work);
  }

  private Hdf5Source(H5File file, boolean keepsOpen, String path, ConversionRun work) {
    this.file = file;
    this.keepsOpen = keepsOpen;
    this.work = work;
    this.whole = path.equals("/");
    this.root = tree(path);
  }

  private GroupNode tree(String path) {
    GroupNode all = GroupNode.empty("/");
    try {
      H5Object object = path.equals("/") ? file.root() : file.get(path);
      opened.add(object);
      switch (object) {
        case Group group -> addGroup(group, all);
        case Dataset dataset -> addDataset(dataset, all, lastName(path));
        case CommittedType _ ->
            throw new InvalidUseException(
                "object to convert: actual=a committed type, expected=a group or dataset, at="
                    + path);
      }
      return scales.resolve(all, work);
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public GroupNode root() {
    return root;
  }

  @Override
  public Map<Long, String> objectPaths() {
    return Collections.unmodifiableMap(paths);
  }

  private void addGroup(Group group, GroupNode node) {
    seen.putIfAbsent(group.token().address(), node.path());
    paths.putIfAbsent(group.token().address(), node.path());
    scales.met(node);
    boolean tracked = group.groupInfo().options().creationOrderTracked();
    node.attributes().addAll(attributes(group));
    List<Link> links =
        group.links(tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME, false).toList();
    for (Link link : links) {
      String path = node.child(link.name());
      if (link.kind() != LinkKind.HARD) {
        addLink(link, node, path);
        continue;
      }
      H5Object object = group.get(link.name());
      opened.add(object);
      addObject(object, node, link.name());
    }
  }

  private void addLink(Link link, GroupNode node, String path) {
    if (link.kind() == LinkKind.USER_DEFINED || !whole) {
      work.reportLoss("a link that is not hard (" + link.kind() + ")", path);
      return;
    }
    boolean external = link.kind() == LinkKind.EXTERNAL;
    node.links()
        .add(
            new NodeLink(
                link.name(),
                external ? NodeLink.Kind.EXTERNAL : NodeLink.Kind.SOFT,
                link.targetFile().orElse(""),
                link.targetPath().orElseThrow()));
  }

  private void addObject(H5Object object, GroupNode node, String name) {
    String path = node.child(name);
    paths.putIfAbsent(object.token().address(), path);
    if (!(object instanceof CommittedType)) {
      String first = seen.putIfAbsent(object.token().address(), path);
      if (first != null) {
        node.links().add(new NodeLink(name, NodeLink.Kind.HARD, "", first));
        return;
      }
    }
    switch (object) {
      case Group group -> {
        GroupNode child = GroupNode.empty(path);
        node.groups().add(child);
        addGroup(group, child);
      }
      case Dataset dataset -> addDataset(dataset, node, name);
      case CommittedType type -> addType(type, node, path, name);
    }
  }

  private void addType(CommittedType type, GroupNode node, String path, String name) {
    if (type.attributeCount() > 0) {
      work.reportLoss("the attributes of a committed datatype", path);
    }
    node.types().add(new NamedType(name, type.datatype()));
  }

  /**
   * Returns whether the file was written by a netCDF-4 library.
   *
   * @return whether the file has the attribute that names the library
   */
  public boolean isNetcdf() {
    return file.root().hasAttribute(ScaleConventions.PROPERTIES);
  }

  private void addDataset(Dataset dataset, GroupNode node, String name) {
    DatasetInfo info = dataset.datasetInfo();
    Hdf5Elements elements = Hdf5Elements.of(dataset, info);
    Traits traits =
        Traits.NONE
            .withAttributes(attributes(dataset))
            .withChunk(elements.chunk())
            .withFilters(info.options().filters());
    Optional<DataBuffer> fill = fill(info);
    Variable variable =
        new Variable(
            node.child(name),
            info.type(),
            info.space(),
            fill.map(traits::withFill).orElse(traits),
            elements);
    scales.met(dataset, name, variable);
    node.variables().add(variable);
  }

  /**
   * Returns the fill value of a dataset.
   *
   * @param info its properties
   * @return one element in memory form; empty if the user gave none, or it has parts in a heap that
   *     are not the text of a string
   */
  static Optional<DataBuffer> fill(DatasetInfo info) {
    if (!(info.options().fill() instanceof FillValue.Value value)) {
      return Optional.empty();
    }
    if (info.type() instanceof VlenStringType) {
      String text = value.value().heap().getString(value.value().elements(), 0);
      return Optional.ofNullable(text).map(AttributeValue::string);
    }
    if (info.type().hasOutOfLineParts()) {
      return Optional.empty();
    }
    Datatype to = info.type().inMemory();
    DataBuffer converted = DataBuffer.allocate(to, 1);
    MemorySegment from = value.value().elements();
    Converter.between(value.type().inMemory(), to)
        .open()
        .convert(from, 0, converted.elements(), 0, 1);
    return Optional.of(converted);
  }

  private static List<AttributeValue> attributes(H5Object object) {
    boolean tracked = object.info().creationOrderTracked();
    List<AttributeValue> values = new ArrayList<>();
    object
        .attributes(tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME, false)
        .forEach(attribute -> values.add(value(attribute)));
    return values;
  }

  private static AttributeValue value(Attribute attribute) {
    Datatype type = attribute.type();
    Dataspace space = attribute.space();
    DataBuffer data = DataBuffer.allocate(type, space.elementCount());
    if (space.elementCount() > 0) {
      attribute.read(type.inMemory(), data);
    }
    return new AttributeValue(attribute.name(), type, space, data);
  }

  /** Closes what was opened in the file, and the file unless it stays open. */
  @Override
  public void close() {
    if (keepsOpen) {
      opened.stream().filter(each -> each != file.root()).forEach(H5Object::close);
    } else {
      file.close();
    }
  }
}
