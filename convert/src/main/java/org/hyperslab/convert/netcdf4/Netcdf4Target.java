package org.hyperslab.convert.netcdf4;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.hyperslab.convert.classic.ClassicModel;
import org.hyperslab.convert.hdf5.Hdf5Target;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.rewrite.CharArrays;
import org.hyperslab.convert.rewrite.LittleEnums;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.netcdf.NetcdfDimension;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.NetcdfObject;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;

/**
 * Writes a netCDF-4 file with the {@code netcdf} module. Content that the module rejects is
 * reported to {@link ConversionRun#reportLoss}.
 */
public final class Netcdf4Target implements TargetFile {

  private static final String FILL = "_FillValue";

  /** The identifier of HDF5's scale-offset filter. */
  private static final int SCALE_OFFSET = 6;

  private final NetcdfModel model;

  /**
   * Creates the target.
   *
   * @param model the data model of the file
   */
  public Netcdf4Target(NetcdfModel model) {
    this.model = model;
  }

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    if (model == NetcdfModel.CLASSIC) {
      ClassicModel.apply(root, work);
    }
    try (NetcdfFile file = NetcdfFile.create(path, model)) {
      addMembers(file.root(), root, work);
    }
  }

  private static void addMembers(NetcdfGroup group, GroupNode node, ConversionRun work) {
    node.types()
        .forEach(type ->
            orLose(
                "the type " + type.name(),
                node.path(),
                work,
                () ->
                    group.defineType(
                        type.name(), Netcdf4Types.held(LittleEnums.little(type.type())))));
    setAttributes(group, node.attributes(), work);
    node.dimensions()
        .forEach(dimension ->
            orLose("a dimension", dimension.path(), work, () -> define(group, dimension)));
    for (Variable variable : node.variables()) {
      add(group, CharArrays.of(Netcdf4Types.held(variable, work), node.dimensions(), work), work);
    }
    for (GroupNode child : node.groups()) {
      NetcdfGroup[] made = new NetcdfGroup[1];
      orLose(
          "a group",
          child.path(),
          work,
          () -> made[0] = group.createGroup(named(child.name(), child.path(), work)));
      if (made[0] != null) {
        addMembers(made[0], child, work);
      }
    }
  }

  /** Reports content that netCDF-4 cannot hold to {@link ConversionRun#reportLoss}. */
  private static void orLose(String what, String path, ConversionRun work, Runnable action) {
    try {
      action.run();
    } catch (UnsupportedFeatureException
        | InvalidUseException
        | AlreadyExistsException
        | NotFoundException refused) {
      work.reportLoss(what + " that netCDF-4 does not hold (" + refused.getMessage() + ")", path);
    }
  }

  /** Returns a name in Unicode normalization form C, as the file stores it. */
  private static String named(String name, String path, ConversionRun work) {
    if (!Normalizer.isNormalized(name, Normalizer.Form.NFC)) {
      work.reportLoss("a name in another form of Unicode than NFC, which netCDF changes", path);
    }
    return name;
  }

  // --- dimensions ---

  private static NetcdfDimension define(NetcdfGroup group, Dimension dimension) {
    if (!dimension.unlimited()) {
      return group.createDimension(dimension.name(), dimension.length());
    }
    NetcdfDimension made = group.createUnlimitedDimension(dimension.name());
    made.extend(dimension.length());
    return made;
  }

  /** Returns the names of the dimensions of a variable; those without a name get one. */
  private static String[] axes(NetcdfGroup group, Variable variable, ConversionRun work) {
    Set<String> used = new LinkedHashSet<>();
    List<String> names = new ArrayList<>();
    for (Dimension dimension : dimensions(variable)) {
      String name = nameOf(group, dimension, variable, work);
      names.add(name.isEmpty() ? unnamed(group, dimension, used) : name);
      used.add(names.getLast());
    }
    return names.toArray(String[]::new);
  }

  private static List<Dimension> dimensions(Variable variable) {
    if (!variable.traits().dimensions().isEmpty()) {
      return variable.traits().dimensions();
    }
    Dataspace space = variable.space();
    return IntStream.range(0, space.rank())
        .mapToObj(
            axis -> new Dimension("", space.dim(axis), space.maxDim(axis) == Dataspace.UNLIMITED))
        .toList();
  }

  private static String nameOf(
      NetcdfGroup group, Dimension dimension, Variable variable, ConversionRun work) {
    if (dimension.path().isEmpty()) {
      return "";
    }
    Optional<NetcdfDimension> inScope = inScope(group, dimension.name());
    if (inScope.filter(found -> path(found).equals(dimension.path())).isPresent()) {
      return dimension.name();
    }
    if (inScope.isEmpty() && isOfCharacters(dimension, variable)) {
      define(group.group("/"), dimension);
      return dimension.name();
    }
    work.reportLoss(
        "the dimension " + dimension.path() + ", which is out of reach", variable.path());
    return "";
  }

  private static boolean isOfCharacters(Dimension dimension, Variable variable) {
    return variable.elements() instanceof CharArrays && !dimension.unlimited();
  }

  private static Optional<NetcdfDimension> inScope(NetcdfGroup group, String name) {
    try {
      return Optional.of(group.dimension(name));
    } catch (NotFoundException _) {
      return Optional.empty();
    }
  }

  private static String path(NetcdfDimension dimension) {
    String group = dimension.group().path();
    return group.equals("/") ? "/" + dimension.name() : group + "/" + dimension.name();
  }

  /** Returns a dimension of that length, as netCDF-C names those of files that have no names. */
  private static String unnamed(NetcdfGroup group, Dimension like, Set<String> used) {
    for (int number = 0; ; number++) {
      String name = "phony_dim_" + number;
      Optional<NetcdfDimension> known = inScope(group, name);
      if (known.isEmpty()) {
        return define(group, new Dimension("/" + name, like.length(), like.unlimited())).name();
      }
      boolean fits =
          known.get().length() == like.length() && known.get().isUnlimited() == like.unlimited();
      if (fits && !used.contains(name)) {
        return name;
      }
    }
  }

  // --- variables ---

  private static void add(NetcdfGroup group, Variable variable, ConversionRun work) {
    if (variable.space().kind() == Dataspace.Kind.NULL) {
      work.reportLoss(Variable.NULL_SPACE, variable.path());
      return;
    }
    Optional<List<Boxes.Box>> stored = variable.elements().stored();
    NetcdfVariable[] made = new NetcdfVariable[1];
    orLose(
        "a variable",
        variable.path(),
        work,
        () -> made[0] = create(group, variable, stored.isPresent(), work));
    if (made[0] != null) {
      setAttributes(made[0], variable, work);
      grow(made[0]);
      Hdf5Target.copy(made[0].dataset(), variable, stored, work);
    }
  }

  private static NetcdfVariable create(
      NetcdfGroup group, Variable variable, boolean isSparse, ConversionRun work) {
    String name = named(variable.name(), variable.path(), work);
    Datatype type = Netcdf4Types.defined(group, variable);
    NetcdfVariable made =
        group.createVariable(name, type, options(variable, isSparse), axes(group, variable, work));
    boolean given = givenFill(variable).isPresent();
    if (!given && made.dataset().hasAttribute(FILL)) {
      made.dataset().deleteAttribute(FILL); // the value remains a property of the storage
    }
    return made;
  }

  /** Sets the attributes in their order; {@code _FillValue} is there already and is moved. */
  private static void setAttributes(NetcdfVariable made, Variable variable, ConversionRun work) {
    boolean given = givenFill(variable).isPresent();
    for (AttributeValue attribute : variable.traits().attributes()) {
      if (given && attribute.name().equals(FILL)) {
        made.moveFillToEnd();
      } else {
        setAttribute(made, attribute, work);
      }
    }
  }

  /** A variable is as long as its dimensions, although netCDF-4 would let it be shorter. */
  private static void grow(NetcdfVariable made) {
    for (NetcdfDimension dimension : made.dimensions()) {
      if (dimension.isUnlimited()) {
        dimension.extend(dimension.length());
      }
    }
  }

  private static VariableOptions options(Variable variable, boolean isSparse) {
    VariableOptions options = VariableOptions.DEFAULT;
    boolean empty = variable.space().elementCount() == 0 && !isUnlimited(variable.space());
    if (!variable.traits().chunk().isEmpty() && !empty) {
      options = options.withChunks(chunks(variable));
      for (FilterSpec filter : variable.traits().filters()) {
        if (filter.id() != SCALE_OFFSET) { // which netCDF-4 excludes
          options = options.withFilter(filter);
        }
      }
    }
    Optional<Object> given = givenFill(variable);
    if (given.isPresent()) {
      return options.withFill(given.get());
    }
    Optional<DataBuffer> stored = variable.traits().fill();
    if (stored.isPresent()) {
      return options.withFill(element(variable.type(), stored.get()));
    }
    boolean isNumber =
        variable.type() instanceof IntegerType || variable.type() instanceof FloatType;
    DataBuffer zero = DataBuffer.allocate(variable.type().inMemory(), 1);
    return isSparse && isNumber ? options.withFill(element(variable.type(), zero)) : options;
  }

  /** A chunk is not longer than a dimension that cannot grow, although one of HDF5 may be. */
  private static long[] chunks(Variable variable) {
    long[] chunks = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    List<Dimension> dimensions = dimensions(variable);
    for (int axis = 0; axis < chunks.length; axis++) {
      Dimension dimension = dimensions.get(axis);
      if (!dimension.unlimited()) {
        chunks[axis] = Math.clamp(chunks[axis], 1, Math.max(1, dimension.length()));
      }
    }
    return chunks;
  }

  private static boolean isUnlimited(Dataspace space) {
    for (int axis = 0; axis < space.rank(); axis++) {
      if (space.maxDim(axis) == Dataspace.UNLIMITED) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of an attribute that holds the fill value, as in netCDF. */
  private static Optional<Object> givenFill(Variable variable) {
    return variable
        .attribute(FILL)
        .filter(a -> a.space().elementCount() == 1 && isSame(a.type(), variable.type()))
        .map(a -> a.element(0));
  }

  /** Returns whether types are the same to netCDF, in any byte order. */
  private static boolean isSame(Datatype a, Datatype b) {
    Optional<ClassicType> number = ClassicType.of(a);
    return a.equals(b) || number.isPresent() && number.equals(ClassicType.of(b));
  }

  private static Object element(Datatype type, DataBuffer value) {
    return ElementCodec.of(type.inMemory()).decode(value.elements(), 0, value.heap());
  }

  // --- attributes ---

  private static void setAttributes(
      NetcdfObject object, List<AttributeValue> attributes, ConversionRun work) {
    attributes.forEach(attribute -> setAttribute(object, attribute, work));
  }

  private static void setAttribute(
      NetcdfObject object, AttributeValue attribute, ConversionRun work) {
    if (Hdf5Target.holdsReference(attribute.type())) {
      work.reportLoss("the attribute " + attribute.name() + " of references", object.path());
    } else if (attribute.space().rank() > 1) {
      work.reportLoss("the shape of the attribute " + attribute.name(), object.path());
    } else {
      orLose(
          "the attribute " + attribute.name(),
          object.path(),
          work,
          () -> {
            named(attribute.name(), object.path(), work);
            Netcdf4Types.setAttribute(object, attribute, work);
          });
    }
  }
}
