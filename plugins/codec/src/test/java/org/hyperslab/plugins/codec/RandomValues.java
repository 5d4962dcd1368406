package org.hyperslab.plugins.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** Generates random values of any record in operations and results, by their components. */
final class RandomValues {

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  Object of(Type type) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic);
    }
    Class<?> raw = (Class<?>) type;
    if (raw.isEnum()) {
      Object[] constants = raw.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    Object special = special(raw);
    if (special != null || raw == Void.class) {
      return special;
    }
    if (raw.isSealed() && raw.isInterface() && raw != Datatype.class) {
      Class<?>[] kinds = raw.getPermittedSubclasses();
      return of(kinds[random.nextInt(kinds.length)]);
    }
    if (raw.isRecord()) {
      return drawn(() -> drawRecord(raw));
    }
    if (raw.getSimpleName().endsWith("Options")) {
      return drawn(() -> drawOptions(raw));
    }
    throw new AssertionError("no generator for " + type);
  }

  private Object special(Class<?> raw) {
    return switch (raw.getSimpleName()) {
      case "String" -> text();
      case "long", "Long" -> random.nextInt(4) == 0 ? random.nextLong() >>> 1 : random.nextInt(99);
      case "int", "Integer" -> random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(99);
      case "boolean", "Boolean" -> random.nextBoolean();
      case "Byte" -> (byte) random.nextInt();
      case "OptionalLong" ->
          random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(9));
      case "Instant" -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
      case "Datatype" -> type();
      case "Dataspace" -> space();
      case "Selection" -> selection(1 + random.nextInt(3));
      case "MemorySegment" -> bytes(random.nextInt(300));
      case "LinkData" -> LinkData.of(text().getBytes(StandardCharsets.UTF_8));
      case "AttributeStorage" -> new AttributeStorage(true, random.nextBoolean(), 9, 3);
      case "GroupOptions" ->
          GroupOptions.builder()
              .creationOrderTracked(true)
              .maxCompact(7)
              .minDense(2)
              .localHeapHintBytes(1)
              .estimatedLinks(2)
              .estimatedNameBytes(3)
              .trackTimes(random.nextBoolean())
              .attributes(storage())
              .build();
      case "PageRequest" ->
          new PageRequest(
              (IterationIndex) of(IterationIndex.class),
              random.nextBoolean(),
              random.nextInt(1 << 20),
              1 + random.nextInt(99));
      case "Value" -> fill();
      case "Field" -> random.nextBoolean() ? Condition.value() : Condition.field("a b", "größe");
      case "Condition" -> condition();
      case "Number" ->
          List.of(random.nextLong(), BigInteger.ONE.shiftLeft(70).negate(), random.nextGaussian())
              .get(random.nextInt(3));
      default -> null;
    };
  }

  private Condition condition() {
    Condition.Field field = (Condition.Field) of(Condition.Field.class);
    Condition one =
        switch (random.nextInt(4)) {
          case 0 -> field.between(random.nextGaussian(), random.nextLong());
          case 1 -> field.in("\\ \"quoted\"", 'x' + text(), true);
          case 2 -> field.isNan().or(field.isFill().not());
          default -> field.notEqualTo(Double.NEGATIVE_INFINITY);
        };
    return random.nextInt(3) == 0 ? one.and(condition()) : one;
  }

  private AttributeStorage storage() {
    return (AttributeStorage) of(AttributeStorage.class);
  }

  private FillValue.Value fill() {
    Datatype type = type().inMemory();
    return new FillValue.Value(type, buffer(type, 1));
  }

  private Object ofGeneric(ParameterizedType type) {
    Type[] of = type.getActualTypeArguments();
    Class<?> raw = (Class<?>) type.getRawType();
    if (raw == Optional.class) {
      return random.nextBoolean() ? Optional.empty() : Optional.of(of(of[0]));
    }
    if (raw == List.class) {
      return list(of[0]);
    }
    if (raw == Map.class) {
      Map<String, String> map = new HashMap<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        map.put("key" + i, "value ä " + random.nextInt());
      }
      return map;
    }
    if (raw == Page.class) {
      return new Page<>(list(of[0]), random.nextBoolean());
    }
    throw new AssertionError("no generator for " + type);
  }

  private List<Object> list(Type type) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(of(type));
    }
    return list;
  }

  /** Returns a random record; draws again if its constructor rejects the values. */
  private Object drawn(Supplier<Object> draw) {
    while (true) {
      try {
        return draw.get();
      } catch (InvalidUseException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }

  /** Sets every option that the builder of some options has, by the accessor of the same name. */
  private Object drawOptions(Class<?> raw) {
    try {
      Object builder = raw.getMethod("builder").invoke(null);
      for (Method accessor : accessors(raw)) {
        builder
            .getClass()
            .getMethod(accessor.getName(), accessor.getReturnType())
            .invoke(builder, of(accessor.getGenericReturnType()));
      }
      return builder.getClass().getMethod("build").invoke(builder);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof InvalidUseException refused) {
        throw refused;
      }
      throw new AssertionError(thrown);
    } catch (ReflectiveOperationException missing) {
      throw new AssertionError(missing);
    }
  }

  /** Returns the accessors of options, in order of their names, so that a seed draws the same. */
  static List<Method> accessors(Class<?> options) {
    Set<String> others = Set.of("toBuilder", "hashCode", "toString");
    return Arrays.stream(options.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !others.contains(method.getName()))
        .filter(method -> method.getReturnType() != options) // such as withCreationOrder
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  /** Returns rows of steps: lists of one length, of numbers that are not negative. */
  private List<List<Long>> rows() {
    int columns = 1 + random.nextInt(4);
    return Stream.generate(() -> random.longs(columns, 0, Long.MAX_VALUE).boxed().toList())
        .limit(random.nextInt(4))
        .toList();
  }

  private Object drawRecord(Class<?> raw) {
    RecordComponent[] components = raw.getRecordComponents();
    Object[] values = new Object[components.length];
    Transfer transfer = null;
    for (int i = 0; i < values.length; i++) {
      Type type = components[i].getGenericType();
      if (type == Transfer.class) {
        transfer = transfer();
        values[i] = transfer;
      } else if (type == DataBuffer.class && transfer != null) {
        values[i] = buffer(transfer.memoryType(), transfer.memorySpace().elementCount());
      } else if (type == DataBuffer.class) {
        values[i] = buffer((Datatype) values[i - 1], random.nextInt(5));
      } else if (components[i].getName().equals("rows") && type instanceof ParameterizedType) {
        values[i] = rows();
      } else if (components[i].getName().equals("memoryType")) {
        values[i] = type().inMemory();
      } else {
        values[i] = of(type);
      }
    }
    try {
      Constructor<?> constructor =
          raw.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InvalidUseException refused) {
        throw refused;
      }
      throw new AssertionError(raw + " of " + Arrays.toString(values), e);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(raw + " of " + Arrays.toString(values), e);
    }
  }

  private String text() {
    String[] texts = {
      "", ".", "/", "grid/density", "größe/日本", "\uDCE4 latin", "a\0b", "x".repeat(300)
    };
    return texts[random.nextInt(texts.length)];
  }

  Datatype type() {
    Datatype[] types = {
      Datatypes.I8LE,
      Datatypes.F64BE,
      Datatypes.U32LE,
      Datatypes.vlenString(),
      Datatypes.fixedString(7),
      Datatypes.opaque(5, "tag"),
      Datatypes.vlen(Datatypes.vlen(Datatypes.I16LE)),
      Datatypes.array(Datatypes.F32LE, 2, 3),
      Datatypes.BOOLEAN,
      CompoundType.builder()
          .member("a", 3, Datatypes.I32LE)
          .member("b", 16, Datatypes.vlenString())
          .size(40)
          .build(),
    };
    return types[random.nextInt(types.length)];
  }

  Dataspace space() {
    return switch (random.nextInt(5)) {
      case 0 -> Dataspace.nullSpace();
      case 1 -> Dataspace.scalar();
      case 2 -> Dataspace.simple(new long[] {3, 4}, new long[] {9, Dataspace.UNLIMITED});
      case 3 -> Dataspace.simple(0);
      default -> Dataspace.simple(1 + random.nextInt(20), 1 + random.nextInt(20));
    };
  }

  Selection selection(int rank) {
    return switch (random.nextInt(7)) {
      case 0 -> Selection.all();
      case 1 -> Selection.none();
      case 2 -> {
        long[] points = new long[rank * random.nextInt(6)];
        for (int i = 0; i < points.length; i++) {
          points[i] = random.nextInt(40);
        }
        yield Selection.points(rank, points);
      }
      case 3 -> {
        long[] count = filled(rank, 2);
        count[random.nextInt(rank)] = Selection.UNLIMITED;
        yield Selection.hyperslab(filled(rank, 3), filled(rank, 7), count, filled(rank, 4));
      }
      case 4 -> box(rank);
      case 5 ->
          Selection.hyperslab(filled(rank, 1), filled(rank, 6), filled(rank, 3), filled(rank, 2));
      default -> {
        List<Selection> boxes = new ArrayList<>();
        for (int i = 2 + random.nextInt(12); i > 0; i--) {
          boxes.add(box(rank));
        }
        yield Selection.union(boxes);
      }
    };
  }

  private Selection box(int rank) {
    long[] start = new long[rank];
    long[] count = new long[rank];
    for (int i = 0; i < rank; i++) {
      start[i] = random.nextInt(30);
      count[i] = 1 + random.nextInt(9);
    }
    return Selection.box(start, count);
  }

  private static long[] filled(int rank, long value) {
    long[] all = new long[rank];
    Arrays.fill(all, value);
    return all;
  }

  Transfer transfer() {
    Dataspace space = space();
    Selection memory =
        space.kind() == Dataspace.Kind.SIMPLE && space.rank() == 2
            ? selection(2).clip(space.dims())
            : random.nextBoolean() ? Selection.all() : Selection.none();
    return new Transfer(
        type().inMemory(),
        space,
        memory,
        selection(1 + random.nextInt(3)),
        TransferOptions.builder()
            .collective(random.nextBoolean())
            .properties(Map.of("hint", "7"))
            .build());
  }

  /** Returns a buffer with values in every slot. */
  DataBuffer buffer(Datatype type, long count) {
    MemorySegment elements = bytes(Math.toIntExact(count * type.size()));
    if (!type.hasOutOfLineParts()) {
      return DataBuffer.of(elements);
    }
    VlenHeap heap = new VlenHeap();
    elements.fill((byte) 0);
    for (long i = 0; i < count; i++) {
      fill(type, elements, i * type.size(), heap);
    }
    return new DataBuffer(elements, heap);
  }

  private void fill(Datatype type, MemorySegment at, long offset, VlenHeap heap) {
    switch (type) {
      case VlenStringType t -> heap.putString(at, offset, random.nextInt(4) == 0 ? null : text());
      case VlenType t -> {
        int count = random.nextInt(4);
        MemorySegment values = bytes(count * t.base().size());
        if (t.base().hasOutOfLineParts()) {
          values.fill((byte) 0);
          for (int i = 0; i < count; i++) {
            fill(t.base(), values, (long) i * t.base().size(), heap);
          }
        }
        heap.writeSequence(at, offset, values, t.base().size());
      }
      case CompoundType t ->
          t.members().forEach(m -> fill(m.type(), at, offset + m.offset(), heap));
      default -> at.asSlice(offset, type.size()).copyFrom(bytes(type.size()));
    }
  }

  MemorySegment bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, count));
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, count);
    return segment.asSlice(0, count);
  }
}
