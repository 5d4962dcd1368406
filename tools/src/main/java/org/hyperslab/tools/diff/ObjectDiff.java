package org.hyperslab.tools.diff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.tools.walk.DatasetPieces;

/** Compares two datasets, and the attributes of two objects of any kind. */
final class ObjectDiff {

  /** The greatest depth to which references to datasets of references are followed. */
  private static final int DEEPEST_REFERENCE = 16;

  private final DiffOutcome outcome;
  private final DiffOptions options;
  private final H5File first;
  private final H5File second;
  private int referenceDepth;

  ObjectDiff(DiffOutcome outcome, H5File first, H5File second) {
    this.outcome = outcome;
    this.options = outcome.options;
    this.first = first;
    this.second = second;
  }

  /** The compared objects: their names for messages and tables, and their types. */
  private record Pair(String firstName, String secondName, Datatype a, Datatype b) {
    Pair of(Datatype one, Datatype other) {
      return new Pair(firstName, secondName, one, other);
    }
  }

  /** Returns the number of differences between the elements of two datasets. */
  long datasets(Dataset a, Dataset b, String firstPath, String secondPath) {
    DatasetInfo left = a.datasetInfo();
    DatasetInfo right = b.datasetInfo();
    boolean comparable = true;
    boolean virtual =
        left.options().layout() instanceof Layout.Virtual
            || right.options().layout() instanceof Layout.Virtual;
    if (!virtual && (empty(left) || empty(right))) {
      outcome.notComparable("<" + firstPath + "> or <" + secondPath + "> is an empty dataset");
      comparable = false;
    }
    Pair pair = new Pair(firstPath, secondPath, left.type(), right.type());
    if (!comparable(pair, left.space(), right.space())
        || !comparable
        || !sameSign(pair)
        || !sameParts(pair)) {
      return 0;
    }
    Datatype one = left.type().inMemory();
    Datatype other = right.type().inMemory();
    ElementDiff elements =
        new ElementDiff(
            outcome, baseName(firstPath), baseName(secondPath), left.space(), this::references);
    DatasetPieces pieces = DatasetPieces.of(left.space(), Math.max(one.size(), other.size()));
    if (ElementDiff.bytesTell(one, other)) {
      new PieceComparison(a, b, one).run(pieces, elements);
    } else {
      each(pieces, a, one, b, other, elements);
    }
    return elements.found();
  }

  private static void each(
      DatasetPieces pieces,
      Dataset a,
      Datatype one,
      Dataset b,
      Datatype other,
      ElementDiff elements) {
    for (DatasetPieces.Piece piece : pieces) {
      DataBuffer left = DatasetPieces.read(a, one, piece.selection(), piece.count());
      DataBuffer right = DatasetPieces.read(b, other, piece.selection(), piece.count());
      if (!elements.piece(one, left, other, right, piece.first(), piece.count())) {
        return;
      }
    }
  }

  private static boolean empty(DatasetInfo info) {
    return info.storage().allocatedBytes() == 0;
  }

  private static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Compares the signs of integers, also of those of which arrays and sequences consist. */
  private boolean sameSign(Pair pair) {
    String one = sign(pair.a);
    String other = sign(pair.b);
    if (!one.equals(other)) {
      outcome.notComparable(
          "<"
              + pair.firstName
              + "> has sign "
              + one
              + " and <"
              + pair.secondName
              + "> has sign "
              + other);
      return false;
    }
    return true;
  }

  private static String sign(Datatype type) {
    return switch (type) {
      case IntegerType t -> t.signed() ? "H5T_SGN_2" : "H5T_SGN_NONE";
      case EnumType t -> sign(t.base());
      default -> base(type).map(ObjectDiff::sign).orElse("H5T_SGN_ERROR");
    };
  }

  /** Returns the type of the elements of an array or a sequence. */
  private static Optional<Datatype> base(Datatype type) {
    return switch (type) {
      case ArrayType t -> Optional.of(t.base());
      case VlenType t -> Optional.of(t.base());
      default -> Optional.empty();
    };
  }

  /**
   * Returns whether arrays and sequences, at any depth, consist of elements that can be compared;
   * prints the reason if not. The types are of the same class.
   */
  private boolean sameParts(Pair pair) {
    if (pair.a instanceof CompoundType a && pair.b instanceof CompoundType b) {
      for (int m = 0; m < a.members().size(); m++) {
        if (!sameParts(pair.of(a.members().get(m).type(), b.members().get(m).type()))) {
          return false;
        }
      }
    }
    Optional<Datatype> one = base(pair.a);
    Optional<Datatype> other = base(pair.b);
    if (one.isEmpty() || other.isEmpty()) {
      return true;
    }
    Pair parts = pair.of(one.get(), other.get());
    return sameClass(parts, "has a class ") && sameForm(parts) && sameParts(parts);
  }

