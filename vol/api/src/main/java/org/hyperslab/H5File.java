package org.hyperslab;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.jspecify.annotations.Nullable;

/**
 * An open file. Its objects form a tree below the {@linkplain #root() root group}; the methods here
 * that take a path are shortcuts for those of the root group.
 *
 * <p>Closing the file closes every object opened through it; using one afterwards is an {@link
 * org.hyperslab.error.InvalidUseException}. Thread rule: any thread.
 */
public final class H5File implements AutoCloseable {

  private final OpenFile file;
  private final Group root;
  private final @Nullable MemoryFile memory;

  private H5File(OpenFile file, @Nullable MemoryFile memory) {
    this.file = file;
    this.memory = memory;
    this.root = new Group(file, file.handle(), "/", false);
  }

  static H5File create(Connector connector, String name, CreateOptions options, Runnable release) {
    Arguments.require(name, "file", "a name");
    Arguments.require(options, "options", "CreateOptions");
    FileCloser closer = new FileCloser(connector, Handle.fresh(), name, true, release);
    return created(closer, options, null);
  }

  static H5File open(Connector connector, String name, OpenOptions options, Runnable release) {
    Arguments.require(name, "file", "a name");
    Arguments.require(options, "options", "OpenOptions");
    FileCloser closer = new FileCloser(connector, Handle.fresh(), name, true, release);
    return opened(closer, options, null);
  }

  static H5File create(MemoryFile memory, CreateOptions options) {
    Arguments.require(options, "options", "CreateOptions");
    return created(closerOf(memory, false), options, memory);
  }

  static H5File open(MemoryFile memory, OpenOptions options) {
    return opened(closerOf(memory, false), options, memory);
  }

  static H5File create(ChannelFile channel, CreateOptions options) {
    Arguments.require(options, "options", "CreateOptions");
    return created(closerOf(channel, true), options, null);
  }

  static H5File open(ChannelFile channel, OpenOptions options) {
    return opened(closerOf(channel, true), options, null);
  }

  private static FileCloser closerOf(ByteStore store, boolean lasting) {
    SharedConnectors.Lease lease = SharedConnectors.leaseOver(store);
    return new FileCloser(lease.connector(), Handle.fresh(), store.name(), lasting, lease::release);
  }

  private static H5File created(
      FileCloser closer, CreateOptions options, @Nullable MemoryFile memory) {
    return opened(
        new OpenFile(closer, new FileOperation.Create(closer.handle(), closer.name(), options)),
        memory);
  }

  private static H5File opened(
      FileCloser closer, OpenOptions options, @Nullable MemoryFile memory) {
    return opened(
        new OpenFile(closer, new FileOperation.Open(closer.handle(), closer.name(), options)),
        memory);
  }

  private static H5File opened(OpenFile file, @Nullable MemoryFile memory) {
    file.awaitOpened();
    return new H5File(file, memory);
  }

  /**
   * {@return the bytes of a file in memory as they would be on a disk, after a flush; also when it
   * is closed}
   *
   * @throws InvalidUseException if the file is not one of {@link Hdf5#createInMemory()} or {@link
   *     Hdf5#openInMemory}, or longer than 2 GiB
   */
  public byte[] toByteArray() {
    if (memory == null) {
      throw new InvalidUseException(
          "content of a file: actual="
              + name()
              + ", expected=a file in memory; read other files with java.nio.file.Files");
    }
    if (!file.isClosed() && Calls.await(file.opened()).writable()) {
      flush();
    }
    if (memory.size() > Integer.MAX_VALUE) {
      throw new InvalidUseException(
          "content of a file in memory: actual=" + memory.size() + ", expected=below 2^31");
    }
    return memory.toByteArray();
  }

  /**
   * {@return the path or URI by which it was opened, without the connector's scheme} A web address
   * is without the user, password and query in it, because these may be secrets.
   */
  public String name() {
    return file.name();
  }

