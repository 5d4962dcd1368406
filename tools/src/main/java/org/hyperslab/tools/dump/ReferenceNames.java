package org.hyperslab.tools.dump;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;

/** Finds the names of the targets of references. */
final class ReferenceNames {

  private static final String UNKNOWN = "UNKNOWN";
  private static final int MAX_REMEMBERED = 10_000;

  private final H5File file;
  private final ObjectTable table;
  private final Function<String, H5File> opener;

  /**
   * The names of targets in other files, by reference, so that a file is opened once for each
   * reference.
   */
  private final Map<Reference, String> elsewhere = new HashMap<>();

  /**
   * Creates a finder for a file's references.
   *
   * @param opener opens another file by its name
   */
  ReferenceNames(H5File file, ObjectTable table, Function<String, H5File> opener) {
    this.file = file;
    this.table = table;
    this.opener = opener;
  }

  /**
   * Decodes an element.
   *
   * @return the reference; null for a null reference
   */
  static Reference decode(ReferenceType type, MemorySegment elements, long at, VlenHeap heap) {
    Object value = ElementCodec.of(type).decode(elements, at, heap);
    return value instanceof Reference r && r.token() != 0 ? r : null;
  }

  /** Returns the word for a kind of object. */
  static String word(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "GROUP";
      case DATASET -> "DATASET";
      case COMMITTED_TYPE -> "DATATYPE";
    };
  }

  /**
   * Returns the path of the target of a reference.
   *
   * @return the path; empty if there is none
   */
  String path(Reference reference) {
    ObjectToken token = new ObjectToken(reference.token());
    String known = table.path(token);
    return known != null ? known : file.pathOf(token).orElse("");
  }

  /** Formats a reference within an element of another datatype. */
  String inline(ReferenceType type, MemorySegment elements, long at, VlenHeap heap) {
    Reference reference = decode(type, elements, at, heap);
    if (reference == null) {
      return "NULL";
    }
    if (type.kind().revised()) {
      return heading(reference);
    }
    if (reference instanceof Reference.ToRegion) {
      return "DATASET \"" + path(reference) + "\"";
    }
    try (var object = file.dereference(reference)) {
      return word(object.kind()) + " " + reference.token() + " \"" + path(reference) + "\"";
    } catch (HyperslabException dangling) {
      return "<unknown>";
    }
  }

  /** Returns whether a heading means that the target is unknown. */
  static boolean isUnknown(String heading) {
    return heading.startsWith(UNKNOWN);
  }

  /** Formats a reference that is an element by itself: kind, file name and path. */
  String heading(Reference reference) {
    String name = file.name() + path(reference);
    return switch (reference) {
      case Reference.ToAttribute a -> "ATTRIBUTE \"" + name + "/" + a.name() + "\"";
      case Reference.ToRegion r -> "DATASET \"" + name + "\"";
      case Reference.External e ->
          e.target() instanceof Reference.ToAttribute a
              ? "ATTRIBUTE \"" + e.file() + "/" + a.name() + "\""
              : elsewhere(e);
      case Reference.ToObject o -> {
        try (var object = file.dereference(o)) {
          yield word(object.kind()) + " \"" + name + "\"";
        } catch (HyperslabException dangling) {
          yield UNKNOWN + " \"" + name + "\"";
        }
      }
    };
  }

  private String elsewhere(Reference.External reference) {
    if (elsewhere.size() >= MAX_REMEMBERED) {
      elsewhere.clear();
    }
    return elsewhere.computeIfAbsent(reference, _ -> objectElsewhere(reference));
  }

  private String objectElsewhere(Reference.External reference) {
    try (H5File other = opener.apply(reference.file());
        var object = other.dereference(reference.target())) {
      String path = other.pathOf(new ObjectToken(reference.token())).orElse("");
      return word(object.kind()) + " \"" + reference.file() + path + "\"";
    } catch (HyperslabException unreachable) {
      return UNKNOWN + " \"" + reference.file() + "\"";
    }
  }
}
