package org.hyperslab.format.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares encoded datatypes with messages that HDF5 2.x wrote (datatype-messages.c). */
class DatatypeCodecTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("test");
  private static final Map<String, Integer> BOUNDS =
      Map.of("earliest", 1, "v18", 3, "v112", 4, "latest", 5);

  record Golden(String name, int bound, byte[] message) {}

  static List<Golden> golden() throws IOException {
    try (InputStream in = DatatypeCodecTest.class.getResourceAsStream("datatype-messages.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line.split(" "))
          .map(part -> new Golden(part[0], BOUNDS.get(part[1]), HexFormat.of().parseHex(part[2])))
          .toList();
    }
  }

  private static Datatype decode(byte[] message) {
    return DatatypeCodec.decode(new MetadataReader(GEOMETRY, "datatype", message, 0));
  }

  private static Datatype decode(String hex) {
    return decode(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static byte[] encode(Datatype type, int version) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    DatatypeCodec.encode(type, out, version);
    return out.toByteArray();
  }

  @Test
  void encodesTheBytesThatTheCLibraryWrites() throws IOException {
    for (Golden golden : golden()) {
      Datatype type = decode(golden.message());
      byte[] again = encode(type, golden.bound());
      assertThat(golden.message().length - again.length).as(golden.name()).isBetween(0, 7);
      assertThat(again)
          .as(golden.name() + " bound " + golden.bound())
          .isEqualTo(Arrays.copyOf(golden.message(), again.length));
    }
  }

  @Test
  void predefinedTypesAreThoseOfTheCLibrary() throws IOException {
    Map<String, Datatype> known =
        Map.ofEntries(
            Map.entry("i32", Datatypes.I32LE),
            Map.entry("f64", Datatypes.F64LE),
            Map.entry("f16", Datatypes.F16BE),
            Map.entry("bf16", Datatypes.BF16LE),
            Map.entry("f8e4m3", Datatypes.F8E4M3),
            Map.entry("f8e5m2", Datatypes.F8E5M2),
            Map.entry("f6e2m3", Datatypes.F6E2M3),
            Map.entry("f6e3m2", Datatypes.F6E3M2),
            Map.entry("f4", Datatypes.F4E2M1),
            Map.entry("ld", Datatypes.X87_LONG_DOUBLE),
            Map.entry("vaxf", Datatypes.VAX_F32),
            Map.entry("vaxg", Datatypes.VAX_F64),
            Map.entry("cf32", Datatypes.COMPLEX_F32LE),
            Map.entry("vstr", Datatypes.vlenString(CharacterSet.ASCII)),
            Map.entry("vstru", Datatypes.vlenString()),
            Map.entry("objref", Datatypes.OBJECT_REFERENCE),
            Map.entry("regref", Datatypes.REGION_REFERENCE),
            Map.entry("ref", Datatypes.REFERENCE),
            Map.entry("vlen", Datatypes.vlen(Datatypes.I16BE)),
            Map.entry("array", Datatypes.array(Datatypes.I16BE, 2, 3)));
    for (Golden golden : golden()) {
      if (known.containsKey(golden.name())) {
        assertThat(decode(golden.message())).as(golden.name()).isEqualTo(known.get(golden.name()));
      }
    }
  }

  @Test
  void readsArraysInsideVersionOneMembers() {
    Datatype type =
        decode(
            "16010000 18000000 61000000 00000000 00000000 02000000 00000000 00000000"
                + "02000000 03000000 00000000 00000000 10080000 04000000 00002000");
    assertThat(type)
        .isEqualTo(
            CompoundType.builder().member("a", Datatypes.array(Datatypes.I32LE, 2, 3)).build());
  }

  @Test
  void movesMembersWhenReferencesGrowInMemory() {
    CompoundType type =
        CompoundType.builder()
            .member("r", 4, Datatypes.REGION_REFERENCE)
            .member("x", 20, Datatypes.I32LE)
            .size(32)
            .build();
    CompoundType memory = (CompoundType) type.inMemory();
    assertThat(memory.size()).isEqualTo(36);
    assertThat(memory.member("r").orElseThrow().offset()).isEqualTo(4);
    assertThat(memory.member("x").orElseThrow().offset()).isEqualTo(24);
    assertThat(memory.forFile(GEOMETRY.sizeOfOffsets())).isEqualTo(type);
    assertThat(Datatypes.vlen(Datatypes.I8LE).inMemory()).isEqualTo(Datatypes.vlen(Datatypes.I8LE));
  }

  @Test
  void rejectsMemberOutsideCompound() {
    assertThatThrownBy(() -> decode("36010000 08000000 7a000508 00001008 00000400 00000000 2000"))
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void rejectsNestingWithoutEnd() {
    byte[] message = new byte[8 * 4000];
    for (int i = 0; i < message.length; i += 8) {
      message[i] = 0x19;
      message[i + 4] = 16;
    }
    assertThatThrownBy(() -> decode(message))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("nesting");
  }

  @Test
  void damagedMessagesGiveTypedErrorsOnly() throws IOException {
    long seed = Seeds.draw();
    Random random = new Random(seed);
    List<Golden> golden = golden();
    for (int i = 0; i < 20_000; i++) {
      byte[] message = golden.get(random.nextInt(golden.size())).message().clone();
      for (int k = 0; k <= random.nextInt(3); k++) {
        message[random.nextInt(message.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(message, 1 + random.nextInt(message.length));
      try {
        Datatype type = decode(cut);
        assertThat(decode(encode(type, 3))).isEqualTo(type);
      } catch (HyperslabException expected) {
        assertThat(expected).hasMessageContaining("test");
      } catch (RuntimeException surprise) {
        throw new AssertionError("-Dhyperslab.seed=" + seed, surprise);
      }
    }
  }

  @Test
  void readsRevisedReferencesThatTheCLibraryWrote() {
    // element heads and heap objects of H5T_STD_REF data, HDF5 2.2
    String attribute = "0400 08df01000000000000 040061747472";
    assertPayload(attribute, new Reference.ToAttribute(0x1df, "attr"));
    String external = "0201 08c300000000000000 08006f746865722e6835";
    assertPayload(external, new Reference.External("other.h5", new Reference.ToObject(0xc3)));
    String region =
        "0301 08c300000000000000 08006f746865722e6835 16000000 01000000"
            + "02000000030000000102010000000100010001000200";
    byte[] selection = HexFormat.of().parseHex("02000000030000000102010000000100010001000200");
    assertPayload(
        region, new Reference.External("other.h5", new Reference.ToRegion(0xc3, 1, selection)));
  }

  private static void assertPayload(String hex, Reference expected) {
    byte[] payload = HexFormat.of().parseHex(hex.replace(" ", ""));
    Reference actual = Reference.fromPayload(ReferenceKind.OBJECT2, payload);
    assertThat(actual).isEqualTo(expected);
    assertThat(actual.toPayload(ReferenceKind.OBJECT2)).isEqualTo(payload);
  }
}
