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
import org.hyperslab.format.type.EnumType;
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
  void decodesEveryClassAccordingToTheTable() {
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
    assertThat(roundTrip(Datatypes.opaque(3, ""), new byte[] {1, 2, 0}))
        .isEqualTo(new byte[] {1, 2, 0});
    assertThat(roundTrip(Datatypes.BOOLEAN, true)).isEqualTo("TRUE");
    assertThat(roundTrip(Datatypes.array(Datatypes.I8LE, 2, 2), new byte[][] {{1, 2}, {3, 4}}))
        .isEqualTo(List.of(List.of(1, 2), List.of(3, 4)));
    assertThat(roundTrip(Datatypes.B8LE, 255)).isEqualTo(255);
  }

  @Test
  void opaqueBytesHaveTheSizeOfTheType() {
    for (int length : new int[] {0, 2, 4}) {
      assertThatThrownBy(() -> roundTrip(Datatypes.opaque(3, ""), new byte[length]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=" + length + " bytes, expected=3 for opaque[3");
    }
  }

  @Test
  void namesOfAnEnumerationHaveDifferentValues() {
    EnumType.Builder builder =
        EnumType.builder(Datatypes.I8LE).constant("A", 1).constant("B", 2).constant("C", 1);
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=1 for \"A\" and \"C\"");
  }

  @Test
  void onlyTextIsStoredAsText() {
    for (Datatype type : List.of(Datatypes.vlenString(), Datatypes.fixedString(9))) {
      for (Object other : List.of(5, true, new byte[] {65}, List.of("a"), Map.of())) {
        assertThatThrownBy(() -> roundTrip(type, other))
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("expected=a value for string");
      }
      assertThat(roundTrip(type, new StringBuilder("ab"))).isEqualTo("ab");
      assertThat(roundTrip(type, 'c')).isEqualTo("c");
      assertThat(roundTrip(type, Thread.State.NEW)).isEqualTo("NEW");
    }
  }

  @Test
  void keepsUnsignedBitsInLongsWhenAsked() {
    MemorySegment element = MemorySegment.ofArray(new byte[8]);
    ElementCodec codec = ElementCodec.of(Datatypes.U64LE, Unsigned64.RAW_LONG);
    codec.encode(-1L, element, 0, VlenHeap.none());
    assertThat(codec.decode(element, 0, VlenHeap.none())).isEqualTo(-1L);
  }

  @Test
  void recognisesArraysOfPrimitives() {
    double[] values = {1, 2, 3};
    assertThat(JavaTypes.segmentOf(values).orElseThrow().heapBase()).containsSame(values);
    assertThat(JavaTypes.segmentOf(new boolean[1])).isEmpty();
    assertThat(JavaTypes.typeOf(int[][].class)).isEqualTo(Datatypes.NATIVE_INT);
  }

  @Test
  void mapsRecordsToCompounds() {
    Datatype type = JavaTypes.typeOf(Particle.class);
    assertThat(((CompoundType) type).member("pos").orElseThrow().type())
        .isEqualTo(Datatypes.vlen(Datatypes.NATIVE_DOUBLE));
    Particle one = new Particle(1, new double[] {1, 2}, "one", Colour.GREEN, true);
    Particle none = new Particle(2, new double[0], null, Colour.RED, false);
    assertThat(JavaTypes.coerce(roundTrip(type, one), Particle.class))
        .usingRecursiveComparison()
        .isEqualTo(one);
    assertThat(JavaTypes.coerce(roundTrip(type, none), Particle.class))
        .usingRecursiveComparison()
        .isEqualTo(none);
    CompoundType fixed =
        CompoundType.builder()
            .member("pos", Datatypes.array(Datatypes.F32LE, 2))
            .member("name", Datatypes.fixedString(4))
            .build();
    assertThatThrownBy(() -> roundTrip(fixed, one))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("colour");
    assertThat(roundTrip(fixed, new Place(new double[] {1, 2}, "one")))
        .isEqualTo(Map.of("pos", List.of(1f, 2f), "name", "one"));
  }

  @Test
  void mapsStringsAndBooleans() {
    assertThat(roundTrip(Datatypes.vlenString(), "ü")).isEqualTo("ü");
    assertThat(roundTrip(Datatypes.vlenString(), null)).isNull();
    assertThat(JavaTypes.coerce(roundTrip(Datatypes.BOOLEAN, true), boolean.class)).isEqualTo(true);
    assertThat(JavaTypes.coerce(roundTrip(Datatypes.BOOLEAN, false), boolean.class))
        .isEqualTo(false);
    assertThatThrownBy(() -> roundTrip(Datatypes.fixedString(2), "abc"))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void heapsAreTransferredAsBytes() {
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
