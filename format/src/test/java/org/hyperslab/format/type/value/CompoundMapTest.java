package org.hyperslab.format.type.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.VlenHeap;
import org.junit.jupiter.api.Test;

/** Tests the maps that stand for compounds: they are like unmodifiable linked hash maps. */
final class CompoundMapTest {

  private static final EnumType COLOURS =
      new EnumType(
          Datatypes.U64LE,
          List.of(
              new EnumType.Constant("RED", 1),
              new EnumType.Constant("ALSO_RED", 1),
              new EnumType.Constant("MOST", -1)));

  private static Map<?, ?> element(long number, long colour) {
    CompoundType type =
        CompoundType.builder()
            .member("number", Datatypes.U64LE)
            .member("colour", COLOURS)
            .member("byte", Datatypes.I8LE)
            .build();
    byte[] bytes = new byte[type.size()];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, colour);
    bytes[16] = -7;
    return (Map<?, ?>) ElementCodec.of(type).decode(memory, 0, VlenHeap.none());
  }

  @Test
  void isEqualToALinkedMapOfTheSameMembers() {
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("number", BigInteger.valueOf(5));
    expected.put("colour", "RED");
    expected.put("byte", -7);
    Map<?, ?> actual = element(5, 1);
    assertThat(actual).isEqualTo(expected).hasToString(expected.toString());
    assertThat(expected).isEqualTo(actual);
    assertThat(actual.hashCode()).isEqualTo(expected.hashCode());
    assertThat(List.copyOf(actual.keySet())).isEqualTo(List.of("number", "colour", "byte"));
    assertThat(actual.get("colour")).isEqualTo("RED");
    assertThat(actual.get("nothing")).isNull();
    assertThat(actual.containsKey("byte")).isTrue();
    assertThat(actual.containsKey("bytes")).isFalse();
  }

  @Test
  void cannotBeModified() {
    Map<?, ?> actual = element(5, 1);
    assertThatThrownBy(actual::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> actual.remove("byte"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void unsignedNumbersAboveTheRangeOfALongAreWhole() {
    BigInteger most = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    Map<?, ?> actual = element(-1, -1);
    assertThat(actual.get("number")).isEqualTo(most);
    assertThat(actual.get("colour")).isEqualTo("MOST");
    assertThat(element(Long.MAX_VALUE, 2).get("number"))
        .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE));
    assertThat(element(0, 2).get("colour")).isEqualTo(2L);
  }
}
