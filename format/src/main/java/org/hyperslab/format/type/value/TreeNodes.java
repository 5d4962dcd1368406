package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.VlenHeap;

/** Values made of values. */
final class TreeNodes {

  private TreeNodes() {}

  /** The elements of a List or of any Java array. */
  static List<?> listOf(Object value, String expected) {
    if (value instanceof List<?> list) {
      return list;
    }
    if (value != null && value.getClass().isArray()) {
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        list.add(Array.get(value, i));
      }
      return list;
    }
    throw new InvalidUseException(
        "Java value: actual="
            + (value == null ? "null" : value.getClass().getName())
            + ", expected a List or an array for "
            + expected);
  }

  /** Sequences of any length; null stands for an empty one that was never stored. */
  record Sequence(int size, Node base) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      MemorySegment sequence = heap.readSequence(elements, at, size);
      List<Object> list = new ArrayList<>();
      if (sequence != null) {
        for (long p = 0; p < sequence.byteSize(); p += size) {
          list.add(base.get(sequence, p, heap));
        }
      }
      return Collections.unmodifiableList(list);
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      if (value == null) {
        heap.writeSequence(elements, at, null, size);
        return;
      }
      List<?> list = listOf(value, "a variable-length sequence");
      MemorySegment sequence =
          MemorySegment.ofArray(new byte[Math.multiplyExact(list.size(), size)]);
      long p = 0;
      for (Object element : list) {
        base.put(element, sequence, p, heap);
        p += size;
      }
      heap.writeSequence(elements, at, sequence, size);
    }
  }

  /** Arrays: Lists nested by dimension. */
  record OfArray(List<Integer> dimensions, int size, Node base) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      return get(elements, at, heap, 0);
    }

    private List<Object> get(MemorySegment elements, long at, VlenHeap heap, int dimension) {
      long step = step(dimension);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < dimensions.get(dimension); i++) {
        boolean last = dimension == dimensions.size() - 1;
        list.add(
            last
                ? base.get(elements, at + i * step, heap)
                : get(elements, at + i * step, heap, dimension + 1));
      }
      return Collections.unmodifiableList(list);
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      List<?> list = listOf(value, "an array");
      int dimension = 0;
      int total = dimensions.stream().reduce(1, Math::multiplyExact);
      boolean flat = dimensions.size() > 1 && list.size() == total && !isNested(list);
      if (flat) {
        putFlat(list, elements, at, heap);
      } else {
        put(list, elements, at, heap, dimension);
      }
    }

    private static boolean isNested(List<?> list) {
      Object first = list.isEmpty() ? null : list.getFirst();
      return first instanceof List<?> || (first != null && first.getClass().isArray());
    }

    private void putFlat(List<?> list, MemorySegment elements, long at, VlenHeap heap) {
      long p = at;
      for (Object element : list) {
        base.put(element, elements, p, heap);
        p += size;
      }
    }

    private void put(List<?> list, MemorySegment elements, long at, VlenHeap heap, int dimension) {
      if (list.size() != dimensions.get(dimension)) {
        throw new InvalidUseException(
            "array length in dimension "
                + dimension
                + ": actual="
                + list.size()
                + ", expected="
                + dimensions.get(dimension));
      }
      long step = step(dimension);
      long p = at;
      for (Object element : list) {
        if (dimension == dimensions.size() - 1) {
          base.put(element, elements, p, heap);
        } else {
          put(listOf(element, "an array"), elements, p, heap, dimension + 1);
        }
        p += step;
      }
    }

    private long step(int dimension) {
      long step = size;
      for (int i = dimension + 1; i < dimensions.size(); i++) {
        step *= dimensions.get(i);
      }
      return step;
    }
  }

  /** Compounds: Maps by member name, or records by component name. */
  record Compound(CompoundType type, List<Node> nodes) implements Node {
    static Compound of(CompoundType type, Unsigned64 unsigned) {
      List<Node> nodes = new ArrayList<>();
      for (CompoundType.Member member : type.members()) {
        nodes.add(ElementCodec.node(member.type(), unsigned));
      }
      return new Compound(type, List.copyOf(nodes));
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < nodes.size(); i++) {
        CompoundType.Member member = type.members().get(i);
        map.put(member.name(), nodes.get(i).get(elements, at + member.offset(), heap));
      }
      return Collections.unmodifiableMap(map);
    }

    @Override
    public void put(Object value, MemorySegment elements, long at, VlenHeap heap) {
      Map<?, ?> map =
          switch (value) {
            case Map<?, ?> m -> m;
            case Record r -> RecordAccess.of(r.getClass()).toMap(r);
            case null, default -> throw Node.mismatch(value, type);
          };
      for (int i = 0; i < nodes.size(); i++) {
        CompoundType.Member member = type.members().get(i);
        if (!map.containsKey(member.name())) {
          throw new InvalidUseException(
              "compound value: actual="
                  + map.keySet()
                  + ", expected a value for member \""
                  + member.name()
                  + "\"");
        }
        try {
          nodes.get(i).put(map.get(member.name()), elements, at + member.offset(), heap);
        } catch (InvalidUseException unfit) {
          throw new InvalidUseException(
              unfit.getMessage() + ", in=member \"" + member.name() + "\"", unfit);
        }
      }
    }
  }
}
