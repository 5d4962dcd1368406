package org.hyperslab.netcdf;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.List;
import org.hyperslab.Attribute;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.scales.ScaleConventions;

/**
 * An object that has attributes: a group or a variable. Attributes in which netCDF-4 stores its
 * model are neither listed nor changed.
 *
 * <p>Thread rule: calls that change attributes of one object must not overlap.
 */
public abstract sealed class NetcdfObject permits NetcdfGroup, NetcdfVariable {

  NetcdfObject() {}

  /** Returns the group or dataset in the HDF5 file. */
  abstract H5Object object();

  abstract NetcdfFile file();

  /**
   * Returns the absolute path, such as {@code /ocean/temperature}.
   *
   * @return the path; "/" for the root group
   */
  public abstract String path();

  /**
   * Lists the attributes in the order of their creation.
   *
   * @return their names
   */
  public List<String> attributeNames() {
    boolean ordered = object().info().creationOrderTracked();
    IterationIndex index = ordered ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    return object()
        .attributes(index, false)
        .map(Attribute::name)
        .filter(name -> !isHidden(name))
        .toList();
  }

  /** Returns whether a name is one of netCDF-4's own attributes on this object. */
  private static boolean isHidden(String name) {
    return ScaleConventions.isHidden(name);
  }

  /**
   * Returns whether an attribute exists.
   *
   * @param name its name
   * @return whether it exists
   */
  public boolean hasAttribute(String name) {
    return !isHidden(name) && object().hasAttribute(name);
  }

  /**
   * Reads an attribute.
   *
   * @param name its name
   * @return a String for text; the value itself for one number or one value of a user-defined type;
   *     an array for several values
   * @throws org.hyperslab.error.NotFoundException if there is none
   */
  public Object attribute(String name) {
    Attribute attribute = visible(name);
    long count = attribute.space().elementCount();
    Datatype type = attribute.type();
    if (type instanceof StringType && count <= 1) {
      return count == 0 ? "" : attribute.readString();
    }
    if (count == 0) {
      return Array.newInstance(NetcdfVariable.elementClass(type), 0);
    }
    Object value = attribute.read();
    return count == 1 && value.getClass().isArray() ? Array.get(value, 0) : value;
  }

  /**
   * Reads an attribute as a Java type.
   *
   * @param <T> the type of the value
   * @param name its name
   * @param javaType the class, such as {@code double[].class} or {@code String.class}
   * @return the value
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws InvalidUseException if it cannot be converted to that type
   */
  public <T> T attribute(String name, Class<T> javaType) {
    Attribute attribute = visible(name);
    if (javaType == String.class && attribute.space().elementCount() == 0) {
      return javaType.cast("");
    }
    return attribute.read(javaType);
  }

  /**
   * Returns the type of an attribute.
   *
   * @param name its name
   * @return the type; for text of NC_CHAR, a fixed-length string of the text's length
   * @throws org.hyperslab.error.NotFoundException if there is none
   */
  public Datatype attributeType(String name) {
    return visible(name).type();
  }

  private Attribute visible(String name) {
    requireVisible(name);
    return object().attribute(name);
  }

  private void requireVisible(String name) {
    if (isHidden(name)) {
      throw new InvalidUseException(
          "attribute: actual="
              + name
              + ", expected=a name that netCDF-4 does not use for itself, at="
              + path());
    }
  }

  /**
   * Sets an attribute, replacing an existing one. A String of ASCII characters becomes NC_CHAR,
   * other Strings and arrays of Strings NC_STRING; a number or an array of numbers becomes the type
   * of its Java class.
   *
   * @param name its name
   * @param value a String, a number, or an array of one dimension of them
   * @throws InvalidUseException if netCDF cannot store the value, the name is reserved, or the fill
   *     value of a variable would change
   */
  public void setAttribute(String name, Object value) {
    String checked = checkedAttribute(name, value);
    if (value instanceof String text && text.chars().allMatch(c -> c > 0 && c < 0x80)) {
      putText(checked, text);
      return;
    }
    Class<?> element =
        value.getClass().isArray() ? value.getClass().componentType() : value.getClass();
    Object primitive = Array.newInstance(element, 0);
    Datatype type = NetcdfTypes.of(unboxed(element));
    if (type == null || type.equals(NetcdfTypes.CHAR)) {
      throw new InvalidUseException(
          "attribute: actual="
              + primitive.getClass().componentType().getName()
              + ", expected=a String, a number, or an array of one dimension of them; other values"
              + " are set with their type, at="
              + path()
              + " "
              + name);
    }
    setAttribute(checked, value, type);
  }

