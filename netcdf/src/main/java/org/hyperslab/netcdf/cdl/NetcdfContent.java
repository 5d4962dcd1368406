package org.hyperslab.netcdf.cdl;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.netcdf.NetcdfDimension;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.NetcdfObject;
import org.hyperslab.netcdf.NetcdfUserType;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.scales.ScaleConventions;

/**
 * Describes netCDF-4 files: attributes are read at once, elements when they are asked for.
 *
 * <p>Thread rule: confined to one thread.
 */
final class NetcdfContent {

  private static final int FLETCHER32 = 3;
  private static final int SHUFFLE = 2;
  private static final int DEFLATE = 1;

  private final NetcdfFile file;
  private final List<Datatype> named;
  private final List<String> leftOut;

  private NetcdfContent(NetcdfFile file) {
    this.file = file;
    this.named =
        file.root()
            .all()
            .flatMap(group -> group.types().stream())
            .map(NetcdfUserType::datatype)
            .toList();
    this.leftOut = new ArrayList<>(file.leftOut());
  }

  static CdlFile of(NetcdfFile file) {
    boolean classic = file.model() == NetcdfModel.CLASSIC;
    NetcdfContent content = new NetcdfContent(file);
    return new CdlFile(
        classic ? CdlFile.Kind.NETCDF4_CLASSIC : CdlFile.Kind.NETCDF4,
        content.group(file.root()),
        content.leftOut);
  }

  private CdlFile.Group group(NetcdfGroup group) {
    boolean isRoot = group.parent().isEmpty();
    try (Group h5 = file.h5File().group(group.path())) {
      return new CdlFile.Group(
          group.path(),
          isRoot ? "" : group.name(),
          group.types().stream()
              .filter(type -> isNamed(type.datatype()))
              .map(type -> new CdlFile.Type(group.path(), type.name(), type.datatype()))
              .toList(),
          group.dimensions().stream().map(NetcdfContent::dimension).toList(),
          group.variables().stream().filter(this::isShown).map(this::variable).toList(),
          attributes(group, h5),
          isRoot ? specials(file) : List.of(),
          group.groups().stream().map(this::group).toList());
    }
  }

  private static CdlFile.Dimension dimension(NetcdfDimension dimension) {
    return new CdlFile.Dimension(
        dimension.group().path(), dimension.name(), dimension.length(), dimension.isUnlimited());
  }

  private CdlFile.Variable variable(NetcdfVariable variable) {
    return new CdlFile.Variable(
        variable.name(),
        variable.type(),
        variable.dimensions().stream().map(NetcdfContent::dimension).toList(),
        attributes(variable, variable.dataset()),
        specials(variable),
        (origin, shape) -> read(variable, origin, shape));
  }

  // --- attributes ---

  private List<CdlFile.Attribute> attributes(NetcdfObject owner, H5Object object) {
    List<CdlFile.Attribute> attributes = new ArrayList<>();
    for (String name : owner.attributeNames()) {
      Attribute attribute = object.attribute(name);
      Datatype type = attribute.type();
      if (!isNamed(type)) {
        leftOut.add(owner.path() + ":" + name + ": the type " + type.describe() + " has no name");
      } else {
        long count = attribute.space().elementCount();
        DataBuffer data = DataBuffer.allocate(type, count);
        if (count > 0) {
          attribute.read(type.inMemory(), data);
        }
        attributes.add(new CdlFile.Attribute(name, type, count, data));
      }
    }
    return attributes;
  }

  private boolean isShown(NetcdfVariable variable) {
    if (!isNamed(variable.type())) {
      leftOut.add(variable.path() + ": the type " + variable.type().describe() + " has no name");
      return false;
    }
    return true;
  }

  /** Returns whether netCDF has a type: user-defined ones, and those in them, have names. */
  private boolean isNamed(Datatype type) {
    return switch (type) {
      case IntegerType _, StringType _, VlenStringType _ -> true;
      case FloatType number -> number.size() == 4 || number.size() == 8;
      case OpaqueType _, EnumType _ -> named.contains(type);
      case CompoundType compound ->
          named.contains(type)
              && compound.members().stream()
                  .map(member -> member.type() instanceof ArrayType a ? a.base() : member.type())
                  .allMatch(this::isNamed);
      case VlenType sequence -> named.contains(type) && isNamed(sequence.base());
      default -> false;
    };
  }

  // --- properties of storage ---

