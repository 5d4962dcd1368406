package org.hyperslab.format.freespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.dense.LatestFile;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the free-space managers that files contain. */
class FreeSpaceManagerTest {

  private static final int[] FILE_CLASSES = new int[3];

  @TempDir Path folder;

  private static final String MAKE =
      """
      import h5py, sys, numpy
      f = h5py.File(sys.argv[1], 'w', libver='latest', fs_strategy=sys.argv[2], fs_persist=True,
                    fs_threshold=1)
      for i in range(40):
          f['d%d' % i] = numpy.arange(100 + 37 * i)
      f.close()
      f = h5py.File(sys.argv[1], 'r+', libver='latest')
      for i in range(0, 40, 3):
          del f['d%d' % i]
      f.close()
      """;

  private static final String SECTIONS =
      """
      import h5py, sys, ctypes
      lib = ctypes.CDLL('libhdf5_serial.so.103')
      f = h5py.File(sys.argv[1], 'r')
      class S(ctypes.Structure):
          _fields_ = [('addr', ctypes.c_uint64), ('size', ctypes.c_uint64)]
      lib.H5Fget_free_sections.restype = ctypes.c_ssize_t
      out = (S * 10000)()
      n = lib.H5Fget_free_sections(ctypes.c_int64(f.id.id), 0, ctypes.c_size_t(10000), out)
      for i in range(n):
          print(out[i].addr, out[i].size)
      """;

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "page"})
  void readsWhatTheCLibraryWroteAndWritesTheSameBytes(String strategy) throws IOException {
    Path path = folder.resolve("free.h5");
    LatestFile.python(MAKE, path.toString(), strategy);
    byte[] bytes = Files.readAllBytes(path);
    MemoryMetadataSpace space = new MemoryMetadataSpace(FileGeometry.standard("free.h5"), bytes);
    List<FreeSection> sections = new ArrayList<>();
    int managers = 0;
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (int at = text.indexOf("FSHD"); at >= 0; at = text.indexOf("FSHD", at + 1)) {
      if (bytes[at + 5] != FreeSpaceClient.FILE) {
        continue;
      }
      sections.addAll(FreeSpaceManager.read(space, at, FreeSpaceClient.FILE, FILE_CLASSES));
      FreeSpaceHeader header = space.cached(at, "header", FreeSpaceHeader.class).orElseThrow();
      space.markDirty(at, header);
      if (header.listAddress() >= 0) {
        FreeSectionList list =
            space.cached(header.listAddress(), "list", FreeSectionList.class).orElseThrow();
        assertThat(list.encodedSize()).isEqualTo(header.listBytes());
        space.markDirty(header.listAddress(), list);
      }
      managers++;
    }
    assertThat(managers).isPositive();
    sections.sort(Comparator.comparingLong(FreeSection::address));
    List<String> ours = sections.stream().map(s -> s.address() + " " + s.sizeBytes()).toList();
    List<String> theirs = LatestFile.python(SECTIONS, path.toString()).lines().toList();
    assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
    assertThat(space.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void writesReadsAndDeletesSections() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    FreeSpaceClient client = FreeSpaceManager.fileClient(space.geometry());
    Random random = new Random(7);
    for (int count : new int[] {0, 1, 3, 300, 70_000}) {
      List<FreeSection> sections = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long size = 1L + random.nextInt(40);
        sections.add(FreeSection.plain(1000L * i, size, random.nextInt(3)));
      }
      long address = FreeSpaceManager.write(space, client, sections);
      space.evict();
      List<FreeSection> read =
          FreeSpaceManager.read(space, address, FreeSpaceClient.FILE, FILE_CLASSES);
      assertThat(described(read)).isEqualTo(described(sections));
      FreeSpaceManager.delete(space, address, FreeSpaceClient.FILE, FILE_CLASSES);
      assertThat(space.allocatedBytes()).isZero();
    }
  }

  private static List<String> described(List<FreeSection> sections) {
    return sections.stream()
        .map(s -> s.address() + " " + s.sizeBytes() + " " + s.type())
        .sorted()
        .toList();
  }

  @Test
  void rejectsManagerOfAnotherClient() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    FreeSpaceClient client = FreeSpaceManager.fileClient(space.geometry());
    long address = FreeSpaceManager.write(space, client, List.of(FreeSection.plain(1, 2, 0)));
    space.evict();
    assertThatThrownBy(() ->
            FreeSpaceManager.read(
                space, address, FreeSpaceClient.FRACTAL_HEAP, new int[] {0, 11, 11, 11}))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("client id");
  }
}
