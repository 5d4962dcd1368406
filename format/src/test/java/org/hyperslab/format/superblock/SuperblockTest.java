package org.hyperslab.format.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.store.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuperblockTest {

  private static Superblock sample(int version, int sizes, long base) {
    FileGeometry geometry = new FileGeometry("f.h5", sizes, sizes);
    if (version < 2) {
      Superblock.Legacy legacy =
          new Superblock.Legacy(
              7,
              9,
              version == 1 ? 11 : Superblock.DEFAULT_CHUNK_INTERNAL_K,
              FileGeometry.UNDEFINED,
              200,
              new SymbolTableEntry(0, 96, new SymbolTableEntry.CachedGroup(136, 680)));
      return Superblock.legacy(version, geometry, base, base + 800, legacy);
    }
    return Superblock.modern(version, geometry, base, base + 800, 48).withExtension(300);
  }

  private static MemoryStore store(Superblock superblock, long size) {
    MemoryStore store = new MemoryStore("f.h5");
    store.write(
        superblock.baseAddress(), MemorySegment.ofArray(SuperblockCodec.encode(superblock)));
    store.truncate(size);
    return store;
  }

  @ParameterizedTest
  @CsvSource({
    "0,8,0",
    "0,4,512",
    "0,2,0",
    "1,8,1024",
    "1,4,0",
    "2,8,0",
    "2,8,512",
    "2,4,2048",
    "3,8,0",
    "3,2,512"
  })
  void readsBackWhatItWrites(int version, int sizes, long base) {
    Superblock superblock = sample(version, sizes, base);
    assertThat(SuperblockCodec.encode(superblock)).hasSize(superblock.encodedSize());
    assertThat(SuperblockCodec.read(store(superblock, base + 800))).isEqualTo(superblock);
  }

  @Test
  void followsAUserBlockThatWasPutBeforeTheFile() {
    byte[] bytes = SuperblockCodec.encode(sample(2, 8, 0));
    MemoryStore store = new MemoryStore("f.h5");
    store.write(1024, MemorySegment.ofArray(bytes));
    store.truncate(1824);
    Superblock found = SuperblockCodec.read(store);
    assertThat(found.baseAddress()).isEqualTo(1024);
    assertThat(found.endOfFile()).isEqualTo(1824);
  }

  @Test
  void rejectsTruncatedFile() {
    MemoryStore store = store(sample(3, 8, 0), 799);
    assertThatThrownBy(() -> SuperblockCodec.read(store))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("truncated file: size actual=799 bytes, expected=at least 800");
    assertThat(SuperblockCodec.readUnchecked(store).endOfFile()).isEqualTo(800);
  }

  @ParameterizedTest
  @CsvSource({
    "43444601, classic netCDF",
    "934e554d, one of NumPy: convert it",
    "504b0304, zip archive",
    "0e031301, HDF4"
  })
  void saysWhatAFileOfARelatedFormatIs(String beginning, String said) {
    MemoryStore store = new MemoryStore("f");
    store.write(0, MemorySegment.ofArray(HexFormat.of().parseHex(beginning)));
    store.truncate(600);
    assertThatThrownBy(() -> SuperblockCodec.read(store))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(said);
  }

  @Test
  void rejectsForeignFile() {
    MemoryStore store = new MemoryStore("f.txt");
    store.truncate(5000);
    assertThatThrownBy(() -> SuperblockCodec.read(store))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("not an HDF5 file")
        .hasMessageContaining("f.txt");
  }

  @Test
  void rejectsFileCutInTheSuperblock() {
    byte[] bytes = SuperblockCodec.encode(sample(0, 8, 0));
    for (int length = 8; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> SuperblockCodec.decode("f.h5", cut, 0))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void rejectsWrongChecksumOfVersion2() {
    byte[] bytes = SuperblockCodec.encode(sample(2, 8, 0));
    bytes[20] ^= 1;
    assertThatThrownBy(() -> SuperblockCodec.decode("f.h5", bytes, 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void refusesVersionsAndSizesOfTheFuture() {
    byte[] bytes = SuperblockCodec.encode(sample(2, 8, 0));
    bytes[9] = 16;
    assertThatThrownBy(() -> SuperblockCodec.decode("f.h5", bytes, 0))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("size of offsets: actual=16");
    bytes[8] = 4;
    assertThatThrownBy(() -> SuperblockCodec.decode("f.h5", bytes, 0))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("superblock version: actual=4");
  }

  @Test
  void decodesFamilyAndMultiDrivers() {
    FileGeometry geometry = FileGeometry.standard("f.h5");
    DriverInfo family = DriverInfo.family(geometry, 1 << 20);
    MetadataWriter writer = new MetadataWriter(geometry, 64);
    family.encodeBlock(writer);
    DriverInfo again =
        DriverInfo.decodeBlock(new MetadataReader(geometry, "driver", writer.toByteArray(), 0));
    assertThat(again).isEqualTo(family);
    assertThat(again.familyMemberSize(geometry)).isEqualTo(1 << 20);
    assertThat(Optional.of(again.driver())).contains(DriverInfo.FAMILY);
  }

  @ParameterizedTest
  @CsvSource({"43444601,classic netCDF", "43444605,classic netCDF", "0e031301,HDF4"})
  void relatedFormatsAreNamed(String first, String format) {
    MemoryStore store = new MemoryStore("f.nc");
    store.write(0, MemorySegment.ofArray(HexFormat.of().parseHex(first + "0000000000000000")));
    assertThatThrownBy(() -> SuperblockCodec.read(store))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("not an HDF5 file, but one of " + format)
        .hasMessageContaining("convert");
  }
}
