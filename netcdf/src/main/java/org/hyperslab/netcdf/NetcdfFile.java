package org.hyperslab.netcdf;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.scales.ScaleConventions;

/**
 * An open netCDF-4 file. Other netCDF programs read the files that it writes, and files written by
 * netCDF-C or h5netcdf can be edited. A plain HDF5 file can be read too: axes without dimension
 * scales get dimensions that are not in the file.
 *
 * <p>A file is closed by {@link #close}, or flushed, before other programs open it: dimensions
 * without a variable are written then. Several ranks may share a file through the connector {@code
 * mpiio}; every call except reading and writing elements is then collective.
 *
 * <p>Thread rule: elements of variables are read and written by any thread; calls that define,
 * rename, extend, flush or close must not overlap with any other.
 *
 * <p>Source: netCDF-4 File Format Specification (Unidata).
 */
public final class NetcdfFile implements AutoCloseable {

  private final H5File file;
  private final DimensionLinks links = new DimensionLinks(this);
  private final boolean parallel;
  private final NetcdfGroup root;
  private boolean classic;
  private List<String> leftOut = List.of();
  private int nextDimensionId;
  private List<Lengths> lengths = List.of();

  /** Whether the file's scales have numbers; they can be introduced in a file without scales. */
  private boolean hasIds = true;

  private NetcdfFile(H5File file) {
    this.file = file;
    this.parallel = file.isCollective();
    this.root = new NetcdfGroup(this, null, "/", file.root());
  }

  // --- creating and opening ---

  /**
   * Creates a file of the full model, replacing one that exists.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public static NetcdfFile create(Path path) {
    return create(path, NetcdfModel.NETCDF4);
  }

  /**
   * Creates a file, replacing one that exists.
   *
   * @param path the file's path
   * @param model the data model to which the file is restricted
   * @return the open file, which the caller closes
   */
  public static NetcdfFile create(Path path, NetcdfModel model) {
    return created(Hdf5.create(path, options()), model);
  }

  /**
   * Creates a file that is written in steps, with readers that follow; see {@link #startSteps}. The
   * file needs HDF5 1.10 or newer.
   *
   * @param path the file's path
   * @param model the data model to which the file is restricted
   * @return the open file, which the caller closes
   */
  public static NetcdfFile createForSteps(Path path, NetcdfModel model) {
    CreateOptions followed =
        CreateOptions.DEFAULT
            .withAccess(OpenOptions.EDIT.withSwmr(true))
            .withRoot(NetcdfNames.GROUP);
    return created(Hdf5.create(path, followed), model);
  }

  /**
   * Creates a file by a connector, such as {@code mpiio} or {@code forwarding}.
   *
   * @param session the connector
   * @param name the file's name, as the connector understands it
   * @param model the data model to which the file is restricted
   * @return the open file, which the caller closes; the session stays open
   */
  public static NetcdfFile create(Session session, String name, NetcdfModel model) {
    return created(session.create(name, options()), model);
  }

  /**
   * Opens a file for reading.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.CorruptFileException if it is no HDF5 file, or is damaged
   */
  public static NetcdfFile open(Path path) {
    return of(Hdf5.open(path));
  }

  /**
   * Opens a file for reading and editing.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.CorruptFileException if it is no HDF5 file, or is damaged
   */
  public static NetcdfFile openForEdit(Path path) {
    return of(Hdf5.openForEdit(path));
  }