  /** Returns whether types and extents can be compared; prints the reason if not. */
  private boolean comparable(Pair pair, Dataspace a, Dataspace b) {
    return sameClass(pair, "is of class ")
        && storageWarning(pair)
        && sameExtent(pair, a, b)
        && sameForm(pair);
  }

  private static String className(Datatype type) {
    return switch (type.classNumber()) {
      case 0 -> "H5T_INTEGER";
      case 1 -> "H5T_FLOAT";
      case 2 -> "H5T_TIME";
      case 3 -> "H5T_STRING";
      case 4 -> "H5T_BITFIELD";
      case 5 -> "H5T_OPAQUE";
      case 6 -> "H5T_COMPOUND";
      case 7 -> "H5T_REFERENCE";
      case 8 -> "H5T_ENUM";
      case 9 -> type instanceof VlenStringType ? "H5T_STRING" : "H5T_VLEN";
      case 10 -> "H5T_ARRAY";
      default -> "H5T_COMPLEX";
    };
  }

  private boolean sameClass(Pair pair, String verb) {
    String one = className(pair.a);
    String other = className(pair.b);
    if (!one.equals(other)) {
      outcome.notComparable(
          "<"
              + pair.firstName
              + "> "
              + verb
              + one
              + " and <"
              + pair.secondName
              + "> "
              + verb
              + other);
      return false;
    }
    if (pair.a instanceof TimeType) {
      outcome.notComparable(
          "<" + pair.firstName + "> and <" + pair.secondName + "> are of class H5T_TIME");
      return false;
    }
    return true;
  }

  private boolean storageWarning(Pair pair) {
    if (options.verbose && !pair.a.inMemory().equals(pair.b.inMemory())) {
      outcome.line("Warning: different storage datatype");
      if (pair.a.classNumber() <= 1) {
        outcome.line("<" + pair.firstName + "> has file datatype " + FileTypeName.of(pair.a));
        outcome.line("<" + pair.secondName + "> has file datatype " + FileTypeName.of(pair.b));
      }
    }
    return true;
  }

  private boolean sameExtent(Pair pair, Dataspace a, Dataspace b) {
    if (a.rank() == b.rank() && Arrays.equals(a.dims(), b.dims())) {
      if (options.verbose && !Arrays.equals(a.maxDims(), b.maxDims())) {
        outcome.line("Warning: different maximum dimensions");
        outcome.line("<" + pair.firstName + "> has max dimensions " + max(a));
        outcome.line("<" + pair.secondName + "> has max dimensions " + max(b));
      }
      return true;
    }
    outcome.notComparable(
        "<"
            + pair.firstName
            + "> has "
            + extent(a)
            + "\nand <"
            + pair.secondName
            + "> has "
            + extent(b));
    return false;
  }

  private static String max(Dataspace space) {
    return ElementDiff.dimensions(space.maxDims());
  }

  private static String extent(Dataspace space) {
    return "rank "
        + space.rank()
        + ", dimensions "
        + ElementDiff.dimensions(space.dims())
        + ", max dimensions "
        + max(space);
  }

  private boolean sameForm(Pair pair) {
    if ((pair.a instanceof VlenStringType && pair.b instanceof StringType)
        || (pair.a instanceof StringType && pair.b instanceof VlenStringType)) {
      outcome.notComparable(
          "<" + pair.firstName + "> or <" + pair.secondName + "> is of mixed string type");
      return false;
    }
    if (!(pair.a instanceof CompoundType a) || !(pair.b instanceof CompoundType b)) {
      return true;
    }
    if (a.members().size() != b.members().size()) {
      outcome.notComparable(
          "<"
              + pair.firstName
              + "> has "
              + a.members().size()
              + " members <"
              + pair.secondName
              + "> has "
              + b.members().size()
              + " members ");
      return false;
    }
    for (int m = 0; m < a.members().size(); m++) {
      Pair members = pair.of(a.members().get(m).type(), b.members().get(m).type());
      if (!sameClass(members, "has a class ") || !sameForm(members)) {
        return false;
      }
    }
    return true;
  }

