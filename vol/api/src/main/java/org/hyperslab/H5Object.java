package org.hyperslab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;
import org.jspecify.annotations.Nullable;

/**
 * An open group, dataset or committed datatype, and the operations common to all three.
 *
 * <p>An instance holds a handle that the connector knows and properties that never change; all
 * others are read when they are asked for. Closing an instance releases the handle; the object
 * stays in the file. The handle of an instance that the program loses without closing it is
 * released some time later, except in files of a parallel job. Closing the file closes the instance
 * too. Using a closed object is an {@link InvalidUseException}.
 *
 * <p>Thread rule: any thread.
 */
public abstract sealed class H5Object implements AutoCloseable
    permits Group, Dataset, CommittedType {

  private final OpenFile file;
  private final Handle handle;
  private final String path;

  /** Completes when it is open; null if it has the handle of the file. */
  private final @Nullable CompletableFuture<ObjectInfo> opening;

  private final boolean owned;
  private final ObjectHandles.@Nullable Held held;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates the view of an object whose opening has been submitted.
   *
   * @param path how it was reached, for messages
   * @param opened completes when it is open; null if it has the handle of the file
   * @param owned whether closing it releases the handle
   */
  H5Object(
      OpenFile file,
      Handle handle,
      String path,
      @Nullable CompletableFuture<ObjectInfo> opened,
      boolean owned) {
    this.file = file;
    this.handle = handle;
    this.path = path;
    this.opening = opened;
    this.owned = owned;
    this.held = owned && opened != null ? file.holds(this, handle, opened) : null;
  }

  /** Returns the view of an opened object, of the class that matches its kind. */
  static H5Object opened(OpenFile file, Handle handle, String path, ObjectInfo info) {
    CompletableFuture<ObjectInfo> done = CompletableFuture.completedFuture(info);
    return switch (info.kind()) {
      case GROUP -> new Group(file, handle, path, done);
      case DATASET -> new Dataset(file, handle, path, done);
      case COMMITTED_TYPE -> new CommittedType(file, handle, path, done);
    };
  }

  /**
   * {@return the path by which it was opened or created; the object may have others, or none any
   * more}
   */
  public final String path() {
    return path;
  }

  /**
   * {@return the path from the root group by hard links, the first found in name order, if there is
   * one} For an object behind an external link, the path is in the file that holds it.
   */
  public final Optional<String> findPath() {
    return call(new ObjectOperation.PathOf(home(), token()));
  }

  /** {@return what kind of object it is} */
  public abstract ObjectKind kind();

  /** {@return the token that identifies the object in its file as long as it exists} */
  public final ObjectToken token() {
    return isFileHandle() ? info().token() : Calls.await(opening()).token();
  }

  /** {@return the current properties of the object} */
  public final ObjectInfo info() {
    return call(new ObjectOperation.Describe(here()));
  }

  /**
   * {@return the sizes of its metadata in the file, for which all its indexes and heaps are
   * traversed}
   */
  public final StorageSizes storageSizes() {
    return call(new ObjectOperation.Measure(here()));
  }

  /**
   * Returns a future that completes when the object has been opened or created, with its properties
   * at that time.
   *
   * @return a future of the result, or of the failure
   */
  public final CompletableFuture<ObjectInfo> opened() {
    return isFileHandle() ? submit(new ObjectOperation.Describe(here())) : opening();
  }

  /** {@return whether {@link #close} was called on it or its file} */
  public final boolean isClosed() {
    return closed.get() || file.isClosed();
  }

  /**
   * {@return whether two objects, perhaps opened by different paths, are the same in one file}
   *
   * @param other the object to compare with
   */
  public final boolean isSameAs(H5Object other) {
    if (file.connector() != other.file.connector()) {
      return false;
    }
    ObjectInfo mine = info();
    ObjectInfo theirs = other.info();
    return mine.fileNumber() == theirs.fileNumber() && mine.token().equals(theirs.token());
  }

  /**
   * {@return a reference to the object, as a value that datasets and attributes of this file can
   * hold}
   *
   * @throws InvalidUseException if the object is behind an external link, in another file: what the
   *     value holds is a place in the file that holds it
   */
  public final Reference.ToObject reference() {
    requireOwnFile();
    return new Reference.ToObject(token().address());
  }

  /**
   * Requires that the object is in the file through which it was opened.
   *
   * @throws InvalidUseException if it is behind an external link
   */
  final void requireOwnFile() {
    if (isForeign()) {
      throw new InvalidUseException(
          "reference: actual="
              + path
              + " refers to an object in another file, expected=an object in "
              + file.name()
              + "; open the other file and refer to the object there, or, where the upper bound is"
              + " V112 or newer, write a Reference.External that names the file");
    }
  }

  /** Returns a reference to this object that can be stored in the file of {@code holder}. */
  final Reference.ToObject referenceFor(H5Object holder) {
    if (fileNumber() != holder.fileNumber()) {
      throw new InvalidUseException(
          "reference: actual="
              + path
              + " is not in the file of "
              + holder.path
              + ", expected=both in one file");
    }
    return new Reference.ToObject(token().address());
  }

  /** Returns whether it is in a file other than the one through which it was opened. */
  final boolean isForeign() {
    return fileNumber() != Calls.await(file.opened()).fileNumber();
  }

  final long fileNumber() {
    return isFileHandle()
        ? Calls.await(file.opened()).fileNumber()
        : Calls.await(opening()).fileNumber();
  }

  /**
   * Returns the handle of a file in which the object is, to which its tokens and references belong.
   */
  final Handle home() {
    return isForeign() ? handle : file.handle();
  }

  /** {@return its comment, if it has one} */
  public final Optional<String> comment() {
    return info().comment();
  }

  /**
   * Sets the comment.
   *
   * @param comment the comment
   */
  public final void setComment(String comment) {
    Arguments.require(comment, "comment", "a String; removeComment removes it");
    call(new ObjectOperation.SetComment(here(), Optional.of(comment)));
  }

  /** Removes the comment, if there is one. */
  public final void removeComment() {
    call(new ObjectOperation.SetComment(here(), Optional.empty()));
  }

  // --- attributes ---

  /**
   * {@return its attributes in name order, fetched page by page as the stream is consumed}
   * Attributes may be made and deleted meanwhile; one that exists throughout is listed once.
   */
  public final Stream<Attribute> attributes() {
    return attributes(IterationIndex.NAME, false);
  }

  /**
   * {@return its attributes in an order}
   *
   * @param index the order of the listing
   * @param descending whether the order is reversed
   * @throws InvalidUseException if creation order is asked for and the object does not track it
   */
  public final Stream<Attribute> attributes(IterationIndex index, boolean descending) {
    PageRequest first = new PageRequest(index, descending, 0, PageRequest.DEFAULT_LIMIT);
    return Listing.stream(
            first,
            Listing.ofAttributes(index),
            page -> call(new AttributeOperation.ListAttributes(here(), page)))
        .map(info -> new Attribute(this, info));
  }

  /**
   * {@return its attributes' values by name, in name order, each as {@link Attribute#read()} gives
   * it: a copy that does not change with the object}
   */
  public final Map<String, Object> attributeMap() {
    Map<String, Object> values = new LinkedHashMap<>();
    attributes().forEach(attribute -> values.put(attribute.name(), attribute.read()));
    return Collections.unmodifiableMap(values);
  }

  /** {@return how many attributes it has} */
  public final long attributeCount() {
    return info().attributeCount();
  }

  /**
   * {@return the attribute of a name}
   *
   * @param name the attribute's name
   * @throws NotFoundException if there is none
   */
  public final Attribute attribute(String name) {
    Arguments.attributeName(name);
    return new Attribute(this, seek(name, new AttributeOperation.Describe(here(), name)));
  }

  /**
   * {@return the value of an attribute, or the given one if there is no attribute of that name:
   * {@code attribute("units", "1")}}
   *
   * @param <T> the type of the value
   * @param name the attribute's name
   * @param otherwise the value returned if there is none; its class is the Java type that is read
   * @throws InvalidUseException if the type or shape of the attribute cannot be converted to that
   *     class
   */
  public final <T> T attribute(String name, T otherwise) {
    Arguments.require(
        otherwise, "value otherwise", "a value, whose class is read; or hasAttribute");
    if (!hasAttribute(name)) {
      return otherwise;
    }
    @SuppressWarnings("unchecked") // an object's own class, or that of its enum
    Class<T> javaType =
        (Class<T>)
            (otherwise instanceof Enum<?> constant
                ? constant.getDeclaringClass()
                : otherwise.getClass());
    return attribute(name).read(javaType);
  }

  /**
   * {@return whether it has an attribute of that name}
   *
   * @param name the attribute's name
   */
  public final boolean hasAttribute(String name) {
    return call(new AttributeOperation.Exists(here(), Arguments.attributeName(name)));
  }

  /**
   * Creates an attribute whose elements are zeros until they are written.
   *
   * @param name the attribute's name
   * @param type the datatype
   * @param space the extent
   * @return the attribute
   * @throws org.hyperslab.error.AlreadyExistsException if there is one of that name
   */
  public final Attribute createAttribute(String name, Datatype type, Dataspace space) {
    return createAttribute(name, spec(name, type, Optional.empty(), space));
  }

  /**
   * Creates an attribute whose datatype is a committed type of the same file, which it shares.
   *
   * @param name the attribute's name
   * @param type an open committed type of the same file
   * @param space the extent
   * @return the attribute
   */
  public final Attribute createAttribute(String name, CommittedType type, Dataspace space) {
    Arguments.require(type, "type", "a CommittedType");
    return createAttribute(name, spec(name, type.datatype(), Optional.of(type.handle()), space));
  }

  private static AttributeOperation.Spec spec(
      String name, Datatype type, Optional<Handle> committed, Dataspace space) {
    return new AttributeOperation.Spec(
        Arguments.require(type, "type", "a Datatype"),
        committed,
        Arguments.require(space, "space", "a Dataspace"),
        charsetOf(name));
  }

  /**
   * Creates an attribute that holds a Java value, without waiting. Unlike {@link
   * #setAttribute(String, Object)} it fails if the name exists.
   *
   * @param name the attribute's name
   * @param value the Java value
   * @return completes when it is written; fails with {@link
   *     org.hyperslab.error.AlreadyExistsException} if there is one of that name
   */
  public final CompletableFuture<Void> createAttributeAsync(String name, Object value) {
    return setStarted(name, value, false);
  }

  /**
   * Like {@link #setAttribute(String, Object)}, without waiting for anything.
   *
   * @param name the attribute's name
   * @param value the Java value
   * @return completes when it is written, or fails with what it was refused for, and then an
   *     attribute of that name is as it was
   */
  public final CompletableFuture<Void> setAttributeAsync(String name, Object value) {
    return setStarted(name, value, true);
  }

  private CompletableFuture<Void> setStarted(String name, Object value, boolean replace) {
    return file.edit(
        () -> {
          Memory memory = Memory.of(value);
          return submit(set(name, memory, memory.type(), replace)).thenApply(info -> null);
        },
        started -> named(started, () -> ErrorContext.attribute(name, place())));
  }

  private Attribute createAttribute(String name, AttributeOperation.Spec spec) {
    call(new AttributeOperation.Create(here(), name, spec));
    return attribute(name);
  }

  /**
   * Creates an attribute that holds a Java value, replacing one of that name: a number, boolean,
   * String, enum constant, record or {@link Reference}, or an array of any dimensions of them.
   * Strings are stored with variable length; datatypes follow the Java types.
   *
   * <p>The change is atomic: other readers, and a file after a crash or an error, have either the
   * old attribute or the new one.
   *
   * @param name the attribute's name
   * @param value the Java value
   * @return the attribute
   */
  public final Attribute setAttribute(String name, Object value) {
    return setAttributeAs(name, value, null);
  }

  /**
   * Like {@link #setAttribute(String, Object)}, stored as a given datatype.
   *
   * @param name the attribute's name
   * @param value the Java value
   * @param type the datatype
   * @return the attribute
   */
  public final Attribute setAttribute(String name, Object value, Datatype type) {
    return setAttributeAs(name, value, Arguments.require(type, "type", "a Datatype"));
  }

  /** Writes an attribute as a type; a null type is derived from the value. */
  private Attribute setAttributeAs(String name, Object value, @Nullable Datatype type) {
    try {
      Memory memory = type == null ? Memory.of(value) : Memory.of(value, type);
      Datatype stored = type == null ? memory.type() : type;
      return new Attribute(this, call(set(name, memory, stored, true)));
    } catch (HyperslabException failure) {
      throw ErrorContext.named(failure, ErrorContext.attribute(name, place()));
    }
  }

  private AttributeOperation.Set set(String name, Memory memory, Datatype type, boolean replace) {
    memory.checkWhole("attribute " + name, memory.space().elementCount());
    Datatype memoryType = memory.type().inMemory();
    return new AttributeOperation.Set(
        here(),
        name,
        spec(name, type, Optional.empty(), memory.space()),
        replace,
        new AttributeOperation.Content(
            memoryType, exact(memory.data(), memoryType, memory.space())));
  }

  /**
   * Returns the part of a buffer that holds the elements of an extent; the buffer itself if it is
   * shorter.
   */
  static DataBuffer exact(DataBuffer buffer, Datatype memoryType, Dataspace space) {
    long bytes = Math.multiplyExact(space.elementCount(), (long) memoryType.size());
    return buffer.elements().byteSize() <= bytes
        ? buffer
        : new DataBuffer(buffer.elements().asSlice(0, bytes), buffer.heap());
  }

  /**
   * Deletes an attribute.
   *
   * @param name the attribute's name
   */
  public final void deleteAttribute(String name) {
    seek(name, new AttributeOperation.Delete(here(), Arguments.attributeName(name)));
  }

  /**
   * Renames an attribute.
   *
   * @param from the present name
   * @param to the new name
   * @throws org.hyperslab.error.AlreadyExistsException if {@code to} exists
   */
  public final void renameAttribute(String from, String to) {
    Arguments.attributeName(from);
    seek(from, new AttributeOperation.Rename(here(), from, Arguments.attributeName(to)));
  }

  private <R> R seek(String attribute, Operation<R> operation) {
    return NearNames.seekAttribute(this::call, file.isCollective(), here(), attribute, operation);
  }

  // --- the whole object ---

  /**
   * Copies the object, with everything below it and its attributes, to a path in a group of this or
   * another file of the same connector.
   *
   * @param destination the group that receives the link to the copy
   * @param destinationPath the path of the copy, from the destination
   * @throws org.hyperslab.error.AlreadyExistsException if the path exists
   * @throws UnsupportedFeatureException if the files were opened by different connectors; a file in
   *     memory has a connector of its own
   */
  public final void copyTo(Group destination, String destinationPath) {
    copyTo(destination, destinationPath, CopyOptions.DEFAULT);
  }

  /**
   * Copies the object with options; see {@link #copyTo(Group, String)}.
   *
   * @param destination the group that receives the link to the copy
   * @param destinationPath the path of the copy, from the destination
   * @param options how the object is copied
   */
  public final void copyTo(Group destination, String destinationPath, CopyOptions options) {
    checkOpen();
    requireSameConnector(requireDestination(destination));
    destination.call(
        new ObjectOperation.Copy(
            here(), destination.at(destinationPath), options, linkOptions(destinationPath, true)));
  }

  /** Opens the object that a token names in the file in which {@code holder} is. */
  static H5Object byToken(H5Object holder, ObjectToken token) {
    Handle handle = Handle.fresh();
    OpenFile file = holder.file();
    ObjectInfo info = file.call(new ObjectOperation.OpenToken(handle, holder.home(), token));
    return opened(file, handle, "(object " + token.address() + ")", info);
  }

  /** Refuses a null group to copy or move to. */
  static Group requireDestination(Group group) {
    return Arguments.require(group, "destination", "an open group");
  }

  /** Requires that a connector which copies this object to a group has both files open. */
  final void requireSameConnector(Group destination) {
    if (file.connector() != destination.file().connector()) {
      throw new UnsupportedFeatureException(
          "copy: actual=from "
              + file.name()
              + " to "
              + destination.file().name()
              + ", which another connector has open, expected=two files of one connector; open"
              + " both in one session, store a file in memory with toByteArray() first, or read"
              + " and write the elements");
    }
  }

  /** Makes everything written to the object durable, and waits for it. */
  public final void flush() {
    call(new ObjectOperation.Flush(handle));
  }

  /**
   * Like {@link #flush}, without waiting.
   *
   * @return a future that completes when the operation is done, or with its failure
   */
  public final CompletableFuture<Void> flushAsync() {
    return edited(() -> submit(new ObjectOperation.Flush(handle)));
  }

  /**
   * Discards cached data of the object, so that it is read again. A reader of a file that a SWMR
   * writer appends to calls this to see new data.
   */
  public final void refresh() {
    call(new ObjectOperation.Refresh(handle));
  }

  /** Releases the handle. Closing twice, or after the file, does nothing. */
  @Override
  public void close() {
    if (owned && closed.compareAndSet(false, true)) {
      Calls.await(file.release(handle, held));
    }
  }

  /**
   * Like {@link #close}, without waiting; a failure is in the future.
   *
   * @return a future that completes when the operation is done, or with its failure
   */
  public final CompletableFuture<Void> closeAsync() {
    return owned && closed.compareAndSet(false, true)
        ? file.release(handle, held)
        : CompletableFuture.completedFuture(null);
  }

  /** Returns its class, path and file. */
  @Override
  public String toString() {
    return getClass().getSimpleName()
        + "["
        + path
        + " in "
        + file.name()
        + (isClosed() ? ", closed]" : "]");
  }

  // --- for the package ---

  /**
   * Returns the options of a transfer within a call that all ranks of a parallel job make together;
   * filtered elements, for example, cannot be written otherwise.
   */
  final TransferOptions together() {
    return file.isCollective() ? TransferOptions.COLLECTIVE : TransferOptions.DEFAULT;
  }

  final OpenFile file() {
    return file;
  }

  final Handle handle() {
    return handle;
  }

  final Location here() {
    return Location.of(handle);
  }

  final Location at(String relative) {
    return new Location(handle, Arguments.path(relative));
  }

  /** Returns the path of a name below this object, for messages. */
  final String pathOf(String relative) {
    if (relative.startsWith("/")) {
      return relative;
    }
    return path.endsWith("/") ? path + relative : path + "/" + relative;
  }

  final <R> CompletableFuture<R> submit(Operation<R> operation) {
    if (closed.get()) {
      return CompletableFuture.failedFuture(closedObject());
    }
    return file.submit(operation, this);
  }

  /**
   * Derives a future whose failure names a place. This does not count as observing the original.
   */
  static <R> CompletableFuture<R> named(CompletableFuture<R> call, Supplier<String> place) {
    return renamed(
        call,
        failure ->
            Connectors.causeOf(failure) instanceof HyperslabException typed
                ? ErrorContext.named(typed, place.get())
                : failure);
  }

  /** Derives a future whose failure is the result of a function. */
  static <R> CompletableFuture<R> renamed(
      CompletableFuture<R> call, UnaryOperator<Throwable> told) {
    if (call.isDone() && !call.isCompletedExceptionally()) {
      return call;
    }
    CompletableFuture<R> named =
        call.exceptionallyCompose(failure -> CompletableFuture.failedFuture(told.apply(failure)));
    // Cancelling it cancels the call, which gives the caller's buffers back.
    TrackedFuture.watch(
        named,
        (result, failure) -> {
          if (named.isCancelled()) {
            call.cancel(true);
          }
        });
    return named;
  }

  /**
   * Starts a call on this object. Its future has every failure, those found before anything is
   * submitted included, and failures name this object.
   */
  final <R> CompletableFuture<R> started(Supplier<CompletableFuture<R>> call) {
    return named(caught(call), this::place);
  }

  /** Starts an edit of this object; a failure that nobody sees is reported by the next flush. */
  final <R> CompletableFuture<R> edited(Supplier<CompletableFuture<R>> call) {
    return file.edit(call, started -> named(started, this::place));
  }

  /** Returns the future of a call; one that failed with what the call throws. */
  static <R> CompletableFuture<R> caught(Supplier<CompletableFuture<R>> call) {
    try {
      return call.get();
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  final <R> R call(Operation<R> operation) {
    try {
      return Calls.await(submit(operation));
    } catch (HyperslabException failure) {
      throw ErrorContext.named(failure, ErrorContext.of(operation, place()));
    }
  }

  /** Waits for a call on this object; the error names the object. */
  final <R> R await(CompletableFuture<R> call) {
    try {
      return Calls.await(call);
    } catch (HyperslabException failure) {
      throw located(failure);
    }
  }

  /** Makes a call on this object; the error names the object. */
  final <R> R located(Supplier<R> call) {
    try {
      return call.get();
    } catch (HyperslabException failure) {
      throw located(failure);
    } catch (OutOfMemoryError exhausted) {
      throw located(StorageException.outOfMemory("the elements in memory", exhausted));
    }
  }

  /** Returns a failure that names this object. */
  final HyperslabException located(HyperslabException failure) {
    return ErrorContext.named(failure, place());
  }

  /** Returns its kind, its path and its file, for messages. */
  final String place() {
    String kind = kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return kind + " " + path + " in " + file.name();
  }

  final void checkOpen() {
    if (isClosed()) {
      throw closedObject();
    }
  }

  /**
   * Returns link options for a path, with the character set that its last name needs. Parent groups
   * that are created have their own.
   */
  static LinkOptions linkOptions(String path, boolean createIntermediate) {
    String name = Arguments.path(path).endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return LinkOptions.builder()
        .createIntermediate(createIntermediate)
        .charset(charsetOf(name.substring(name.lastIndexOf('/') + 1)))
        .build();
  }

  static CharacterSet charsetOf(String name) {
    return Arguments.attributeName(name).chars().allMatch(c -> c < 128)
        ? CharacterSet.ASCII
        : CharacterSet.UTF8;
  }

  private InvalidUseException closedObject() {
    return new InvalidUseException(
        "object: actual=closed, expected=open, at="
            + path
            + " in "
            + file.name()
            + "; open it again from its file");
  }

  /** Returns whether it has been opened successfully. */
  final boolean isOpened() {
    return opening == null || (opening.isDone() && !opening.isCompletedExceptionally());
  }

  private boolean isFileHandle() {
    return opening == null;
  }

  private CompletableFuture<ObjectInfo> opening() {
    return Objects.requireNonNull(opening);
  }
}
