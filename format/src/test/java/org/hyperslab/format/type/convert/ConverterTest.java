package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;
import org.junit.jupiter.api.Test;

/** Tests conversions other than those between numbers. */
class ConverterTest {

  /** Encodes one value, converts it, decodes the result. */
  private static Object convert(Datatype source, Object value, Datatype target) {
    return convert(source, value, target, null);
  }

  private static Object convert(Datatype source, Object value, Datatype target, Object background) {
    DataBuffer from = DataBuffer.allocate(source, 1);
    DataBuffer to = DataBuffer.allocate(target, 1);
    ElementCodec.of(source.inMemory()).encode(value, from.elements(), 0, from.heap());
    ElementCodec codec = ElementCodec.of(target.inMemory());
    if (background != null) {
      codec.encode(background, to.elements(), 0, to.heap());
    }
    Converter.between(source.inMemory(), target.inMemory())
        .open(from.heap(), to.heap())
        .convert(from.elements(), 0, to.elements(), 0, 1);
    return codec.decode(to.elements(), 0, to.heap());
  }

  private static byte[] text(StringType source, String bytes, StringType target) {
    byte[] to = new byte[target.size()];
    byte[] from = bytes.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(from).hasSize(source.size());
    Converter.between(source, target)
        .open()
        .convert(MemorySegment.ofArray(from), 0, MemorySegment.ofArray(to), 0, 1);
    return to;
  }

  private static StringType string(int size, StringPadding padding) {
    return new StringType(size, padding, CharacterSet.ASCII);
  }

  @Test
  void truncatesAndPadsStringsAccordingToTheirPadding() {
    StringType term = string(6, StringPadding.NULLTERM);
    StringType pad = string(4, StringPadding.NULLPAD);
    StringType space = string(8, StringPadding.SPACEPAD);
    assertThat(text(term, "abc\0zz", space)).asString().isEqualTo("abc     ");
    assertThat(text(term, "abcde\0", pad)).asString().isEqualTo("abcd");
    assertThat(text(space, "ab      ", term)).asString().isEqualTo("ab\0\0\0\0");
    assertThat(text(space, "abcdefgh", term)).asString().isEqualTo("abcde\0");
    assertThat(text(pad, "abcd", term)).asString().isEqualTo("abcd\0\0");
    assertThat(text(pad, "a\0\0\0", space)).asString().isEqualTo("a       ");
  }

  @Test
  void convertsBetweenFixedAndVariableStrings() {
    Datatype fixed = Datatypes.fixedString(6);
    assertThat(convert(fixed, "häll", Datatypes.vlenString())).isEqualTo("häll");
    assertThat(convert(Datatypes.vlenString(), "hello world", fixed)).isEqualTo("hello ");
    assertThat(convert(Datatypes.vlenString(), null, fixed)).isEqualTo("");
    assertThat(convert(Datatypes.vlenString(), null, Datatypes.vlenString())).isNull();
    assertThat(convert(Datatypes.vlenString(), "", Datatypes.vlenString())).isEqualTo("");
  }

  @Test
  void matchesMembersByNameAndKeepsTheBackgroundOfOthers() {
    CompoundType source =
        CompoundType.builder()
            .member("a", Datatypes.I32BE)
            .member("gone", Datatypes.F64LE)
            .member("s", Datatypes.vlenString())
            .member("b", Datatypes.array(Datatypes.I16LE, 2))
            .build();
    CompoundType target =
        CompoundType.builder()
            .member("b", Datatypes.array(Datatypes.F32LE, 2))
            .member("kept", 16, Datatypes.I64LE)
            .member("s", Datatypes.vlenString())
            .member("a", Datatypes.I8LE)
            .build();
    Converter converter = Converter.between(source.inMemory(), target.inMemory());
    assertThat(converter.needsBackground()).isTrue();
    assertThat(converter.isNoOp()).isFalse();
    Map<String, Object> value = Map.of("a", 300, "gone", 1.5, "s", "text", "b", List.of(7, -8));
    Map<String, Object> background = Map.of("b", List.of(0, 0), "kept", 99L, "s", "x", "a", 1);
    assertThat(convert(source, value, target, background))
        .isEqualTo(Map.of("a", 127, "kept", 99L, "s", "text", "b", List.of(7f, -8f)));
  }

  @Test
  void copiesEqualCompoundsWholesale() {
    CompoundType type =
        CompoundType.builder().member("a", Datatypes.I32LE).member("b", Datatypes.F64LE).build();
    assertThat(Converter.between(type, type).isNoOp()).isTrue();
    assertThat(Converter.between(type, type).needsBackground()).isFalse();
    assertThat(Converter.between(Datatypes.I8LE, Datatypes.I8BE).isNoOp()).isTrue();
    assertThat(Converter.between(Datatypes.vlenString(), Datatypes.vlenString()).isNoOp())
        .isFalse();
  }

