package org.hyperslab;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;

/**
 * Collects what a new dataset is made of, and creates it: {@code
 * group.datasetBuilder("x").value(rows).maxShape(Hdf5.UNLIMITED, 3).options(o ->
 * o.deflate(4)).create()}.
 *
 * <p>Either a value is given, whose type and shape the dataset gets, or a type and a shape; without
 * a shape the dataset is a scalar. A type beside a value is what the value is stored as.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class DatasetBuilder {

  private final Group group;
  private final String path;
  private Optional<Object> value = Optional.empty();
  private Optional<Datatype> type = Optional.empty();
  private Optional<Handle> committed = Optional.empty();
  private Optional<Dataspace> space = Optional.empty();
  private Optional<long[]> maxShape = Optional.empty();
  private DatasetOptions options = DatasetOptions.DEFAULT;
  private Optional<LinkOptions> link = Optional.empty();

  DatasetBuilder(Group group, String path) {
    this.group = group;
    this.path = path;
  }

  /**
   * Sets what the dataset holds: a number, boolean, String, enum constant, record or reference, or
   * an array of any dimensions of them.
   *
   * @param newValue the Java value
   * @return this builder
   */
  public DatasetBuilder value(Object newValue) {
    value = Optional.of(Arguments.require(newValue, "value", "a Java value"));
    return this;
  }

  /**
   * Sets the class of the elements, from which the datatype is derived.
   *
   * @param elementType a primitive class, String, an enum, a record
   * @return this builder
   */
  public DatasetBuilder type(Class<?> elementType) {
    return type(JavaTypes.typeOf(elementType));
  }

  /**
   * Sets the datatype.
   *
   * @param newType the datatype
   * @return this builder
   */
  public DatasetBuilder type(Datatype newType) {
    type = Optional.of(Arguments.require(newType, "type", "a Datatype"));
    committed = Optional.empty();
    return this;
  }

  /**
   * Sets a committed datatype, which the dataset shares.
   *
   * @param newType an open committed type of the same file
   * @return this builder
   */
  public DatasetBuilder type(CommittedType newType) {
    Arguments.require(newType, "type", "a CommittedType");
    type = Optional.of(newType.datatype());
    committed = Optional.of(newType.handle());
    return this;
  }

  /**
   * Sets the shape.
   *
   * @param dims the lengths in elements, slowest dimension first; none for a scalar
   * @return this builder
   */
  public DatasetBuilder shape(long... dims) {
    return space(Dataspace.simple(dims));
  }

  /**
   * Sets the extent.
   *
   * @param newSpace the extent, with its maximum
   * @return this builder
   */
  public DatasetBuilder space(Dataspace newSpace) {
    space = Optional.of(Arguments.require(newSpace, "space", "a Dataspace"));
    return this;
  }

  /**
   * Sets the maximum shape up to which the dataset can grow by {@link Dataset#setExtent} and {@link
   * Dataset#append}.
   *
   * @param dims for each dimension the largest extent, or {@link Hdf5#UNLIMITED}
   * @return this builder
   */
  public DatasetBuilder maxShape(long... dims) {
    maxShape = Optional.of(Arguments.require(dims, "maxShape", "an extent for each dimension"));
    return this;
  }

  /**
   * Sets how the dataset is created.
   *
   * @param newOptions the options, in place of those set before
   * @return this builder
   */
  public DatasetBuilder options(DatasetOptions newOptions) {
    options = Arguments.require(newOptions, "options", "DatasetOptions");
    return this;
  }

  /**
   * Sets some options: {@code options(o -> o.chunked(100, 100).shuffle().deflate(4))}.
   *
   * @param setter sets them on the builder that it is given, which starts with those set before
   * @return this builder
   */
  public DatasetBuilder options(Consumer<DatasetOptions.Builder> setter) {
    Arguments.require(setter, "options", "a function that sets them");
    DatasetOptions.Builder changed = options.toBuilder();
    setter.accept(changed);
    options = changed.build();
    return this;
  }

  /**
   * Sets how the dataset is linked; by default missing parent groups are created.
   *
   * @param newLink how the link is made
   * @return this builder
   */
  public DatasetBuilder link(LinkOptions newLink) {
    link = Optional.of(Arguments.require(newLink, "link", "LinkOptions"));
    return this;
  }

  /**
   * Creates the dataset. If it holds a value, it is created completely or not at all: it is linked
   * after its elements have been written, and is deleted if writing fails.
   *
   * @return the open dataset, which the caller closes
   * @throws AlreadyExistsException if the path exists
   * @throws InvalidUseException if the value's class has no datatype, if the maximum shape has
   *     another rank than the shape or is less, if there is neither a value nor a type, or a shape
   *     beside a value
   */
  public Dataset create() {
    if (value.isEmpty()) {
      return Group.created(createAsync());
    }
    if (space.isPresent()) {
      throw new InvalidUseException(
          "shape: actual=given with a value, expected=a value, or a type and a shape, at="
              + group.pathOf(path));
    }
    return createHolding(value.get());
  }

  /**
   * Creates the dataset without waiting: it can be written at once, and a failure is reported by
   * {@link Dataset#opened()} and in everything done with the dataset.
   *
   * @return the open dataset, which the caller closes
   * @throws InvalidUseException if a value is given, which has to be written first, or no type
   */
  public Dataset createAsync() {
    if (value.isPresent()) {
      throw new InvalidUseException(
          "creation without waiting: actual=with a value, expected=with a type and a shape; write"
              + " the value with writeAsync");
    }
    return group.createDatasetAsync(path, spec(space.orElseGet(Dataspace::scalar)), linking());
  }

  private LinkOptions linking() {
    return link.orElseGet(() -> H5Object.linkOptions(path, true));
  }

  private DatasetOperation.Spec spec(Dataspace extent) {
    Datatype stored =
        type.orElseThrow(() ->
            new InvalidUseException(
                "type: actual=none, expected=a type or a value, at=" + group.pathOf(path)));
    Dataspace whole = maxShape.map(most -> Dataspace.simple(extent.dims(), most)).orElse(extent);
    return Group.spec(stored, committed, whole, options);
  }

  private Dataset createHolding(Object held) {
    Arguments.newPath(path, "createAnonymousDataset");
    Memory memory = memoryFor(held);
    if (type.isEmpty()) {
      type = Optional.of(memory.type());
    }
    DatasetOperation.Spec spec = spec(memory.space());
    CompletableFuture<Boolean> taken = group.submit(new LinkOperation.Exists(group.at(path)));
    Dataset dataset = group.createDatasetAsync(group.at(""), path, spec, LinkOptions.DEFAULT);
    boolean written = false;
    try {
      requireFree(taken);
      Group.created(dataset).write(Selection.all(), memory, group.together());
      written = true;
      group.link(dataset, path, linking());
      return dataset;
    } catch (RuntimeException | Error failure) {
      Group.discard(dataset, failure);
      if (written && failure instanceof InvalidUseException refusal) {
        return createElsewhere(refusal);
      }
      throw failure;
    }
  }

  /**
   * Creates the dataset where an external link on the path leads, because a dataset cannot be
   * linked into a file other than that in which it was created.
   *
   * @param refusal thrown if the path stays in this group's file
   */
  private Dataset createElsewhere(InvalidUseException refusal) {
    for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      String parent = path.substring(0, end);
      if (group.isClosed() || !group.resolves(parent)) {
        continue;
      }
      try (H5Object there = group.get(parent)) {
        if (there instanceof Group other && other.fileNumber() != group.fileNumber()) {
          return in(other, path.substring(end + 1)).create();
        }
        throw refusal;
      }
    }
    throw refusal;
  }

  /** Returns what is set, for a path in another group. */
  private DatasetBuilder in(Group other, String otherPath) {
    DatasetBuilder moved = new DatasetBuilder(other, otherPath);
    moved.value = value;
    moved.type = type;
    moved.committed = committed;
    moved.maxShape = maxShape;
    moved.options = options;
    moved.link = link;
    return moved;
  }

  private Memory memoryFor(Object held) {
    try {
      return Memory.of(held);
    } catch (HyperslabException failure) {
      throw ErrorContext.named(
          failure, "dataset " + group.pathOf(path) + " in " + group.file().name());
    }
  }

  private void requireFree(CompletableFuture<Boolean> taken) {
    if (group.holds(() -> Calls.await(taken))) {
      throw new AlreadyExistsException(
          "link: actual=exists, expected=none, at="
              + group.pathOf(path)
              + " in "
              + group.file().name());
    }
  }
}
