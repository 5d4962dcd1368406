package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.VlenHeap;

/** Reads and writes values that consist of other values. */
final class TreeNodes {

  private TreeNodes() {}

  /** Returns the elements of a List or of any Java array. */
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

  /** Creates the part with a given index, as an instance of a class. */
  private interface Parts {
    Object part(int index, Class<?> target);
  }

  /** Returns an array; or a List if the class is Object or List. */
  private static Object listAs(Class<?> target, int length, Parts parts) {
    if (target.isArray()) {
      Object array = Array.newInstance(target.componentType(), length);
      for (int i = 0; i < length; i++) {
        Array.set(array, i, parts.part(i, target.componentType()));
      }
      return array;
    }
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(parts.part(i, Object.class));
    }
    return JavaTypes.coerce(Collections.unmodifiableList(list), target);
  }

  /** The node of sequences of any length; null is an empty sequence that was never stored. */
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
    public Object getAs(Source from, long at, Class<?> target) {
      Source inside =
          new Source(from.heap().readSequence(from.elements(), at, size), from.heap(), from.rule());
      int length = inside.elements() == null ? 0 : (int) (inside.elements().byteSize() / size);
      return listAs(target, length, (i, part) -> base.getAs(inside, (long) i * size, part));
    }

    @Override
    public void put(Object value, Target to, long at) {
      if (value == null) {
        to.heap().writeSequence(to.elements(), at, null, size);
        return;
      }
      List<?> list = listOf(value, "a variable-length sequence");
      MemorySegment sequence =
          MemorySegment.ofArray(new byte[Math.multiplyExact(list.size(), size)]);
      long p = 0;
      for (Object element : list) {
        base.put(element, to.of(sequence), p);
        p += size;
      }
      to.heap().writeSequence(to.elements(), at, sequence, size);
    }
  }

  /** The node of arrays, as Lists nested by dimension. */
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
    public Object getAs(Source from, long at, Class<?> target) {
      return getAs(from, at, target, 0);
    }

    private Object getAs(Source from, long at, Class<?> target, int dimension) {
      long step = step(dimension);
      boolean last = dimension == dimensions.size() - 1;
      return listAs(
          target,
          dimensions.get(dimension),
          (i, part) ->
              last
                  ? base.getAs(from, at + i * step, part)
                  : getAs(from, at + i * step, part, dimension + 1));
    }

    @Override
    public void put(Object value, Target to, long at) {
      List<?> list = listOf(value, "an array");
      int dimension = 0;
      int total = dimensions.stream().reduce(1, Math::multiplyExact);
      boolean flat = dimensions.size() > 1 && list.size() == total && !isNested(list);
      if (flat) {
        putFlat(list, to, at);
      } else {
        put(list, to, at, dimension);
      }
    }

    private static boolean isNested(List<?> list) {
      Object first = list.isEmpty() ? null : list.getFirst();
      return first instanceof List<?> || (first != null && first.getClass().isArray());
    }

    private void putFlat(List<?> list, Target to, long at) {
      long p = at;
      for (Object element : list) {
        base.put(element, to, p);
        p += size;
      }
    }

    private void put(List<?> list, Target to, long at, int dimension) {
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
          base.put(element, to, p);
        } else {
          put(listOf(element, "an array"), to, p, dimension + 1);
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

  /**
   * Pairs the components of a record class with the members of a compound.
   *
   * @param access the record class
   * @param members the index of each component's member; -1 if there is none
   * @param components the index of each member's component; -1 if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pairing(RecordAccess access, int[] members, int[] components) {

    static Pairing of(Class<?> recordClass, List<String> names) {
      RecordAccess access = RecordAccess.of(recordClass);
      int[] members = new int[access.components().length];
      int[] components = new int[names.size()];
      Arrays.fill(components, -1);
      for (int i = 0; i < members.length; i++) {
        members[i] = names.indexOf(access.components()[i].getName());
        if (members[i] >= 0) {
          components[members[i]] = i;
        }
      }
      return new Pairing(access, members, components);
    }

    /** Returns whether every component has a member, and every member a component. */
    boolean isComplete() {
      boolean complete = members.length == components.length;
      for (int i = 0; complete && i < members.length; i++) {
        complete = members[i] >= 0;
      }
      return complete;
    }
  }

  /** The node of compounds, as Maps by member name or records by component name. */
  static final class Compound implements Node {
    private final CompoundType type;
    private final List<Node> nodes;
    private final Node[] nodeByMember;
    private final long[] offsetByMember;
    private final MemberMap.Names keys;

    /** The pairing of the record class met last, which is that of most elements. */
    private volatile Pairing known;

    private Compound(CompoundType type, List<Node> nodes) {
      this.type = type;
      this.nodes = nodes;
      this.nodeByMember = nodes.toArray(Node[]::new);
      this.offsetByMember =
          type.members().stream().mapToLong(CompoundType.Member::offset).toArray();
      this.keys = new MemberMap.Names(names());
    }

    static Compound of(CompoundType type, Unsigned64 unsigned) {
      List<Node> nodes = new ArrayList<>();
      for (CompoundType.Member member : type.members()) {
        nodes.add(ElementCodec.node(member.type(), unsigned));
      }
      return new Compound(type, List.copyOf(nodes));
    }

    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      Object[] values = new Object[nodeByMember.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = nodeByMember[i].get(elements, at + offsetByMember[i], heap);
      }
      return keys.with(values);
    }

    @Override
    public Object getAs(Source from, long at, Class<?> target) {
      if (target.isRecord()) {
        return record(from, at, pairing(target));
      }
      Object[] values = new Object[nodeByMember.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = member(from, at, i, Object.class);
      }
      return JavaTypes.coerce(keys.with(values), target, from.rule());
    }

    private Pairing pairing(Class<?> recordClass) {
      Pairing pairing = known;
      if (pairing == null || pairing.access.type() != recordClass) {
        pairing = Pairing.of(recordClass, names());
        known = pairing;
      }
      return pairing;
    }

    private Object record(Source from, long at, Pairing pairing) {
      Object[] values = new Object[pairing.members.length];
      for (int i = 0; i < values.length; i++) {
        int member = pairing.members[i];
        if (member < 0) {
          throw new InvalidUseException(
              "record component \""
                  + pairing.access.components()[i].getName()
                  + "\": actual members="
                  + names()
                  + ", expected one of that name");
        }
        values[i] = member(from, at, member, pairing.access.classOf(i));
      }
      return pairing.access.make(values);
    }

    private Object member(Source from, long at, int index, Class<?> target) {
      try {
        return nodeByMember[index].getAs(from, at + offsetByMember[index], target);
      } catch (InvalidUseException e) {
        throw within(type.members().get(index).name(), e);
      }
    }

    private static InvalidUseException within(String name, InvalidUseException e) {
      return new InvalidUseException(e.getMessage() + ", in=member \"" + name + "\"", e);
    }

    private List<String> names() {
      return type.members().stream().map(CompoundType.Member::name).toList();
    }

    @Override
    public void put(Object value, Target to, long at) {
      switch (value) {
        case Map<?, ?> map -> putMap(map, to, at);
        case Record record -> putRecord(record, pairing(record.getClass()), to, at);
        case null, default -> throw Node.mismatch(value, type);
      }
    }

    private void putMap(Map<?, ?> map, Target to, long at) {
      checkNames(map);
      for (int i = 0; i < nodes.size(); i++) {
        putMember(i, map.get(type.members().get(i).name()), to, at);
      }
    }

    private void putRecord(Record record, Pairing pairing, Target to, long at) {
      if (!pairing.isComplete()) {
        checkNames(pairing.access.toMap(record)); // names what is missing or left over
      }
      for (int i = 0; i < nodes.size(); i++) {
        putMember(i, pairing.access.value(record, pairing.components[i]), to, at);
      }
    }

    private void putMember(int index, Object value, Target to, long at) {
      CompoundType.Member member = type.members().get(index);
      try {
        nodes.get(index).put(value, to, at + member.offset());
      } catch (InvalidUseException e) {
        throw within(member.name(), e);
      }
    }

    /** Requires that values and members match: a value without a member would be lost. */
    private void checkNames(Map<?, ?> map) {
      for (CompoundType.Member member : type.members()) {
        if (!map.containsKey(member.name())) {
          throw names(map, "a value for member \"" + member.name() + "\"; fields(...) writes some");
        }
      }
      if (map.size() > nodes.size()) {
        throw names(map, "nothing but values for the members " + names());
      }
    }

    private static InvalidUseException names(Map<?, ?> map, String expected) {
      return new InvalidUseException(
          "compound value: actual=" + map.keySet() + ", expected=" + expected);
    }
  }
}
