package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.codec.DataspaceCodec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.junit.jupiter.api.Test;

/** Tests dataspaces and their message. */
class DataspaceTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("test");

  private static byte[] encoded(Dataspace space, FileGeometry geometry, int version) {
    MetadataWriter out = new MetadataWriter(geometry, 64);
    DataspaceCodec.encode(space, out, version);
    return out.toByteArray();
  }

  private static Dataspace decoded(byte[] bytes, FileGeometry geometry) {
    return DataspaceCodec.decode(new MetadataReader(geometry, "dataspace message", bytes, 0));
  }

  @Test
  void countsElements() {
    assertThat(Dataspace.nullSpace().elementCount()).isZero();
    assertThat(Dataspace.scalar().elementCount()).isEqualTo(1);
    assertThat(Dataspace.simple(3, 4).elementCount()).isEqualTo(12);
    assertThat(Dataspace.simple(3, 0, Long.MAX_VALUE).elementCount()).isZero();
    assertThat(Dataspace.simple()).isSameAs(Dataspace.scalar());
  }

  @Test
  void refusesMoreElementsThanALongCounts() {
    assertThatThrownBy(() -> Dataspace.simple(1L << 32, 1L << 31))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("2^63-1");
    assertThat(Dataspace.simple(1L << 31, 1L << 31).elementCount()).isEqualTo(1L << 62);
  }

  @Test
  void namesTheDimensionThatIsWrong() {
    assertThatThrownBy(() -> Dataspace.simple(new long[] {2, 5}, new long[] {2, 4}))
        .hasMessageContaining("actual=4")
        .hasMessageContaining("dimension 1");
    assertThatThrownBy(() -> Dataspace.simple(2, -7))
        .hasMessageContaining("actual=-7")
        .hasMessageContaining("dimension 1");
    assertThatThrownBy(() -> Dataspace.simple(new long[33])).hasMessageContaining("actual=33");
    assertThatThrownBy(() -> Dataspace.simple(new long[2], new long[1]))
        .hasMessageContaining("actual=1, expected=2");
  }

  @Test
  void changesTheExtentUpToTheMaximum() {
    Dataspace space = Dataspace.simple(new long[] {2, 3}, new long[] {Dataspace.UNLIMITED, 5});
    assertThat(space.withDims(100, 5).dims()).containsExactly(100, 5);
    assertThat(space.isExtendible()).isTrue();
    assertThatThrownBy(() -> space.withDims(1, 6)).hasMessageContaining("dimension 1");
    assertThat(space).hasToString("simple[2/unlimited, 3/5]");
  }

  @Test
  void decodesWhatItEncodes() {
    Random random = new Random(SelectionModel.seed());
    for (int round = 0; round < 500; round++) {
      FileGeometry geometry = new FileGeometry("test", 8, 2 << random.nextInt(3));
      long[] dims = new long[random.nextInt(33)];
      Arrays.setAll(dims, i -> random.nextInt(4));
      long[] maxDims =
          Arrays.stream(dims)
              .map(d -> random.nextBoolean() ? Dataspace.UNLIMITED : d + random.nextInt(3))
              .toArray();
      Dataspace space = Dataspace.simple(dims, maxDims);
      for (int version = 1; version <= 2; version++) {
        assertThat(decoded(encoded(space, geometry, version), geometry)).isEqualTo(space);
      }
    }
    assertThat(decoded(encoded(Dataspace.nullSpace(), GEOMETRY, 2), GEOMETRY))
        .isSameAs(Dataspace.nullSpace());
    assertThatThrownBy(() -> encoded(Dataspace.nullSpace(), GEOMETRY, 1))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void takesTheExtentAsMaximumWhereNoneIsStored() {
    byte[] bytes = HexFormat.of().parseHex("0101000000000000" + "0700000000000000");
    assertThat(decoded(bytes, GEOMETRY)).isEqualTo(Dataspace.simple(7));
  }

  @Test
  void rejectsDamage() {
    assertCorrupt("0301000000000000" + "0700000000000000", "version");
    assertCorrupt("0121000000000000", "rank actual=33");
    assertCorrupt("02010003" + "0700000000000000", "kind actual=3");
    assertCorrupt("02010002" + "0700000000000000", "expected=0");
    assertCorrupt("02010001" + "07000000000000ff", "dimension 0");
    assertCorrupt("02010101" + "07000000000000000600000000000000", "maximum extent actual=6");
    assertCorrupt("02020001" + "00000000000000400400000000000000", "number of elements");
    assertCorrupt("02020001" + "0000000000000040", "needs 8 bytes");
  }

  private static void assertCorrupt(String hex, String problem) {
    assertThatThrownBy(() -> decoded(HexFormat.of().parseHex(hex), GEOMETRY))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void productIsCheckedAndOneZeroMakesItZero() {
    assertThat(Dataspace.product()).isEqualTo(1);
    assertThat(Dataspace.product(3, 4, 5)).isEqualTo(60);
    assertThat(Dataspace.product(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Dataspace.product(Long.MAX_VALUE, 3, 0)).isZero();
    assertThatThrownBy(() -> Dataspace.product(1L << 62, 2))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Dataspace.product(1L << 32, 1L << 32, 1))
        .isInstanceOf(ArithmeticException.class);
  }
}