  @Test
  void convertsManyCompoundsBlockByBlock() {
    CompoundType source =
        CompoundType.builder().member("x", Datatypes.F64BE).member("n", Datatypes.I16BE).build();
    CompoundType target =
        CompoundType.builder().member("n", Datatypes.I32LE).member("x", Datatypes.F32LE).build();
    int count = 20_000;
    byte[] from = new byte[count * 10];
    byte[] to = new byte[count * 8];
    MemorySegment elements = MemorySegment.ofArray(from);
    ElementCodec codec = ElementCodec.of(source);
    for (int i = 0; i < count; i++) {
      codec.encode(Map.of("x", i / 4.0, "n", i % 30000), elements, i * 10L, null);
    }
    Converter.between(source, target)
        .open()
        .convert(elements, 0, MemorySegment.ofArray(to), 0, count);
    ElementCodec result = ElementCodec.of(target);
    for (int i = 0; i < count; i += 37) {
      assertThat(result.decode(MemorySegment.ofArray(to), i * 8L, null))
          .isEqualTo(Map.of("n", i % 30000, "x", (float) (i / 4.0)));
    }
  }

  @Test
  void convertsEnumerationsByNameAndUnknownValuesToOnes() {
    EnumType source =
        EnumType.builder(Datatypes.I8LE).constant("RED", 1).constant("BLUE", -2).build();
    EnumType target =
        EnumType.builder(Datatypes.U16BE)
            .constant("BLUE", 65000)
            .constant("GREEN", 3)
            .constant("RED", 10)
            .build();
    assertThat(convert(source, "BLUE", target)).isEqualTo("BLUE");
    assertThat(convert(source, "RED", target)).isEqualTo("RED");
    assertThat(convert(source, 77, target)).isEqualTo(65535L);
    assertThat(convert(source, "BLUE", Datatypes.I32LE)).isEqualTo(-2);
    assertThat(convert(Datatypes.I32LE, -2, source)).isEqualTo("BLUE");
    assertThat(convert(target, "BLUE", source)).isEqualTo("BLUE");
    assertThat(convert(target, "GREEN", source)).isEqualTo(-1L);
  }

  @Test
  void keepsNumbersWithoutANameWhereOnlyTheOrderOfConstantsDiffers() {
    EnumType source =
        EnumType.builder(Datatypes.I16LE).constant("RED", 1).constant("BLUE", 4).build();
    EnumType target =
        EnumType.builder(Datatypes.I16LE).constant("BLUE", 4).constant("RED", 1).build();
    assertThat(convert(source, 0, target)).isEqualTo(0L);
    assertThat(convert(source, "BLUE", target)).isEqualTo("BLUE");
    assertThat(convert(Datatypes.array(source, 2), List.of(0, 9), Datatypes.array(target, 2)))
        .isEqualTo(List.of(0L, 9L));
  }

  @Test
  void convertsNestedSequences() {
    Datatype source = Datatypes.vlen(Datatypes.vlen(Datatypes.I16BE));
    Datatype target = Datatypes.vlen(Datatypes.vlen(Datatypes.F64LE));
    assertThat(convert(source, List.of(List.of(1, 2, 3), List.of(), List.of(-4)), target))
        .isEqualTo(List.of(List.of(1.0, 2.0, 3.0), List.of(), List.of(-4.0)));
    assertThat(convert(source, null, target)).isEqualTo(List.of());
    Datatype strings = Datatypes.vlen(Datatypes.vlenString());
    assertThat(convert(strings, List.of("a", "", "ccc"), strings))
        .isEqualTo(List.of("a", "", "ccc"));
  }