  /**
   * Sets an attribute of a given type, replacing an existing one. A user type must be defined in
   * this group or in a group above.
   *
   * @param name its name
   * @param value a value, an array of one dimension of values, or for a user type a {@link Memory}
   *     of one dimension
   * @param type the stored type; {@link NetcdfTypes#CHAR} for text
   * @throws InvalidUseException if the value does not fit, the name is reserved, or the fill value
   *     of a variable would change
   * @throws org.hyperslab.error.UnsupportedFeatureException if netCDF-4 has no such type
   */
  public void setAttribute(String name, Object value, Datatype type) {
    String checked = checkedAttribute(name, value);
    NetcdfTypes.require(type, path() + " " + name);
    file().requireModel(type, path() + " " + name);
    if (NetcdfTypes.isChar(type) && value instanceof String text) {
      putText(checked, text);
      return;
    }
    if (value instanceof Memory memory && NetcdfTypes.isUserType(type)) {
      requireOneDimension(memory, path() + " " + name);
      putUserType(checked, memory, type);
      return;
    }
    Object values = value;
    if (!value.getClass().isArray()) {
      values = Array.newInstance(unboxed(value.getClass()), 1);
      Array.set(values, 0, value);
    }
    put(checked, values, type);
  }

  private void put(String name, Object values, Datatype type) {
    if (Array.getLength(values) == 0) {
      replace(name, type, Dataspace.nullSpace());
      return;
    }
    if (!NetcdfTypes.isUserType(type)) {
      object().setAttribute(name, values, type);
      return;
    }
    putUserType(name, Memory.of(values, type), type);
  }

  private static void requireOneDimension(Memory memory, String at) {
    if (memory.space().rank() != 1 || memory.space().elementCount() == 0) {
      throw new InvalidUseException(
          "attribute: actual=memory of the shape "
              + memory.space()
              + ", expected=one dimension with elements, at="
              + at);
    }
  }

  private void putUserType(String name, Memory values, Datatype type) {
    NetcdfUserType defined = group().requireType(type, path() + " " + name);
    if (object().hasAttribute(name)) {
      object().deleteAttribute(name);
    }
    object().createAttribute(name, defined.committed(), values.space()).write(values);
  }

  /** Sets the attribute that repeats the fill value of a variable's storage. */
  final void putFill(FillValue.Value fill) {
    Datatype type = fill.type();
    Memory one = new Memory(type, Dataspace.simple(1), Selection.all(), fill.value());
    if (NetcdfTypes.isUserType(type)) {
      putUserType(NetcdfNames.FILL_VALUE, one, type);
    } else if (NetcdfTypes.isChar(type)) {
      putBytes(NetcdfNames.FILL_VALUE, fill.value().elements().toArray(ValueLayout.JAVA_BYTE));
    } else {
      object().setAttribute(NetcdfNames.FILL_VALUE, one, type);
    }
  }

  /** NC_CHAR: one fixed string of the text's bytes; one zero byte for the empty text. */
  final void putText(String name, String text) {
    putBytes(name, NameBytes.encode(text));
  }

  private void putBytes(String name, byte[] bytes) {
    StringType type =
        Datatypes.fixedString(
            Math.max(1, bytes.length), StringPadding.NULLTERM, CharacterSet.ASCII);
    DataBuffer data = DataBuffer.allocate(type, 1);
    data.elements().asByteBuffer().put(bytes);
    Memory memory = new Memory(type, Dataspace.scalar(), Selection.all(), data);
    object().setAttribute(name, memory, type);
  }

  private void replace(String name, Datatype type, Dataspace space) {
    if (object().hasAttribute(name)) {
      object().deleteAttribute(name);
    }
    object().createAttribute(name, type, space);
  }

  /** Returns the group in which user-defined types are looked up. */
  abstract NetcdfGroup group();

  private String checkedAttribute(String name, Object value) {
    file().requireWritable();
    String checked = NetcdfNames.checked(name, "attribute name");
    requireVisible(checked);
    if (value == null) {
      throw new InvalidUseException(
          "attribute: actual=null, expected=a value, at=" + path() + " " + name);
    }
    requireChangeable(checked);
    return checked;
  }

  private void requireChangeable(String name) {
    if (name.equals(NetcdfNames.FILL_VALUE) && this instanceof NetcdfVariable) {
      throw new InvalidUseException(
          "attribute _FillValue: actual=a change, expected=VariableOptions.withFill when the"
              + " variable is created, for it is a property of its storage, at="
              + path());
    }
  }

  /**
   * Deletes an attribute.
   *
   * @param name its name
   * @throws org.hyperslab.error.NotFoundException if there is none
   */
  public void deleteAttribute(String name) {
    file().requireWritable();
    requireVisible(name);
    requireChangeable(name);
    object().deleteAttribute(name);
  }

  /**
   * Renames an attribute.
   *
   * @param from its name
   * @param to its new name
   * @throws org.hyperslab.error.AlreadyExistsException if an attribute with the new name exists
   * @throws org.hyperslab.error.NotFoundException if no attribute with the old name exists
   */
  public void renameAttribute(String from, String to) {
    file().requireWritable();
    requireVisible(from);
    requireChangeable(from);
    String checked = NetcdfNames.checked(to, "attribute name");
    requireVisible(checked);
    requireChangeable(checked);
    object().renameAttribute(from, checked);
  }

  private static Class<?> unboxed(Class<?> type) {
    return MethodType.methodType(type).unwrap().returnType();
  }

  /** Returns whether a type is text, of one length or of any. */
  static boolean isText(Datatype type) {
    return type instanceof StringType || type instanceof VlenStringType;
  }
}