  /**
   * {@return whether calls on metadata are collective: all ranks of a parallel job make them, in
   * the same order}
   */
  public boolean isCollective() {
    return file.isCollective();
  }

  /**
   * {@return whether a file is open through the same connector as this one, so that objects can be
   * copied from one to the other}
   *
   * @param other the other file
   */
  public boolean sharesConnectorWith(H5File other) {
    return file.connector() == other.file.connector();
  }

  /** {@return the root group; always the same object} Closing it does nothing. */
  public Group root() {
    return root;
  }

  /** {@return the current properties of the file: size, version, options of creation} */
  public FileInfo info() {
    return file.call(new FileOperation.Describe(file.handle()));
  }

  /** {@return whether it may be edited} */
  public boolean isWritable() {
    return Calls.await(file.opened()).writable();
  }

  /** {@return whether {@link #close} was called} */
  public boolean isClosed() {
    return file.isClosed();
  }

  /**
   * Opens the object at a path.
   *
   * @param path the path, from the root group
   * @return the open object, which the caller closes
   */
  public H5Object get(String path) {
    return root.get(path);
  }

  /**
   * Opens the group at a path.
   *
   * @param path the path, from the root group
   * @return the open group, which the caller closes
   */
  public Group group(String path) {
    return root.group(path);
  }

  /**
   * Opens the dataset at a path.
   *
   * @param path the path, from the root group
   * @return the open dataset, which the caller closes
   */
  public Dataset dataset(String path) {
    return root.dataset(path);
  }

  /**
   * {@return whether every part of a path leads to something; see {@link Group#exists}}
   *
   * @param path the path, from the root group
   */
  public boolean exists(String path) {
    return root.exists(path);
  }

  /** {@return the names of the root group's links, in alphabetical order} */
  public List<String> names() {
    return root.names();
  }

  /**
   * Sets an attribute of the root group, which is the file's; see {@link
   * H5Object#setAttribute(String, Object)}.
   *
   * @param name the attribute's name
   * @param value the Java value
   * @return the attribute
   */
  public Attribute setAttribute(String name, Object value) {
    return root.setAttribute(name, value);
  }

  /**
   * {@return an attribute of the root group}
   *
   * @param name the attribute's name
   * @throws org.hyperslab.error.NotFoundException if there is none
   */
  public Attribute attribute(String name) {
    return root.attribute(name);
  }

  /**
   * Deletes the link at a path, and its object if no other hard link leads to it; see {@link
   * Group#delete}.
   *
   * @param path the path, from the root group
   */
  public void delete(String path) {
    root.delete(path);
  }

  /**
   * Opens the group at a path, creating it if it does not exist.
   *
   * @param path the path, from the root group
   * @return the open group, which the caller closes
   */
  public Group requireGroup(String path) {
    return root.requireGroup(path);
  }

  /**
   * Opens the dataset at a path, creating it if there is none; see {@link
   * Group#requireDataset(String, Class, long...)}.
   *
   * @param path the path, from the root group
   * @param elementType the Java class of the elements, such as {@code double.class}
   * @param shape the shape in elements, slowest dimension first
   * @return the open dataset, which the caller closes
   */
  public Dataset requireDataset(String path, Class<?> elementType, long... shape) {
    return root.requireDataset(path, elementType, shape);
  }

  /**
   * Creates a dataset with the type, extent and options of another; see {@link Group#createLike}.
   *
   * @param path the path, from the root group
   * @param other the dataset that is imitated, of this or another file
   * @return the open dataset, which the caller closes
   */
  public Dataset createLike(String path, Dataset other) {
    return root.createLike(path, other);
  }

  /**
   * Creates a group; see {@link Group#createGroup(String)}.
   *
   * @param path the path, from the root group
   * @return the open group, which the caller closes
   */
  public Group createGroup(String path) {
    return root.createGroup(path);
  }