  private long references(ElementDiff.Side a, ElementDiff.Side b) {
    Reference left = reference(a);
    Reference right = reference(b);
    if (left == null || right == null) {
      return left == right ? 0 : 1;
    }
    if (referenceDepth >= DEEPEST_REFERENCE) {
      return 0;
    }
    try (H5Object one = first.dereference(left);
        H5Object other = second.dereference(right)) {
      return referenced(left, right, one, other);
    } catch (HyperslabException failure) {
      outcome.fails("reference: " + failure.getMessage());
      return 0;
    }
  }

  private static Reference reference(ElementDiff.Side side) {
    Object value = ElementCodec.of(side.type()).decode(side.elements(), side.at(), side.heap());
    return value instanceof Reference reference && reference.token() != 0 ? reference : null;
  }

  private long referenced(Reference left, Reference right, H5Object one, H5Object other) {
    if (left instanceof Reference.ToRegion a && right instanceof Reference.ToRegion b) {
      if (!(one instanceof Dataset x) || !(other instanceof Dataset y)) {
        return 0;
      }
      boolean same =
          x.rank() == y.rank()
              && x.region(a).selection().selectsSame(y.region(b).selection(), x.shape());
      return same ? 0 : 1;
    }
    if (one.kind() != other.kind() || one.kind() != ObjectKind.DATASET) {
      outcome.notComparable(null);
      return 0;
    }
    referenceDepth++;
    try {
      return datasets((Dataset) one, (Dataset) other, one.path(), other.path());
    } finally {
      referenceDepth--;
    }
  }

  /** Returns the number of differences between the common attributes of two objects. */
  long attributes(H5Object a, H5Object b, String firstPath, String secondPath) {
    Map<String, Attribute> left = attributesOf(a, firstPath);
    Map<String, Attribute> right = attributesOf(b, secondPath);
    List<String> common = new ArrayList<>();
    Map<String, Boolean> names = new TreeMap<>();
    left.keySet().forEach(name -> names.put(name, true));
    right.keySet().forEach(name -> names.put(name, true));
    boolean table = options.verbose && options.level == 2;
    if (table) {
      outcome.line("   obj1   obj2");
      outcome.line(" --------------------------------------");
    }
    for (String name : names.keySet()) {
      boolean one = left.containsKey(name);
      boolean other = right.containsKey(name);
      if (one && other) {
        common.add(name);
      } else {
        outcome.onlyIn(one, one ? firstPath : secondPath, name);
      }
      if (table) {
        outcome.line(FileDiff.tableRow(one, other, name));
      }
    }
    if (options.verbose && options.level >= 1) {
      outcome.line(
          "Attributes status:  "
              + common.size()
              + " common, "
              + (left.size() - common.size())
              + " only in obj1, "
              + (right.size() - common.size())
              + " only in obj2");
    }
    long found = 0;
    for (String name : common) {
      found += attribute(left.get(name), right.get(name), firstPath, secondPath);
    }
    return found;
  }

  private Map<String, Attribute> attributesOf(H5Object object, String path) {
    Map<String, Attribute> all = new TreeMap<>();
    object.attributes().forEach(attribute -> all.put(attribute.name(), attribute));
    String prefix = path.equals("/") ? "/" : path + "/";
    all.keySet().removeIf(name -> options.excludedAttributes.contains(prefix + name));
    return all;
  }

  private long attribute(Attribute a, Attribute b, String firstPath, String secondPath) {
    Pair pair = new Pair(a.name(), b.name(), a.type(), b.type());
    if (!comparable(pair, a.space(), b.space()) || !sameParts(pair)) {
      return 0;
    }
    String one = a.name() + " of <" + firstPath + ">";
    String other = b.name() + " of <" + secondPath + ">";
    boolean told = options.printsDifferences();
    if (told) {
      outcome.heading("attribute", one, other);
    }
    ElementDiff elements = new ElementDiff(outcome, one, other, a.space(), this::references);
    long count = a.space().elementCount();
    if (count > 0) {
      Datatype x = a.type().inMemory();
      Datatype y = b.type().inMemory();
      DataBuffer left = DataBuffer.allocate(x, count);
      DataBuffer right = DataBuffer.allocate(y, count);
      a.read(x, left);
      b.read(y, right);
      elements.piece(x, left, y, right, 0, count);
    }
    if (!told && elements.found() > 0 && !options.quiet) {
      outcome.heading("attribute", one, other);
    }
    if (told || (elements.found() > 0 && !options.quiet)) {
      outcome.found(elements.found());
    }
    outcome.compared("attribute", firstPath, secondPath, a.name(), elements.found());
    return elements.found();
  }
}
