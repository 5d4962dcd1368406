package org.hyperslab;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.PageRequest;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;

/**
 * An open group: named links to objects.
 *
 * <p>A path consists of names separated by "/". It is relative to this group, or to the root group
 * if it begins with "/". Methods that create an object or link also create missing parent groups,
 * unless {@link LinkOptions} say otherwise. The path of a new object must not be empty; {@link
 * #createAnonymousGroup}, {@link #createAnonymousDataset} and {@link #commitAnonymous} create
 * objects without a link.
 *
 * <p>Asynchronous methods return the new object at once. They throw only what arguments show by
 * themselves, such as null; all other failures are in {@link #opened()} and in everything done with
 * the object.
 *
 * <p>Errors common to all: {@link NotFoundException} naming the part of a path that is missing;
 * {@link InvalidUseException} for a closed group, for an edit of a file opened for reading, for
 * arguments that are null, and for a path with a component that is not a group.
 */
public final class Group extends H5Object {

  /** The name that messages give to an object without a link. */
  private static final String ANONYMOUS = "(anonymous)";

  private static final int EXTERNAL_CLASS = 64;

  Group(OpenFile file, Handle handle, String path, CompletableFuture<ObjectInfo> opened) {
    super(file, handle, path, opened, true);
  }

  /** The root group under the file's own handle. */
  Group(OpenFile file, Handle fileHandle, String path, boolean owned) {
    super(file, fileHandle, path, null, owned);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.GROUP;
  }

  /** {@return the current properties of the group: its links and how they are stored} */
  public GroupInfo groupInfo() {
    return call(new GroupOperation.Describe(here()));
  }

  /** {@return how many links it has} */
  public long size() {
    return groupInfo().linkCount();
  }

  // --- opening ---

  /**
   * Opens the object at a path. The class of the result depends on the kind of object.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open object, which the caller closes
   */
  public H5Object get(String path) {
    Handle handle = Handle.fresh();
    ObjectInfo info = seek(path, new ObjectOperation.Open(handle, at(path)));
    return opened(file(), handle, pathOf(path), info);
  }

  /**
   * Opens the group at a path.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open group, which the caller closes
   * @throws InvalidUseException if another kind of object is there
   */
  public Group group(String path) {
    return expect(get(path), Group.class, ObjectKind.GROUP);
  }

  /**
   * Opens the dataset at a path.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open dataset, which the caller closes
   * @throws InvalidUseException if another kind of object is there
   */
  public Dataset dataset(String path) {
    return expect(get(path), Dataset.class, ObjectKind.DATASET);
  }

  /**
   * Opens the committed datatype at a path.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open committed type, which the caller closes
   * @throws InvalidUseException if another kind of object is there
   */
  public CommittedType committedType(String path) {
    return expect(get(path), CommittedType.class, ObjectKind.COMMITTED_TYPE);
  }

  private <R> R seek(String path, Operation<R> operation) {
    return NearNames.seek(this::call, file().isCollective(), this::at, path, operation);
  }

  private static <T extends H5Object> T expect(H5Object object, Class<T> type, ObjectKind wanted) {
    if (type.isInstance(object)) {
      return type.cast(object);
    }
    try (object) {
      throw new InvalidUseException(
          "kind of object: actual="
              + object.kind()
              + ", expected="
              + wanted
              + ", at="
              + object.path()
              + " in "
              + object.file().name()
              + "; open it with "
              + opener(object.kind()));
    }
  }

