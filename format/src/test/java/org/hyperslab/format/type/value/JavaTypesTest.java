package org.hyperslab.format.type.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenHeap;
import org.junit.jupiter.api.Test;

class JavaTypesTest {

  enum Colour {
    RED,
    GREEN
  }

  record Particle(int id, double[] pos, String name, Colour colour, boolean alive) {}

  /** A part of it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Place(double[] pos, String name) {}

  private static Object roundTrip(Datatype type, Object value) {
    DataBuffer buffer = DataBuffer.allocate(type, 1);
    ElementCodec codec = ElementCodec.of(type.inMemory());
    codec.encode(value, buffer.elements(), 0, buffer.heap());
    return codec.decode(buffer.elements(), 0, buffer.heap());
  }

  @Test
  void decodesEveryClassAsTheTableSays() {
    assertThat(roundTrip(Datatypes.I32BE, -5L)).isEqualTo(-5);
    assertThat(roundTrip(Datatypes.U32LE, 4_000_000_000L)).isEqualTo(4_000_000_000L);
    assertThat(roundTrip(Datatypes.I64BE, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    BigInteger large = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    assertThat(roundTrip(Datatypes.U64LE, large)).isEqualTo(large);
    assertThat(roundTrip(Datatypes.F32BE, 1.5)).isEqualTo(1.5f);
    assertThat(roundTrip(Datatypes.F16LE, 1.5)).isEqualTo(1.5f);
    assertThat(roundTrip(Datatypes.X87_LONG_DOUBLE, 0.1)).isEqualTo(0.1);
    assertThat(roundTrip(Datatypes.VAX_F64, -0.1)).isEqualTo(-0.1);
    assertThat(roundTrip(Datatypes.fixedString(5), "abc")).isEqualTo("abc");
    assertThat(roundTrip(Datatypes.opaque(3, ""), new byte[] {1, 2}))
        .isEqualTo(new byte[] {1, 2, 0});
    assertThat(roundTrip(Datatypes.BOOLEAN, true)).isEqualTo("TRUE");
    assertThat(roundTrip(Datatypes.array(Datatypes.I8LE, 2, 2), new byte[][] {{1, 2}, {3, 4}}))
        .isEqualTo(List.of(List.of(1, 2), List.of(3, 4)));
    assertThat(roundTrip(Datatypes.B8LE, 255)).isEqualTo(255);
  }

  @Test
  void keepsUnsignedBitsInLongsWhenAsked() {
    MemorySegment element = MemorySegment.ofArray(new byte[8]);
    ElementCodec codec = ElementCodec.of(Datatypes.U64LE, Unsigned64.RAW_LONG);
    codec.encode(-1L, element, 0, VlenHeap.none());
    assertThat(codec.decode(element, 0, VlenHeap.none())).isEqualTo(-1L);
  }

  @Test
  void usesPrimitiveArraysWhereTheyAre() {
    double[] values = {1, 2, 3};
    DataBuffer buffer = JavaTypes.toBuffer(values, Datatypes.NATIVE_DOUBLE);
    assertThat(buffer.elements().heapBase()).containsSame(values);
    DataBuffer narrow = JavaTypes.toBuffer(values, Datatypes.I16BE);
    assertThat(narrow.elements().byteSize()).isEqualTo(6);
    float[] back = new float[3];
    JavaTypes.toArray(narrow, Datatypes.I16BE, back);
    assertThat(back).containsExactly(1f, 2f, 3f);
  }

  @Test
  void flattensRectangularArraysOnly() {
    int[][] values = {{1, 2, 3}, {4, 5, 6}};
    assertThat(JavaTypes.shapeOf(values)).containsExactly(2, 3);
    DataBuffer buffer = JavaTypes.toBuffer(values, JavaTypes.typeOf(int[][].class));
    int[][] back = (int[][]) JavaTypes.newArray(int.class, 2, 3);
    JavaTypes.toArray(buffer, Datatypes.NATIVE_INT, back);
    assertThat(back).isDeepEqualTo(values);
    assertThatThrownBy(() -> JavaTypes.shapeOf(new int[][] {{1}, {2, 3}}))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void mapsRecordsToCompounds() {
    Datatype type = JavaTypes.typeOf(Particle.class);
    assertThat(((CompoundType) type).member("pos").orElseThrow().type())
        .isEqualTo(Datatypes.vlen(Datatypes.NATIVE_DOUBLE));
    Particle[] particles = {
      new Particle(1, new double[] {1, 2}, "one", Colour.GREEN, true),
      new Particle(2, new double[0], null, Colour.RED, false)
    };
    DataBuffer buffer = JavaTypes.toBuffer(particles, type);
    Particle[] back = new Particle[2];
    JavaTypes.toArray(buffer, type, back);
    assertThat(back).usingRecursiveComparison().isEqualTo(particles);
    CompoundType fixed =
        CompoundType.builder()
            .member("pos", Datatypes.array(Datatypes.F32LE, 2))
            .member("name", Datatypes.fixedString(4))
            .build();
    assertThatThrownBy(() -> JavaTypes.toBuffer(new Particle[] {particles[0]}, fixed))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("colour");
    Place[] place = {new Place(new double[] {1, 2}, "one")};
    DataBuffer other = JavaTypes.toBuffer(place, fixed);
    assertThat(ElementCodec.of(fixed).decode(other.elements(), 0, other.heap()))
        .isEqualTo(Map.of("pos", List.of(1f, 2f), "name", "one"));
  }

  @Test
  void mapsStringsAndBooleans() {
    String[] names = {"a", null, "ü"};
    DataBuffer buffer = JavaTypes.toBuffer(names, Datatypes.vlenString());
    String[] back = new String[3];
    JavaTypes.toArray(buffer, Datatypes.vlenString(), back);
    assertThat(back).containsExactly(names);
    boolean[] flags = {true, false};
    DataBuffer bits = JavaTypes.toBuffer(flags, Datatypes.BOOLEAN);
    boolean[] flagsBack = new boolean[2];
    JavaTypes.toArray(bits, Datatypes.BOOLEAN, flagsBack);
    assertThat(flagsBack).containsExactly(true, false);
    assertThatThrownBy(() -> JavaTypes.toBuffer(new String[] {"abc"}, Datatypes.fixedString(2)))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void heapsTravelAsTheirBytes() {
    VlenHeap heap = new VlenHeap();
    MemorySegment slots = MemorySegment.ofArray(new byte[16 * 3000]);
    for (int i = 0; i < 3000; i++) {
      heap.putString(slots, i * 16L, "value " + i);
    }
    byte[] all = new byte[(int) heap.size()];
    long at = 0;
    for (MemorySegment block : heap.blocks()) {
      MemorySegment.copy(block, 0, MemorySegment.ofArray(all), at, block.byteSize());
      at += block.byteSize();
    }
    VlenHeap copy = VlenHeap.of(MemorySegment.ofArray(all));
    for (int i = 0; i < 3000; i++) {
      assertThat(copy.getString(slots, i * 16L)).isEqualTo("value " + i);
    }
    heap.clear();
    assertThatThrownBy(() -> heap.getString(slots, 0)).isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> new VlenHeap(10).append(MemorySegment.ofArray(new byte[11])))
        .isInstanceOf(InvalidUseException.class);
  }
}