  /**
   * Begins the creation of a dataset; see {@link Group#datasetBuilder}.
   *
   * @param path the path, from the root group
   * @return a builder, whose {@code create()} creates the dataset
   */
  public DatasetBuilder datasetBuilder(String path) {
    return root.datasetBuilder(path);
  }

  /**
   * Creates a dataset; see {@link Group#createDataset(String, Datatype, Dataspace)}.
   *
   * @param path the path, from the root group
   * @param type the datatype
   * @param space the extent
   * @return the open dataset, which the caller closes
   */
  public Dataset createDataset(String path, Datatype type, Dataspace space) {
    return root.createDataset(path, type, space);
  }

  /**
   * Does the same as {@link Group#createDataset(String, Class, long...)}.
   *
   * @param path the path, from the root group
   * @param elementType the Java class of the elements, such as {@code double.class}
   * @param shape the shape in elements, slowest dimension first
   * @return the open dataset, which the caller closes
   */
  public Dataset createDataset(String path, Class<?> elementType, long... shape) {
    return root.createDataset(path, elementType, shape);
  }

  /**
   * Creates a dataset that holds a Java value; see {@link Group#createDataset(String, Object)}.
   *
   * @param path the path, from the root group
   * @param value the Java value
   * @return the open dataset, which the caller closes
   */
  public Dataset createDataset(String path, Object value) {
    return root.createDataset(path, value);
  }

  /**
   * Opens the object of this file to which a reference leads.
   *
   * @param reference the reference
   * @return the open object, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if the object no longer exists
   * @throws InvalidUseException if the reference leads into another file, which is to be opened for
   *     its target
   */
  public H5Object dereference(Reference reference) {
    Arguments.require(reference, "reference", "a Reference; one that is null leads nowhere");
    if (reference instanceof Reference.External there) {
      throw new InvalidUseException(
          "reference: actual=into the file "
              + there.file()
              + ", expected=into "
              + name()
              + "; open that file and dereference target() in it");
    }
    return objectOf(new ObjectToken(reference.token()));
  }

  /**
   * Opens the object that a token names.
   *
   * @param token the object's token
   * @return the open object, which the caller closes
   */
  public H5Object objectOf(ObjectToken token) {
    Handle handle = Handle.fresh();
    var opening = file.submit(new ObjectOperation.OpenToken(handle, file.handle(), token));
    return H5Object.opened(file, handle, "(object " + token.address() + ")", Calls.await(opening));
  }

  /**
   * {@return a path by which a token's object can be reached from the root group, if there is one}
   *
   * @param token the object's token
   */
  public Optional<String> pathOf(ObjectToken token) {
    return file.call(new ObjectOperation.PathOf(file.handle(), token));
  }

  /**
   * {@return a call that writes parts of several datasets of this file together} It takes one
   * message to a staging server, or one collective access of all ranks, and so saves most where
   * there are many datasets and small parts.
   */
  public MultiWrite multiWrite() {
    return new MultiWrite(file);
  }

  /** {@return a call that reads parts of several datasets of this file together} */
  public MultiRead multiRead() {
    return new MultiRead(file);
  }

  /** Starts writing in steps, with the default options; see {@link #startSteps(StepOptions)}. */
  public void startSteps() {
    startSteps(StepOptions.DEFAULT);
  }

