package org.hyperslab.testkit.differential;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Slice;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Converts elements between trees of the model and the memory form of the public API.
 *
 * <p>Thread rule: confined to one thread.
 */
final class HyperslabElements {

  private static final ValueLayout.OfLong ADDRESS = ValueLayout.JAVA_LONG_UNALIGNED;

  private final H5File file;
  private final Map<Long, String> paths;

  /**
   * Creates a converter of the elements of a file.
   *
   * @param paths the paths of objects, by address
   */
  HyperslabElements(H5File file, Map<Long, String> paths) {
    this.file = file;
    this.paths = paths;
  }

  /** Returns elements of a type in memory form. */
  DataBuffer encode(Datatype memory, List<?> values) {
    DataBuffer buffer = DataBuffer.allocate(memory, values.size());
    for (int i = 0; i < values.size(); i++) {
      encode(memory, values.get(i), buffer.elements(), (long) i * memory.size(), buffer.heap());
    }
    return buffer;
  }

  private void encode(Datatype type, Object value, MemorySegment out, long at, VlenHeap heap) {
    switch (type) {
      case VlenStringType ignored -> heap.putString(out, at, (String) value);
      case VlenType vlen -> {
        List<?> parts = (List<?>) value;
        MemorySegment inner = MemorySegment.ofArray(new byte[parts.size() * vlen.base().size()]);
        for (int i = 0; i < parts.size(); i++) {
          encode(vlen.base(), parts.get(i), inner, (long) i * vlen.base().size(), heap);
        }
        heap.writeSequence(out, at, inner, vlen.base().size());
      }
      case CompoundType compound -> {
        for (int i = 0; i < compound.members().size(); i++) {
          CompoundType.Member member = compound.members().get(i);
          encode(member.type(), ((List<?>) value).get(i), out, at + member.offset(), heap);
        }
      }
      case ArrayType array -> {
        for (int i = 0; i < array.elementCount(); i++) {
          long step = (long) i * array.base().size();
          encode(array.base(), ((List<?>) value).get(i), out, at + step, heap);
        }
      }
      case ReferenceType reference -> refer(reference.kind(), (List<?>) value, out, at, heap);
      default -> {
        byte[] bytes = HexFormat.of().parseHex((String) value);
        MemorySegment.copy(bytes, 0, out, ValueLayout.JAVA_BYTE, at, bytes.length);
      }
    }
  }

  private void refer(ReferenceKind kind, List<?> value, MemorySegment out, long at, VlenHeap heap) {
    Reference target = value == null ? null : target(value);
    if (kind == ReferenceKind.OBJECT) {
      out.set(ADDRESS, at, target == null ? 0 : target.token());
      return;
    }
    ReferenceKind stored =
        kind == ReferenceKind.REGION
            ? kind
            : switch (target) {
              case null -> kind;
              case Reference.ToObject ignored -> ReferenceKind.OBJECT2;
              case Reference.ToRegion ignored -> ReferenceKind.REGION2;
              case Reference.ToAttribute ignored -> ReferenceKind.ATTRIBUTE;
              default -> throw new IllegalStateException("no reference of this file: " + target);
            };
    heap.writeReference(
        out, at, target == null ? null : MemorySegment.ofArray(target.toPayload(stored)), stored);
  }

  private Reference target(List<?> value) {
    try (H5Object object = file.get((String) value.get(1))) {
      return switch ((String) value.getFirst()) {
        case "obj" -> object.reference();
        case "attr" -> new Reference.ToAttribute(object.token().address(), (String) value.get(2));
        default -> ((Dataset) object).regionReference(((SelectionSpec) value.get(2)).selection());
      };
    }
  }

  /** Returns the trees of elements. */
  List<Object> decode(Datatype memory, DataBuffer buffer, int count) {
    List<Object> found = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      found.add(decode(memory, buffer.elements(), (long) i * memory.size(), buffer.heap()));
    }
    return found;
  }

  private Object decode(Datatype type, MemorySegment in, long at, VlenHeap heap) {
    return switch (type) {
      case VlenStringType ignored -> {
        String text = heap.getString(in, at);
        yield text == null ? "" : text;
      }
      case VlenType vlen -> {
        MemorySegment inner = heap.readSequence(in, at, vlen.base().size());
        int count = inner == null ? 0 : (int) (inner.byteSize() / vlen.base().size());
        List<Object> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          parts.add(decode(vlen.base(), inner, (long) i * vlen.base().size(), heap));
        }
        yield parts;
      }
      case CompoundType compound -> {
        List<Object> parts = new ArrayList<>();
        compound
            .members()
            .forEach(one -> parts.add(decode(one.type(), in, at + one.offset(), heap)));
        yield parts;
      }
      case ArrayType array -> {
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < array.elementCount(); i++) {
          parts.add(decode(array.base(), in, at + (long) i * array.base().size(), heap));
        }
        yield parts;
      }
      case ReferenceType reference -> follow(reference.kind(), in, at, heap);
      default -> {
        byte[] bytes = in.asSlice(at, type.size()).toArray(ValueLayout.JAVA_BYTE);
        yield HexFormat.of().formatHex(bytes);
      }
    };
  }

  private Object follow(ReferenceKind kind, MemorySegment in, long at, VlenHeap heap) {
    if (kind == ReferenceKind.OBJECT) {
      long address = in.get(ADDRESS, at);
      return address == 0 ? null : List.of("obj", name(address));
    }
    MemorySegment payload = heap.readReference(in, at, kind);
    if (payload == null) {
      return null;
    }
    byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
    return switch (Reference.fromPayload(kind, bytes)) {
      case Reference.ToObject one -> List.of("obj", name(one.token()));
      case Reference.ToAttribute one -> List.of("attr", name(one.token()), one.name());
      case Reference.ToRegion one -> region(one);
      default -> List.of("elsewhere");
    };
  }

  private String name(long address) {
    return paths.getOrDefault(address, "nowhere");
  }

  private List<Object> region(Reference.ToRegion region) {
    try (H5Object object = file.dereference(region)) {
      Slice slice = ((Dataset) object).region(region);
      Selection selection = slice.selection();
      long[] shape = ((Dataset) object).shape();
      Selection.Bounds bounds = selection.bounds(shape);
      List<Long> low = new ArrayList<>();
      List<Long> high = new ArrayList<>();
      for (int d = 0; d < shape.length; d++) {
        low.add(bounds.low(d));
        high.add(bounds.high(d));
      }
      return List.of("reg", name(region.token()), selection.elementCount(shape), low, high);
    }
  }
}
