package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares encoded selections with those of the C library, and tests damaged ones. */
class SelectionCodecTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("test");
  private static final long UNLIMITED = Selection.UNLIMITED;

  private static MetadataReader reader(byte[] bytes) {
    return new MetadataReader(GEOMETRY, "selection", bytes, 0);
  }

  private static byte[] encoded(Selection selection, int rank) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    SelectionCodec.encode(selection, rank, out);
    return out.toByteArray();
  }

  private static long[] at(long... values) {
    return values;
  }

  private static Dataspace growing(long... dims) {
    long[] maxDims = dims.clone();
    maxDims[0] = UNLIMITED;
    return Dataspace.simple(dims, maxDims);
  }

  /** The same cases as encode_selections.c. */
  private static EncodedSpace expected(String name) {
    Dataspace plane = growing(10, 20);
    Selection farBox = Selection.box(at(5_000_000_000L), at(10));
    return switch (name) {
      case "scalar" -> new EncodedSpace(Dataspace.scalar(), Selection.all());
      case "null" -> new EncodedSpace(Dataspace.nullSpace(), Selection.all());
      case "all" -> new EncodedSpace(plane, Selection.all());
      case "none" -> new EncodedSpace(plane, Selection.none());
      case "points" -> new EncodedSpace(plane, Selection.points(2, 9, 19, 0, 0, 5, 5, 5, 5, 5, 6));
      case "points-far" ->
          new EncodedSpace(growing(5_000_000_000L), Selection.points(1, 4_999_999_999L, 7));
      case "box" -> new EncodedSpace(plane, Selection.box(at(2, 3), at(4, 5)));
      case "regular" ->
          new EncodedSpace(plane, Selection.hyperslab(at(1, 2), at(4, 5), at(2, 3), at(3, 2)));
      case "regular-3d" ->
          new EncodedSpace(
              growing(70000, 300, 40),
              Selection.hyperslab(at(1, 2, 3), at(40000, 100, 7), at(2, 2, 5), at(300, 90, 2)));
      case "irregular" ->
          new EncodedSpace(
              plane,
              Selection.box(at(0, 0), at(4, 4))
                  .or(Selection.box(at(2, 2), at(4, 7)))
                  .or(Selection.hyperslab(at(8, 0), at(1, 3), at(1, 5), at(1, 1))));
      case "box-far" -> new EncodedSpace(growing(6_000_000_000L), farBox);
      case "irregular-far" ->
          new EncodedSpace(growing(6_000_000_000L), farBox.or(Selection.box(at(100), at(17))));
      case "unlimited-count" ->
          new EncodedSpace(
              plane, Selection.hyperslab(at(3, 1), at(5, 6), at(UNLIMITED, 2), at(2, 4)));
      case "unlimited-block" ->
          new EncodedSpace(
              plane, Selection.hyperslab(at(3, 1), at(1, 6), at(1, 2), at(UNLIMITED, 4)));
      case "unlimited-touching" ->
          new EncodedSpace(
              plane, Selection.hyperslab(at(3, 1), at(2, 6), at(UNLIMITED, 2), at(2, 4)));
      default -> throw new AssertionError("no such case: " + name);
    };
  }

  private static List<String> golden(String version) throws IOException {
    String resource = "selections-" + version + ".txt";
    try (InputStream in = SelectionCodecTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10.8", "2.2.0"})
  void decodesWhatTheLibraryEncodes(String version) throws IOException {
    for (String line : golden(version)) {
      String[] parts = line.split(" ", 3);
      MetadataReader in = reader(HexFormat.of().parseHex(parts[2]));
      EncodedSpace decoded = EncodedSpace.decode(in);
      assertThat(decoded).as(line).isEqualTo(expected(parts[0]));
      assertThat(in.remaining()).as(line).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10.8", "2.2.0"})
  void encodesTheSameBytesAsTheLibrary(String version) throws IOException {
    for (String line : golden(version)) {
      String[] parts = line.split(" ", 3);
      if (parts[1].equals("earliest")) {
        EncodedSpace expected = expected(parts[0]);
        MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
        expected.encode(out);
        assertThat(HexFormat.of().formatHex(out.toByteArray())).as(parts[0]).isEqualTo(parts[2]);
      }
    }
  }

  @Test
  void decodesWhatItEncodes() {
    Random random = new Random(SelectionModel.seed());
    for (int round = 0; round < 2000; round++) {
      long[] extent = SelectionModel.randomExtent(random, 1 + random.nextInt(4), 8);
      Selection selection =
          random.nextInt(4) == 0
              ? SelectionModel.randomPoints(random, extent, 1 + random.nextInt(9)).selection()
              : SelectionModel.random(random, extent).selection();
      Selection decoded =
          SelectionCodec.decode(reader(encoded(selection, extent.length)), extent.length);
      assertThat(decoded).isEqualTo(selection);
    }
  }

  @Test
  void encodesManyEqualBlocksInFewBytes() {
    Selection stripes = Selection.hyperslab(at(0, 0), at(2, 2), at(1 << 20, 1 << 20), at(1, 1));
    byte[] bytes = encoded(stripes, 2);
    assertThat(bytes).hasSizeLessThan(100);
    assertThat(SelectionCodec.decode(reader(bytes), 2)).isEqualTo(stripes);
  }

  @Test
  void refusesToEncodeMoreBlocksThanFit() {
    Selection stripes =
        Selection.hyperslab(at(0, 0), at(2, 2), at(1 << 20, 1 << 20), at(1, 1))
            .or(Selection.box(at(0, 1), at(1, 1)));
    assertThatThrownBy(() -> encoded(stripes, 2)).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void damagedBytesGiveOnlyTypedErrors() throws IOException {
    Random random = new Random(SelectionModel.seed());
    for (String line : golden("2.2.0")) {
      byte[] bytes = HexFormat.of().parseHex(line.split(" ", 3)[2]);
      for (int round = 0; round < 300; round++) {
        byte[] damaged =
            Arrays.copyOf(
                bytes, random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length);
        for (int i = random.nextInt(3); i >= 0 && damaged.length > 0; i--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        try {
          EncodedSpace.decode(reader(damaged));
        } catch (CorruptFileException e) {
          assertThat(e.file()).isEqualTo("test");
        }
      }
    }
  }

  @Test
  void refusesBlocksThatOverlapInExponentiallyManyParts() {
    Random random = new Random(SelectionModel.seed());
    int rank = 32;
    int blocks = 200;
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    out.u32(2).u32(1).u32(0).u32(0).u32(rank).u32(blocks);
    for (int i = 0; i < blocks; i++) {
      long[] lows = random.longs(rank, 0, 1000).toArray();
      for (long low : lows) {
        out.u32(low);
      }
      for (long low : lows) {
        out.u32(low + 500);
      }
    }
    assertThatThrownBy(() -> SelectionCodec.decode(reader(out.toByteArray()), rank))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("200 blocks in 32 dimensions");
  }

  @Test
  void rejectsMoreBlocksThanBytesRemain() {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    out.u32(2).u32(1).u32(0).u32(8).u32(1).u32(0xFFFF_FFFFL);
    assertThatThrownBy(() -> SelectionCodec.decode(reader(out.toByteArray()), 1))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("4294967295")
        .hasMessageContaining("0 bytes remain");
  }

  @Test
  void rejectsAnotherRankThanTheDataspaces() {
    byte[] bytes = encoded(Selection.box(at(1), at(2)), 1);
    assertThatThrownBy(() -> SelectionCodec.decode(reader(bytes), 2))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("actual=1, expected=2");
  }

  @Test
  void rejectsBlocksThatEndBeforeTheyStart() {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    out.u32(2).u32(1).u32(0).u32(16).u32(1).u32(1).u32(7).u32(6);
    assertThatThrownBy(() -> SelectionCodec.decode(reader(out.toByteArray()), 1))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("actual=6, expected=at least its start 7");
  }
}