  /**
   * Starts writing in steps. What {@link Dataset#append} appends between {@link #beginStep} and
   * {@link #endStep} becomes visible together to readers that {@linkplain #follow follow} the file,
   * in this and other processes. Until the file is closed, nothing but appending to the datasets of
   * the steps is possible: they, and all other objects, are created before.
   *
   * <p>The file gets a group {@code /_steps}, in which other programs find what each step has. If
   * it has one, its steps are continued: rows of a step that was not published, because its writer
   * has died, are removed.
   *
   * @param options how steps are buffered and published
   * @throws InvalidUseException if the file is open for reading, if steps are started, if no
   *     dataset can grow without limit along dimension 0, or if the file's format does not permit
   *     readers beside a writer; files are created for that with {@code OpenOptions.EDIT
   *     .withSwmr(true)}
   * @throws UnsupportedFeatureException if readers cannot follow files of the connector
   */
  public void startSteps(StepOptions options) {
    Arguments.require(options, "options", "StepOptions");
    if (!isWritable()) {
      throw new InvalidUseException(
          "startSteps: actual=file opened for reading, expected=opened for editing, at=" + name());
    }
    if (file.steps() == null && isCollective()) {
      throw new UnsupportedFeatureException(
          "startSteps: actual=a file that ranks write together, expected=a file of one writer, at="
              + name()
              + "; write steps through native or a staging server (forwarding)");
    }
    file.startSteps(StepTables.require(root, options.datasets()), options);
  }

  /**
   * Begins a step.
   *
   * @return its number, from 0
   * @throws InvalidUseException if steps are not started, or a step has begun
   */
  public long beginStep() {
    return startedSteps("beginStep").begin();
  }

  /**
   * Ends the step that has begun. It is published before this returns, or within {@link
   * StepOptions#flushEvery}; then it survives as after a {@link #flush}.
   *
   * @return its number
   * @throws InvalidUseException if no step has begun
   * @throws org.hyperslab.error.StorageException if storage fails, or if readers for which the
   *     writer waits take no steps
   */
  public long endStep() {
    return startedSteps("endStep").end();
  }

  /**
   * Drops the step that has begun, and what was appended in it. The next step has its number.
   *
   * @throws InvalidUseException if no step has begun
   */
  public void abandonStep() {
    startedSteps("abandonStep").abandon();
  }

  /**
   * Writes one step: begins it, runs an action, and ends it, or drops it if the action fails.
   *
   * @param action appends to datasets
   * @return the number of the step
   */
  public long step(Runnable action) {
    beginStep();
    try {
      Arguments.require(action, "action", "a Runnable").run();
    } catch (RuntimeException | Error failure) {
      try {
        abandonStep();
      } catch (RuntimeException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
    return endStep();
  }

  private StepWriter startedSteps(String call) {
    StepWriter steps = file.steps();
    if (steps == null) {
      throw new InvalidUseException(
          call + ": actual=steps are not started, expected=startSteps called before, at=" + name());
    }
    return steps;
  }

  /**
   * Follows the steps of the file from its first one, and takes every step; see {@link
   * #follow(FollowOptions)}.
   *
   * @return the steps, to be closed
   */
  public StepReader follow() {
    return follow(FollowOptions.DEFAULT);
  }

  /**
   * Follows the steps of the file, which is open with {@code OpenOptions.READ.withSwmr(true)} if
   * another program may be writing it.
   *
   * @param options where to begin, and what happens when the writer is faster
   * @return the steps, to be closed
   * @throws InvalidUseException if the file has no steps, or its writer cannot wait for readers
   *     although the options demand it
   */
  public StepReader follow(FollowOptions options) {
    return new StepReader(file, root, options);
  }

  /** Makes everything written so far durable, according to the file's options, and waits for it. */
  public void flush() {
    Calls.await(flushAsync());
  }

  /**
   * Like {@link #flush}, without waiting.
   *
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> flushAsync() {
    if (file.steps() != null && !file.isClosed()) {
      file.steps().flush();
    }
    return file.edit(file.submit(new FileOperation.Flush(file.handle())));
  }

  /** Flushes and closes the file and every object opened through it. Closing twice does nothing. */
  @Override
  public void close() {
    file.close();
  }

  /**
   * Like {@link #close}, without waiting; a failure is in the future.
   *
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> closeAsync() {
    return file.closeAsync();
  }

  /** Returns its name, and whether it is closed. */
  @Override
  public String toString() {
    return "H5File[" + file.name() + (file.isClosed() ? ", closed]" : "]");
  }
}