  private static String opener(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "group()";
      case DATASET -> "dataset()";
      case COMMITTED_TYPE -> "committedType()";
    };
  }

  /**
   * {@return whether there is a link at a path; a soft or external link counts even if it leads
   * nowhere} False where a part of the path is missing or is no group.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   */
  public boolean exists(String path) {
    Arguments.path(path);
    return holds(() -> call(new LinkOperation.Exists(at(path))));
  }

  /**
   * {@return whether a path leads to an object, all links followed; false if one of them is a
   * user-defined link, which leads nowhere without the program that defines it}
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   */
  public boolean resolves(String path) {
    Arguments.path(path);
    try {
      return holds(() -> call(new ObjectOperation.Describe(at(path))).kind() != null);
    } catch (UnsupportedFeatureException unsupported) {
      if (new UserDefinedLinks(link -> link(link).info()).areOn(path)) {
        return false;
      }
      throw unsupported;
    }
  }

  /** Returns the answer to a question about a path; false if a part of the path is missing. */
  boolean holds(BooleanSupplier question) {
    checkOpen();
    try {
      return question.getAsBoolean();
    } catch (NotFoundException e) {
      return false; // a part of the path is missing
    } catch (InvalidUseException e) {
      checkOpen(); // closed meanwhile: that is no answer
      return false; // a part of the path is no group, or its links go in a circle
    }
  }

  // --- groups ---

  /**
   * Creates a group and its missing parent groups.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open group, which the caller closes
   * @throws org.hyperslab.error.AlreadyExistsException if the path exists
   */
  public Group createGroup(String path) {
    return createGroup(path, GroupOptions.DEFAULT);
  }

  /**
   * Like {@link #createGroup(String)}, with options.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param options how the group is created
   * @return the open group, which the caller closes
   */
  public Group createGroup(String path, GroupOptions options) {
    return createGroup(path, options, linkOptions(path, true));
  }

  /**
   * Like {@link #createGroup(String)}, with options for the link too.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param options how the group is created
   * @param link how the link is made
   * @return the open group, which the caller closes
   */
  public Group createGroup(String path, GroupOptions options, LinkOptions link) {
    return created(createGroupAsync(path, options, link));
  }

  /**
   * Like {@link #createGroup(String)}, without waiting: the group can be used at once, and a
   * failure is reported by {@link #opened()} and in everything done with the group.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open group, which the caller closes
   */
  public Group createGroupAsync(String path) {
    return createGroupAsync(path, GroupOptions.DEFAULT, linkOptions(path, true));
  }

  /**
   * Like {@link #createGroupAsync(String)}, with options.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param options how the group is created
   * @param link how the link is made
   * @return the open group, which the caller closes
   */
  public Group createGroupAsync(String path, GroupOptions options, LinkOptions link) {
    Location place = at(Arguments.newPath(path, "createAnonymousGroup"));
    return createGroupAsync(place, pathOf(path), options, link);
  }

  private Group createGroupAsync(
      Location place, String path, GroupOptions options, LinkOptions link) {
    Arguments.require(options, "options", "GroupOptions");
    Arguments.require(link, "link", "LinkOptions");
    Handle handle = Handle.fresh();
    var created = file().edit(submit(new GroupOperation.Create(handle, place, options, link)));
    return new Group(file(), handle, path, created);
  }

  /**
   * Creates a group without a link. The group is deleted when it is closed, unless {@link
   * #createHardLink(String, H5Object)} has linked it.
   *
   * @return the open group, which the caller closes
   */
  public Group createAnonymousGroup() {
    return created(createGroupAsync(at(""), ANONYMOUS, GroupOptions.DEFAULT, LinkOptions.DEFAULT));
  }

  /**
   * Opens the group at a path, creating it if it does not exist.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return the open group, which the caller closes
   */
  public Group requireGroup(String path) {
    try {
      return exists(path) ? group(path) : createGroup(path);
    } catch (AlreadyExistsException createdSince) {
      return group(path); // by another thread, or another client of a server
    }
  }

  // --- datasets ---

  /**
   * Opens the dataset at a path, creating it if there is none.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param elementType the Java class of the elements, such as {@code double.class}
   * @param shape the shape in elements, slowest dimension first
   * @return the open dataset, which the caller closes
   * @throws InvalidUseException if there is another object, or a dataset of another shape or of a
   *     type that does not hold every value of the class
   */
  public Dataset requireDataset(String path, Class<?> elementType, long... shape) {
    return requireDataset(
        path, JavaTypes.typeOf(elementType), Dataspace.simple(shape), DatasetOptions.DEFAULT);
  }

  /**
   * Opens the dataset at a path, creating it with options if there is none. One that is there keeps
   * its options; if the extent may grow, only its maximum must be the same.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param type the datatype
   * @param space the extent
   * @param options how the dataset is created
   * @return the open dataset, which the caller closes
   * @throws InvalidUseException if there is another object, or a dataset of another shape or of a
   *     type that does not hold every value of the type
   */
  public Dataset requireDataset(
      String path, Datatype type, Dataspace space, DatasetOptions options) {
    try {
      if (!exists(path)) {
        return datasetBuilder(path).type(type).space(space).options(options).create();
      }
    } catch (AlreadyExistsException createdSince) {
      // By another thread, or another client of a server.
    }
    Dataset dataset = dataset(path);
    try {
      return dataset.located(() -> {
        SameKind.require(dataset.type(), dataset.space(), type, space);
        return dataset;
      });
    } catch (RuntimeException | Error failure) {
      discard(dataset, failure);
      throw failure;
    }
  }

  /**
   * Creates a dataset with the type, extent, maximum extent and options of another, such as chunks,
   * filters and fill value. Elements and attributes are not copied, and the elements lie in this
   * file, also if those of the other are in other files; {@link #copy} copies whole objects.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param other the dataset that is imitated, of this or another file
   * @return the open dataset, which the caller closes
   * @throws org.hyperslab.error.AlreadyExistsException if the path exists
   */
  public Dataset createLike(String path, Dataset other) {
    Arguments.require(other, "dataset to imitate", "an open dataset");
    return datasetBuilder(path)
        .type(other.type())
        .space(other.space())
        .options(SameKind.inFile(other.options()))
        .create();
  }

  /**
   * Begins the creation of a dataset: with options, a maximum shape, a committed type, options of
   * the link, or without waiting. {@code createDataset} does what is needed most.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @return a builder, whose {@code create()} creates the dataset and its missing parent groups
   */
  public DatasetBuilder datasetBuilder(String path) {
    return new DatasetBuilder(this, path);
  }

  /**
   * Creates a dataset of a type and extent and its missing parent groups.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param type the datatype
   * @param space the extent
   * @return the open dataset, which the caller closes
   */
  public Dataset createDataset(String path, Datatype type, Dataspace space) {
    return datasetBuilder(path).type(type).space(space).create();
  }

  /**
   * Creates a dataset that holds a Java value, and writes it: a number, boolean, String, enum
   * constant, record or reference, or an array of any dimensions of them. Type and extent follow
   * the value; a BigInteger is stored as an unsigned 64-bit integer. A Class creates a scalar of
   * its type that is not written.
   *
   * <p>The dataset is created completely or not at all: it is linked after its elements have been
   * written, and is deleted if writing fails. The lengths of a nested array's rows are known only
   * if it has rows: {@code new double[0][3]} has the shape (0, 0). Give the shape to create (0, 3):
   * {@link #createDataset(String, Class, long...)}.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param value the Java value
   * @return the open dataset, which the caller closes
   * @throws org.hyperslab.error.AlreadyExistsException if the path exists
   * @throws InvalidUseException if the value's class has no datatype; the message names what to use
   */
  public Dataset createDataset(String path, Object value) {
    return value instanceof Class<?> elementType
        ? datasetBuilder(path).type(elementType).create()
        : datasetBuilder(path).value(value).create();
  }

  /** Closes a dataset without a link, which deletes it, and adds a further failure to the first. */
  static void discard(Dataset dataset, Throwable failure) {
    try {
      dataset.close();
    } catch (RuntimeException | Error second) {
      if (second != failure) {
        failure.addSuppressed(second);
      }
    }
  }

  /**
   * Creates a dataset whose datatype is derived from a Java class: {@code createDataset("x",
   * double.class, 1000, 1000)}.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param elementType a primitive class, String, an enum, a record
   * @param shape in elements, slowest dimension first; none for a scalar
   * @return the open dataset, which the caller closes
   */
  public Dataset createDataset(String path, Class<?> elementType, long... shape) {
    return datasetBuilder(path).type(elementType).shape(shape).create();
  }

  /** Creates a dataset and a link to it, without waiting. */
  Dataset createDatasetAsync(String path, DatasetOperation.Spec spec, LinkOptions link) {
    Location place = at(Arguments.newPath(path, "createAnonymousDataset"));
    return createDatasetAsync(place, path, spec, link);
  }

  /**
   * Creates a dataset.
   *
   * @param place where it is linked; without a path, it is not linked yet
   * @param path the path under which it is or will be linked; empty if there is none
   */
  Dataset createDatasetAsync(
      Location place, String path, DatasetOperation.Spec spec, LinkOptions link) {
    Arguments.require(link, "link", "LinkOptions");
    Handle handle = Handle.fresh();
    var created = file().edit(submit(new DatasetOperation.Create(handle, place, path, spec, link)));
    return new Dataset(file(), handle, path.isEmpty() ? ANONYMOUS : pathOf(path), created, spec);
  }

  /**
   * Creates a dataset without a link. The dataset is deleted when it is closed, unless {@link
   * #createHardLink(String, H5Object)} has linked it.
   *
   * @param type the datatype
   * @param space the extent
   * @param options how the dataset is created
   * @return the open dataset, which the caller closes
   * @throws InvalidUseException if options and extent do not fit
   */
  public Dataset createAnonymousDataset(Datatype type, Dataspace space, DatasetOptions options) {
    return created(
        createDatasetAsync(
            at(""), "", spec(type, Optional.empty(), space, options), LinkOptions.DEFAULT));
  }

  /** Checks what a dataset is created of. */
  static DatasetOperation.Spec spec(
      Datatype type, Optional<Handle> committed, Dataspace space, DatasetOptions options) {
    Arguments.require(options, "options", "DatasetOptions");
    Arguments.require(type, "type", "a Datatype");
    return new DatasetOperation.Spec(
        type,
        committed,
        Arguments.require(space, "space", "a Dataspace"),
        FillRange.fit(options, type));
  }

  /**
   * Commits a datatype under a path, and creates missing parent groups.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param type the datatype
   * @return the open committed type, which the caller closes
   * @throws org.hyperslab.error.AlreadyExistsException if the path exists
   */
  public CommittedType commit(String path, Datatype type) {
    return commit(path, type, linkOptions(path, true));
  }

  /**
   * Commits a datatype with options for the link.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param type the datatype
   * @param link how the link is made
   * @return the open committed type, which the caller closes
   */
  public CommittedType commit(String path, Datatype type, LinkOptions link) {
    Location place = at(Arguments.newPath(path, "commitAnonymous"));
    return commit(place, pathOf(path), type, AttributeStorage.DEFAULT, link);
  }

  /**
   * Commits a datatype with options for its attributes and for the link.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param type the datatype
   * @param attributes how attributes of the committed type are kept
   * @param link how the link is made
   * @return the open committed type, which the caller closes
   */
  public CommittedType commit(
      String path, Datatype type, AttributeStorage attributes, LinkOptions link) {
    Location place = at(Arguments.newPath(path, "commitAnonymous"));
    return commit(place, pathOf(path), type, attributes, link);
  }

  /**
   * Commits a datatype without a link. The type is deleted when it is closed and no object shares
   * it, unless {@link #createHardLink(String, H5Object)} has linked it.
   *
   * @param type the datatype
   * @return the open committed type, which the caller closes
   */
  public CommittedType commitAnonymous(Datatype type) {
    return commit(at(""), ANONYMOUS, type, AttributeStorage.DEFAULT, LinkOptions.DEFAULT);
  }

  private CommittedType commit(
      Location place, String path, Datatype type, AttributeStorage attributes, LinkOptions link) {
    Arguments.require(type, "type", "a Datatype");
    Arguments.require(attributes, "attributes", "AttributeStorage, such as its DEFAULT");
    Arguments.require(link, "link", "LinkOptions");
    Handle handle = Handle.fresh();
    TypeOperation.Spec spec = new TypeOperation.Spec(type, false, attributes);
    var created = submit(new TypeOperation.Commit(handle, place, spec, link));
    return created(new CommittedType(file(), handle, path, created));
  }

  /** Waits until an object is created. */
  static <T extends H5Object> T created(T object) {
    object.await(object.opened());
    return object;
  }

  // --- links ---

  /**
   * {@return its links in name order, fetched page by page as the stream is consumed} Links may be
   * made and deleted meanwhile; one that exists throughout is listed once.
   */
  public Stream<Link> links() {
    return links(IterationIndex.NAME, false);
  }

  /**
   * {@return its links in an order}
   *
   * @param index the order of the listing
   * @param descending whether the order is reversed
   * @throws InvalidUseException if creation order is asked for and the group does not track it
   */
  public Stream<Link> links(IterationIndex index, boolean descending) {
    return links(new PageRequest(index, descending, 0, PageRequest.DEFAULT_LIMIT));
  }

  /**
   * {@return its links from a position on, in pages of the given size}
   *
   * @param first the first page to fetch
   */
  public Stream<Link> links(PageRequest first) {
    return Listing.stream(
            first,
            Listing.ofLinks(first.index()),
            page -> call(new LinkOperation.ListLinks(here(), page)))
        .map(info -> new Link(this, info.name(), info));
  }

  /** {@return the names of its links in name order} */
  public List<String> names() {
    return links().map(Link::name).toList();
  }

  /**
   * {@return the link at a path, not followed}
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @throws NotFoundException if there is none
   */
  public Link link(String path) {
    return new Link(this, path, seek(path, new LinkOperation.Describe(at(path))));
  }

  /**
   * Makes a hard link, that is, a further name, to an object of the same file.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param target an open object of the same file
   */
  public void createHardLink(String path, H5Object target) {
    Arguments.require(target, "target", "an open object").checkOpen();
    link(target, path, linkOptions(path, true));
  }

  /** Makes a hard link to an open object. */
  void link(H5Object target, String path, LinkOptions options) {
    call(new LinkOperation.CreateHard(target.here(), at(path), options));
  }

  /**
   * Makes a hard link to the object at another path.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param targetPath the path that the link leads to
   */
  public void createHardLink(String path, String targetPath) {
    seek(
        targetPath,
        new LinkOperation.CreateHard(at(targetPath), at(path), linkOptions(path, true)));
  }

  /**
   * Makes a soft link to a path; the target need not exist.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param targetPath the path that the link leads to
   */
  public void createSoftLink(String path, String targetPath) {
    createSoftLink(path, targetPath, linkOptions(path, true));
  }

  /**
   * Makes a soft link to a path, with options.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param targetPath the path that the link leads to
   * @param options how the link is made
   */
  public void createSoftLink(String path, String targetPath, LinkOptions options) {
    Arguments.require(targetPath, "target of a soft link", "a path");
    call(new LinkOperation.CreateSoft(targetPath, at(path), options));
  }

  /**
   * Makes an external link, which holds a file name and a path in that file; neither need exist.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param targetFile the name of the file that the link leads to
   * @param targetPath the path that the link leads to
   */
  public void createExternalLink(String path, String targetFile, String targetPath) {
    Arguments.require(targetFile, "file of an external link", "a file name");
    Arguments.require(targetPath, "target of an external link", "a path");
    call(
        new LinkOperation.CreateExternal(
            targetFile, targetPath, at(path), linkOptions(path, true)));
  }

  /**
   * Makes a link of a user-defined class.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   * @param userClass 65 to 255, where 64 would be an external link
   * @param data what the link holds, which only programs that know the class understand
   */
  public void createUserDefinedLink(String path, int userClass, byte[] data) {
    Arguments.require(data, "data of a user-defined link", "bytes");
    if (userClass == EXTERNAL_CLASS) {
      throw new InvalidUseException(
          "class of a user-defined link: actual=64, expected=65..255; use createExternalLink to"
              + " create external links");
    }
    call(
        new LinkOperation.CreateUserDefined(
            userClass, LinkData.of(data), at(path), linkOptions(path, true)));
  }

  /**
   * Removes the link at a path. If it was the last hard link to an object, the object is deleted
   * when it is no longer open.
   *
   * @param path the path, relative to this group, or absolute if it begins with "/"
   */
  public void delete(String path) {
    seek(path, new LinkOperation.Delete(at(path)));
  }

  /**
   * Renames a link, or moves it to another group of the file, and creates missing parent groups.
   * Moving a group's only link into the group is refused, because the group would be lost.
   *
   * @param from the present path
   * @param to the new path
   * @throws org.hyperslab.error.AlreadyExistsException if {@code to} exists
   */
  public void move(String from, String to) {
    move(from, this, to);
  }

  /**
   * Like {@link #move(String, String)}, to a path seen from another group of the file.
   *
   * @param from the present path
   * @param toGroup the group that receives the link
   * @param to the new path
   */
  public void move(String from, Group toGroup, String to) {
    requireDestination(toGroup);
    seek(from, new LinkOperation.Move(at(from), toGroup.at(to), linkOptions(to, true)));
  }

  /**
   * Copies a link, not the object it leads to.
   *
   * @param from the present path
   * @param to the new path
   */
  public void copyLink(String from, String to) {
    copyLink(from, this, to);
  }

  /**
   * Like {@link #copyLink(String, String)}, to a path seen from another group of the file.
   *
   * @param from the present path
   * @param toGroup the group that receives the link
   * @param to the new path
   */
  public void copyLink(String from, Group toGroup, String to) {
    requireDestination(toGroup);
    seek(from, new LinkOperation.Copy(at(from), toGroup.at(to), linkOptions(to, true)));
  }

  /**
   * Copies the object at a path, with everything below it; see {@link H5Object#copyTo}.
   *
   * @param from the present path
   * @param toGroup the group that receives the link
   * @param to the new path
   */
  public void copy(String from, Group toGroup, String to) {
    copy(from, toGroup, to, CopyOptions.DEFAULT);
  }

  /**
   * Copies the object at a path, with options.
   *
   * @param from the present path
   * @param toGroup the group that receives the link
   * @param to the new path
   * @param options how the object is copied
   */
  public void copy(String from, Group toGroup, String to, CopyOptions options) {
    checkOpen();
    requireSameConnector(requireDestination(toGroup));
    toGroup.call(
        new ObjectOperation.Copy(at(from), toGroup.at(to), options, linkOptions(to, true)));
  }

  // --- walking ---

  /**
   * Visits this group and every object reachable from it by hard links, each once, parents before
   * children, in the order of names. Soft and external links are not followed.
   *
   * @param visitor called for each object
   * @return false if the visitor stopped the visit
   */
  public boolean visit(ObjectVisitor visitor) {
    return new GroupWalk(Arguments.require(visitor, "visitor", "an ObjectVisitor")).visit(this);
  }
}
