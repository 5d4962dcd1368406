package org.hyperslab.netcdf.cdl;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Memory;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.netcdf.NetcdfObject;
import org.hyperslab.netcdf.NetcdfTypes;

/**
 * Sets an attribute of a group or variable.
 *
 * <p>Thread rule: confined to one thread.
 */
final class AttributeBuilder {

  /** Attributes that say how something is stored, and are not stored themselves. */
  private static final Set<String> OF_STORAGE =
      Set.of(
          "_Format",
          "_Storage",
          "_ChunkSizes",
          "_Fletcher32",
          "_DeflateLevel",
          "_Shuffle",
          "_Endianness",
          "_NoFill",
          "_NCProperties",
          "_IsNetcdf4",
          "_SuperblockVersion",
          "_Filter",
          "_Codecs");

  private static final List<String> SIZES = List.of("byte", "short", "int", "int64");

  private final CdlDraft.Attribute attribute;
  private final NetcdfObject owner;
  private final ConstantEncoder encoder;

  AttributeBuilder(CdlDraft.Attribute attribute, NetcdfObject owner) {
    this.attribute = attribute;
    this.owner = owner;
    this.encoder = new ConstantEncoder(owner.path() + " " + attribute.name(), attribute.line());
  }

  static boolean isOfStorage(String name) {
    return OF_STORAGE.contains(name);
  }

  /**
   * Sets the attribute.
   *
   * @param forced the type that it has, whatever was declared
   */
  void set(Optional<Datatype> forced) {
    CdlLexer.atLine(attribute.line(), () -> setValue(forced));
  }

  private boolean setValue(Optional<Datatype> forced) {
    Datatype type = forced.or(attribute::type).orElseGet(this::inferred);
    if (CdlGenerator.isCharacters(type)) {
      String text = NameBytes.decode(encoder.joined(attribute.values()));
      owner.setAttribute(attribute.name(), text, NetcdfTypes.CHAR);
    } else if (attribute.values().isEmpty()) {
      owner.setAttribute(attribute.name(), "", NetcdfTypes.CHAR);
    } else {
      owner.setAttribute(attribute.name(), value(type), type);
    }
    return true;
  }

  /** Returns Java's numbers and strings, or memory of a user type. */
  private Object value(Datatype type) {
    Datatype memory = type.inMemory();
    DataBuffer data = encoder.encode(attribute.values(), memory, null);
    int count = attribute.values().size();
    return switch (type) {
      case VlenStringType _ ->
          attribute.values().stream().map(encoder::string).toArray(String[]::new);
      case IntegerType _, FloatType _ -> {
        ElementCodec codec = ElementCodec.of(memory);
        Number[] numbers = new Number[count];
        for (int i = 0; i < count; i++) {
          numbers[i] =
              (Number) codec.decode(data.elements(), (long) i * memory.size(), data.heap());
        }
        yield numbers;
      }
      default -> new Memory(memory, Dataspace.simple(count), Selection.all(), data);
    };
  }

  /** Text is NC_CHAR; numbers have the widest of their types. */
  private Datatype inferred() {
    boolean text = false;
    boolean single = false;
    boolean real = false;
    String widest = "";
    for (CdlConstant value : attribute.values()) {
      switch (value) {
        case CdlConstant.Text _, CdlConstant.Nil _ -> text = true;
        case CdlConstant.Real number -> {
          single |= number.single();
          real |= !number.single();
        }
        case CdlConstant.Whole whole -> widest = wider(widest, whole.type());
        case CdlConstant.Character _ -> widest = wider(widest, "byte");
        case CdlConstant.Hexadecimal _ -> widest = wider(widest, "uint64");
        default ->
            throw encoder.wrong("a value without a type", "the type before the variable's name");
      }
    }
    boolean isNumber = real || single || !widest.isEmpty();
    if (text && isNumber && !isText()) {
      throw encoder.wrong("text and numbers", "one of both");
    }
    if (text || attribute.values().isEmpty()) {
      return NetcdfTypes.CHAR;
    }
    if (real || single) {
      return real ? NetcdfTypes.DOUBLE : NetcdfTypes.FLOAT;
    }
    return CdlParser.primitive(widest).orElseThrow();
  }

  private boolean isText() {
    return attribute.values().stream()
        .allMatch(
            value -> value instanceof CdlConstant.Text || value instanceof CdlConstant.Character);
  }

  private static String wider(String a, String b) {
    if (a.isEmpty()) {
      return b;
    }
    int first = SIZES.indexOf(a.startsWith("u") ? a.substring(1) : a);
    int second = SIZES.indexOf(b.startsWith("u") ? b.substring(1) : b);
    return first > second ? a : b;
  }
}
