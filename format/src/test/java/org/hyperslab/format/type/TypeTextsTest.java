package org.hyperslab.format.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that different types have different texts, by which ranks detect that they pass different
 * types, and that the texts of usual types are short, because programs print them.
 */
final class TypeTextsTest {

  @Test
  void textsOfUsualTypesAreShort() {
    CompoundType.Builder many = CompoundType.builder();
    for (int i = 0; i < 20; i++) {
      many.member("m" + i, Datatypes.I8LE);
    }
    assertThat(many.build().toString()).contains("m19: int8le}");
    assertThat(
            CompoundType.builder()
                .member("id", Datatypes.I32LE)
                .member("x", Datatypes.array(Datatypes.F64BE, 2, 3))
                .member("note", Datatypes.vlenString())
                .member("flag", Datatypes.BOOLEAN)
                .member("more", Datatypes.vlen(Datatypes.U16LE))
                .build())
        .hasToString(
            "compound{id: int32le, x: array[2, 3]{float64be}, note: string[variable, NULLTERM,"
                + " UTF8], flag: enum int8le{FALSE=0, TRUE=1}, more: vlen{uint16le}}");
    assertThat(Datatypes.COMPLEX_F32LE).hasToString("complex{float32le}");
    assertThat(Datatypes.B16LE).hasToString("bitfield16le");
    assertThat(Datatypes.fixedString(3)).hasToString("string[3, NULLPAD, UTF8]");
    assertThat(Datatypes.opaque(3, "t")).hasToString("opaque[3, \"t\"]");
    assertThat(Datatypes.OBJECT_REFERENCE).hasToString("reference[OBJECT, 8]");
  }

  @Test
  void differentTypesHaveDifferentTexts() {
    FloatType usual = Datatypes.F32LE;
    FloatType.Fields fields = usual.fields();
    IntegerType u8 = Datatypes.U8LE;
    List<Datatype> types =
        List.of(
            u8,
            Datatypes.I8LE,
            Datatypes.U8BE,
            Datatypes.U16LE.withPrecision(8, 0),
            Datatypes.U16LE.withPrecision(8, 1),
            Datatypes.U32LE.withPrecision(8, 1),
            new IntegerType(1, Endian.LITTLE, false, 7, 0, BitPadding.ZERO, BitPadding.ONE),
            new IntegerType(1, Endian.LITTLE, false, 7, 0, BitPadding.ONE, BitPadding.ZERO),
            new IntegerType(1, Endian.LITTLE, false, 7, 0, BitPadding.ZERO, BitPadding.ZERO),
            Datatypes.B8LE,
            new BitfieldType(1, Endian.LITTLE, 7, 0, BitPadding.ZERO, BitPadding.ONE),
            new BitfieldType(1, Endian.LITTLE, 7, 0, BitPadding.ZERO, BitPadding.ZERO),
            usual,
            Datatypes.F32BE,
            Datatypes.F16LE,
            Datatypes.BF16LE,
            Datatypes.F8E4M3,
            Datatypes.F6E2M3,
            Datatypes.F6E3M2,
            Datatypes.VAX_F32,
            Datatypes.X87_LONG_DOUBLE,
            with(usual, fields, 1, Normalization.IMPLIED),
            with(usual, fields, 0, Normalization.MSB_SET),
            new FloatType(
                4,
                Endian.LITTLE,
                32,
                0,
                fields,
                new FloatType.Padding(BitPadding.ONE, BitPadding.ZERO, BitPadding.ZERO)),
            new TimeType(4, Endian.LITTLE, 32),
            new TimeType(8, Endian.LITTLE, 32),
            Datatypes.fixedString(7),
            Datatypes.fixedString(8),
            Datatypes.fixedString(7, StringPadding.SPACEPAD, CharacterSet.UTF8),
            Datatypes.fixedString(7, StringPadding.NULLPAD, CharacterSet.ASCII),
            Datatypes.vlenString(),
            new VlenStringType(12, StringPadding.NULLTERM, CharacterSet.UTF8, u8),
            new VlenStringType(16, StringPadding.NULLTERM, CharacterSet.UTF8, Datatypes.I8LE),
            Datatypes.vlen(u8),
            new VlenType(12, u8),
            Datatypes.array(u8, 2, 3),
            Datatypes.array(u8, 3, 2),
            Datatypes.array(Datatypes.array(u8, 3), 2),
            Datatypes.OBJECT_REFERENCE,
            Datatypes.REGION_REFERENCE,
            Datatypes.REGION_REFERENCE.inMemory(),
            EnumType.builder(u8).constant("A", 1).build(),
            EnumType.builder(u8).constant("A", 2).build(),
            EnumType.builder(Datatypes.I8LE).constant("A", 1).build(),
            CompoundType.builder().member("a", u8).build(),
            new CompoundType(2, List.of(new CompoundType.Member("a", 0, u8))),
            new CompoundType(2, List.of(new CompoundType.Member("a", 1, u8))),
            CompoundType.builder().member("b", u8).build(),
            CompoundType.builder().member("a", Datatypes.I8LE).build());
    assertThat(types).doesNotHaveDuplicates();
    assertThat(types.stream().map(Datatype::toString)).doesNotHaveDuplicates();
  }

  private static FloatType with(
      FloatType usual, FloatType.Fields f, int more, Normalization normalization) {
    FloatType.Fields changed =
        new FloatType.Fields(
            f.signPosition(),
            f.exponentPosition(),
            f.exponentSize(),
            f.mantissaPosition(),
            f.mantissaSize(),
            f.exponentBias() + more,
            normalization);
    return new FloatType(
        usual.size(), usual.order(), usual.precision(), usual.offset(), changed, usual.padding());
  }
}