  /**
   * Treats an open HDF5 file, of any connector, as a netCDF-4 file.
   *
   * @param file the file; closed with the result, or if this fails
   * @return the open file, which the caller closes
   */
  public static NetcdfFile of(H5File file) {
    try {
      NetcdfFile netcdf = new NetcdfFile(file);
      TreeReader reader = new TreeReader(netcdf);
      reader.read(netcdf.root);
      netcdf.leftOut = reader.leftOut();
      netcdf.nextDimensionId = reader.nextDimensionId();
      netcdf.hasIds = reader.hasIds();
      netcdf.classic = file.root().hasAttribute(ScaleConventions.STRICT);
      return netcdf;
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  private static CreateOptions options() {
    return CreateOptions.DEFAULT
        .withBounds(FormatVersion.V18, FormatVersion.V18)
        .withRoot(NetcdfNames.GROUP);
  }

  private static NetcdfFile created(H5File file, NetcdfModel model) {
    try {
      NetcdfFile netcdf = new NetcdfFile(file);
      netcdf.root.putText(ScaleConventions.PROPERTIES, "version=2,hyperslab=" + version());
      if (model == NetcdfModel.CLASSIC) {
        netcdf.classic = true;
        file.root().setAttribute(ScaleConventions.STRICT, 1);
      }
      return netcdf;
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  private static String version() {
    return Optional.ofNullable(NetcdfFile.class.getPackage().getImplementationVersion())
        .orElse("unreleased");
  }

  // --- what it is ---

  /**
   * Returns the root group, which holds all other objects.
   *
   * @return the group
   */
  public NetcdfGroup root() {
    return root;
  }

  /**
   * Returns the data model.
   *
   * @return the data model that the file declares
   */
  public NetcdfModel model() {
    return classic ? NetcdfModel.CLASSIC : NetcdfModel.NETCDF4;
  }

  /**
   * Returns the provenance text of the program that created the file.
   *
   * @return the text of {@code _NCProperties}, if there is one
   */
  public Optional<String> properties() {
    if (!file.root().hasAttribute(ScaleConventions.PROPERTIES)) {
      return Optional.empty();
    }
    Attribute properties = file.root().attribute(ScaleConventions.PROPERTIES);
    boolean isText =
        properties.type() instanceof StringType || properties.type() instanceof VlenStringType;
    return isText && properties.space().elementCount() == 1
        ? Optional.ofNullable(properties.readString())
        : Optional.empty();
  }

  /**
   * Lists the content of the HDF5 file that netCDF cannot represent: references, links that are not
   * hard, second links to one object.
   *
   * @return a line for each, with its path and kind
   */
  public List<String> leftOut() {
    return leftOut;
  }

  /**
   * Returns the underlying HDF5 file.
   *
   * @return the file, open until this is closed
   */
  public H5File h5File() {
    return file;
  }

  // --- writing out ---

  /** Writes all pending changes, so that other programs can open the file in its current state. */
  public void flush() {
    if (file.isWritable()) {
      links.write();
    }
    file.flush();
  }

  /** Flushes and closes the file. Closing twice does nothing. */
  @Override
  public void close() {
    if (file.isClosed()) {
      return;
    }
    try (H5File closing = file) {
      if (closing.isWritable()) {
        links.write();
      }
    }
  }

  // --- steps ---

  /**
   * Starts writing in steps, as {@link H5File#startSteps(StepOptions)}: what is written to
   * variables beyond the lengths of the last step becomes visible together when the step ends. All
   * dimensions and variables exist; from then on, records of variables whose first dimension is
   * unlimited are written, and nothing else is edited.
   *
   * @param options how steps are published
   * @throws InvalidUseException if the file was not created for steps, or if no variable has an
   *     unlimited first dimension
   */
  public void startSteps(StepOptions options) {
    requireWritable();
    links.write();
    file.startSteps(options);
  }

  /**
   * Begins a step.
   *
   * @return its number, from 0
   * @throws InvalidUseException if steps are not started, or a step has begun
   */
  public long beginStep() {
    long number = file.beginStep();
    lengths = root.all().flatMap(group -> group.variables().stream()).map(Lengths::new).toList();
    return number;
  }

  /**
   * Ends the step that has begun. Coordinate variables are extended to their dimensions.
   *
   * @return its number
   * @throws InvalidUseException if no step has begun
   */
  public long endStep() {
    links.extendCoordinates();
    return file.endStep();
  }

  /**
   * Drops the step that has begun, and what was written in it.
   *
   * @throws InvalidUseException if no step has begun
   */
  public void abandonStep() {
    file.abandonStep();
    lengths.forEach(Lengths::restore);
  }

  /**
   * Follows the steps of the file; see {@link H5File#follow(FollowOptions)}. A variable's path in a
   * step is that of its dataset.
   *
   * @param options where to begin, and what happens when the writer is faster
   * @return the steps, to be closed
   * @throws InvalidUseException if the file has no steps
   */
  public StepReader follow(FollowOptions options) {
    return file.follow(options);
  }

  /** The lengths of a variable and its dimensions before a step. */
  private record Lengths(NetcdfVariable variable, long[] extent, long[] dimensions) {
    private Lengths(NetcdfVariable variable) {
      this(
          variable,
          variable.extent(),
          variable.dimensions().stream().mapToLong(NetcdfDimension::length).toArray());
    }

    private void restore() {
      variable.restore(extent, dimensions);
    }
  }

  // --- what the rest of the package needs ---

  DimensionLinks links() {
    return links;
  }

  boolean isClassic() {
    return classic;
  }

  /** Returns whether calls are collective among the ranks that share the file. */
  boolean isParallel() {
    return parallel;
  }

  boolean hasIds() {
    return hasIds;
  }

  void setHasIds() {
    hasIds = true;
  }

  int nextDimensionId() {
    return nextDimensionId++;
  }

  void requireWritable() {
    if (!file.isWritable()) {
      throw new InvalidUseException(
          "file: actual=opened for reading, expected=NetcdfFile.openForEdit or create, at="
              + file.name());
    }
  }

  /** Refuses a type that the file's model lacks. */
  void requireModel(Datatype type, String at) {
    boolean text = type instanceof VlenStringType;
    if (classic && (text || !NetcdfTypes.isClassic(type))) {
      throw new InvalidUseException(
          "type: actual="
              + type.describe()
              + ", expected=byte, char, short, int, float or double in the classic model, at="
              + at);
    }
  }

  void extend(NetcdfDimension dimension, long length) {
    requireWritable();
    if (!dimension.isUnlimited()) {
      throw new InvalidUseException(
          "dimension to extend: actual="
              + dimension.name()
              + " of fixed length "
              + dimension.length()
              + ", expected=an unlimited one");
    }
    for (NetcdfGroup group : root.all().toList()) {
      for (NetcdfVariable variable : group.variables()) {
        extend(variable, dimension, length);
      }
    }
    dimension.grow(length);
  }

  private static void extend(NetcdfVariable variable, NetcdfDimension dimension, long length) {
    long[] least = variable.extent();
    for (int axis = 0; axis < least.length; axis++) {
      if (variable.dimensions().get(axis) == dimension) {
        least[axis] = Math.max(least[axis], length);
      }
    }
    variable.growTo(least);
  }

  /** Returns the file's name. */
  @Override
  public String toString() {
    return file.name();
  }
}