  @Test
  void convertsLongArraysInsideCompounds() {
    CompoundType source =
        CompoundType.builder()
            .member("id", Datatypes.U8LE)
            .member("v", Datatypes.array(Datatypes.I32BE, 5, 7))
            .build();
    CompoundType target =
        CompoundType.builder().member("v", Datatypes.array(Datatypes.I64LE, 5, 7)).build();
    int[][] value = new int[5][7];
    value[4][6] = 42;
    value[1][0] = -1;
    Map<?, ?> result = (Map<?, ?>) convert(source, Map.of("id", 1, "v", value), target);
    List<?> rows = (List<?>) result.get("v");
    assertThat(((List<?>) rows.get(4)).get(6)).isEqualTo(42L);
    assertThat(((List<?>) rows.get(1)).get(0)).isEqualTo(-1L);
    assertThatThrownBy(() ->
            Converter.between(
                Datatypes.array(Datatypes.I8LE, 2), Datatypes.array(Datatypes.I8LE, 3)))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void convertsComplexNumbersElementwiseAndFromPairs() {
    Complex value = new Complex(1.5, -2.5);
    CompoundType pair =
        CompoundType.builder().member("r", Datatypes.F64BE).member("i", Datatypes.F64BE).build();
    assertThat(convert(Datatypes.COMPLEX_F64LE, value, Datatypes.COMPLEX_F32LE)).isEqualTo(value);
    assertThat(convert(pair, Map.of("r", 1.5, "i", -2.5), Datatypes.COMPLEX_F32LE))
        .isEqualTo(value);
    assertThat(convert(Datatypes.COMPLEX_F32LE, value, pair)).isEqualTo(value);
    assertThat(convert(Datatypes.COMPLEX_F32LE, value, Datatypes.array(Datatypes.F64LE, 2)))
        .isEqualTo(List.of(1.5, -2.5));
    assertThat(convert(Datatypes.I16LE, 7, Datatypes.COMPLEX_F64LE)).isEqualTo(new Complex(7, 0));
    assertThat(convert(Datatypes.COMPLEX_F64LE, value, Datatypes.I32LE)).isEqualTo(1);
  }

  @Test
  void carriesReferencesThroughHeaps() {
    Reference object = new Reference.ToObject(800);
    Reference region = new Reference.ToRegion(800, -1, new byte[] {1, 2, 3});
    Reference attribute = new Reference.ToAttribute(96, "units");
    assertThat(convert(Datatypes.OBJECT_REFERENCE, object, Datatypes.OBJECT_REFERENCE))
        .isEqualTo(object);
    assertThat(convert(Datatypes.REGION_REFERENCE, region, Datatypes.REGION_REFERENCE))
        .isEqualTo(region);
    assertThat(convert(Datatypes.REFERENCE, attribute, Datatypes.REFERENCE)).isEqualTo(attribute);
    assertThat(convert(Datatypes.REFERENCE, object, Datatypes.REFERENCE)).isEqualTo(object);
    assertThat(convert(Datatypes.REFERENCE, null, Datatypes.REFERENCE)).isNull();
    assertThatThrownBy(
            () -> Converter.between(Datatypes.OBJECT_REFERENCE, Datatypes.REGION_REFERENCE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("no conversion");
  }

  @Test
  void keepsTheLowBitsOfBitfields() {
    BitfieldType wide = BitfieldType.of(4, Endian.BIG);
    assertThat(convert(wide, 0x1234_5678L, Datatypes.B16LE)).isEqualTo(0x5678);
    assertThat(convert(Datatypes.B16LE, 0x8001, wide)).isEqualTo(0x8001L);
    assertThatThrownBy(() -> Converter.between(wide, Datatypes.F32LE))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void takesBitfieldsForIntegersOfTheSameSize() {
    assertThat(convert(Datatypes.B16LE, 0x8001, Datatypes.U16BE)).isEqualTo(0x8001);
    assertThat(convert(Datatypes.U16BE, 0x8001, Datatypes.B16LE)).isEqualTo(0x8001);
    assertThatThrownBy(() -> Converter.between(Datatypes.B16LE, Datatypes.I32LE))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void convertsElementsAtDistancesInForeignMemory() {
    try (Arena arena = Arena.ofConfined()) {
      int count = 5000;
      MemorySegment from = arena.allocate(count * 12L);
      MemorySegment to = arena.allocate(count * 16L);
      for (int i = 0; i < count; i++) {
        from.set(ValueLayout.JAVA_INT_UNALIGNED, i * 12L + 4, i);
      }
      Converter.between(Datatypes.I32LE, Datatypes.F64LE)
          .open()
          .convert(new Conversion.Elements(from, 4, 12), new Conversion.Elements(to, 8, 16), count);
      for (int i = 0; i < count; i++) {
        assertThat(to.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 16L + 8)).isEqualTo(i);
        assertThat(to.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 16L)).isZero();
      }
    }
  }

  @Test
  void namesBothTypesWhenThereIsNoConversion() {
    assertThatThrownBy(() -> Converter.between(Datatypes.I32LE, Datatypes.vlenString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("int32le")
        .hasMessageContaining("string[variable");
    assertThatThrownBy(() -> Converter.between(Datatypes.opaque(4, "a"), Datatypes.opaque(4, "b")))
        .isInstanceOf(InvalidUseException.class);
  }
}