  private static List<CdlFile.Special> specials(NetcdfFile file) {
    List<CdlFile.Special> specials = new ArrayList<>();
    file.properties()
        .ifPresent(text -> specials.add(new CdlFile.Special("_NCProperties", quoted(text))));
    int version = file.h5File().info().superblockVersion();
    specials.add(new CdlFile.Special("_SuperblockVersion", Integer.toString(version)));
    boolean isNetcdf = file.properties().isPresent() && file.model() != NetcdfModel.CLASSIC;
    specials.add(new CdlFile.Special("_IsNetcdf4", isNetcdf ? "1" : "0"));
    return specials;
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static List<CdlFile.Special> specials(NetcdfVariable variable) {
    Dataset dataset = variable.dataset();
    List<CdlFile.Special> specials = new ArrayList<>();
    switch (dataset.options().layout()) {
      case Layout.Chunked chunked -> {
        specials.add(new CdlFile.Special("_Storage", quoted("chunked")));
        String lengths = chunked.dims().toString();
        specials.add(
            new CdlFile.Special("_ChunkSizes", lengths.substring(1, lengths.length() - 1)));
      }
      case Layout.Compact _ -> specials.add(new CdlFile.Special("_Storage", quoted("compact")));
      case Layout.Virtual _ -> specials.add(new CdlFile.Special("_Storage", quoted("virtual")));
      default -> specials.add(new CdlFile.Special("_Storage", quoted("contiguous")));
    }
    addFilters(specials, dataset.options().filters());
    addOrder(specials, variable.type());
    if (dataset.options().fillTime() == FillValue.Time.NEVER) {
      specials.add(new CdlFile.Special("_NoFill", quoted("true")));
    }
    return specials;
  }

  private static void addFilters(List<CdlFile.Special> specials, List<FilterSpec> filters) {
    if (filters.stream().anyMatch(filter -> filter.id() == FLETCHER32)) {
      specials.add(new CdlFile.Special("_Fletcher32", quoted("true")));
    }
    if (filters.stream().anyMatch(filter -> filter.id() == SHUFFLE)) {
      specials.add(new CdlFile.Special("_Shuffle", quoted("true")));
    }
    for (FilterSpec filter : filters) {
      if (filter.id() == DEFLATE) {
        specials.add(
            new CdlFile.Special("_DeflateLevel", filter.parameters().getFirst().toString()));
      }
    }
    List<String> others =
        filters.stream()
            .filter(filter -> filter.id() > FLETCHER32)
            .map(filter -> filter.id() + parameters(filter))
            .toList();
    if (!others.isEmpty()) {
      specials.add(new CdlFile.Special("_Filter", quoted(String.join("|", others))));
    }
  }

  private static String parameters(FilterSpec filter) {
    StringBuilder text = new StringBuilder();
    filter.parameters().forEach(value -> text.append(',').append(Integer.toUnsignedString(value)));
    return text.toString();
  }

  private static void addOrder(List<CdlFile.Special> specials, Datatype type) {
    Endian order =
        switch (type) {
          case IntegerType number -> number.order();
          case FloatType number -> number.order();
          case EnumType names -> names.base().order();
          default -> Endian.VAX;
        };
    if (type.size() > 1 && order != Endian.VAX) {
      boolean isLittle = order == Endian.LITTLE;
      specials.add(new CdlFile.Special("_Endianness", quoted(isLittle ? "little" : "big")));
    }
  }

  // --- elements ---

  private static DataBuffer read(NetcdfVariable variable, long[] origin, long[] shape) {
    Datatype memory = variable.type().inMemory();
    long[] extent = variable.dataset().shape();
    long[] stored = shape.clone();
    for (int axis = 0; axis < shape.length; axis++) {
      stored[axis] = Math.clamp(extent[axis] - origin[axis], 0, shape[axis]);
    }
    boolean isWhole = Arrays.equals(stored, shape);
    DataBuffer data = DataBuffer.allocate(memory, Dataspace.product(shape));
    if (!isWhole) {
      fill(variable, memory, data, Dataspace.product(shape));
    }
    if (Dataspace.product(stored) > 0) {
      Memory target =
          isWhole
              ? new Memory(
                  memory, Dataspace.simple(Dataspace.product(shape)), Selection.all(), data)
              : new Memory(
                  memory,
                  Dataspace.simple(shape),
                  Selection.box(new long[shape.length], stored),
                  data);
      variable.section(origin, stored).readInto(target);
    }
    return data;
  }

  /** Fills memory with the value of elements beyond the end of a variable. */
  private static void fill(NetcdfVariable variable, Datatype memory, DataBuffer data, long count) {
    FillValue stored = variable.dataset().options().fill();
    FillValue.Value fill = ScaleConventions.fillBeyond(variable.type(), stored);
    MemorySegment one = fill.value().elements();
    if (memory.hasOutOfLineParts()) {
      if (fill != stored && !(memory instanceof VlenStringType)) {
        return; // sequences without elements
      }
      ElementCodec codec = ElementCodec.of(memory);
      Object value = ElementCodec.of(fill.type().inMemory()).decode(one, 0, fill.value().heap());
      for (long i = 0; i < count; i++) {
        codec.encode(value, data.elements(), i * memory.size(), data.heap());
      }
      return;
    }
    for (long i = 0; i < count; i++) {
      MemorySegment.copy(one, 0, data.elements(), i * memory.size(), memory.size());
    }
  }
}
