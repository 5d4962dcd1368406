package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;

/** Tests what the creation of many small objects writes and reads. */
final class ManyObjectsTest {

  private static final int DATASETS = 5000;
  private static final CreateOptions OLDEST =
      CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);

  private final MemoryStore bytes = new MemoryStore("many.h5");
  private final CountingStore store = new CountingStore(bytes);

  @Test
  void metadataIsWrittenWhileObjectsAreCreated() {
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("many.h5", OLDEST)) {
      create(file, 0, DATASETS);
      long before = store.counts().bytesWritten();
      file.flush();
      long atFlush = store.counts().bytesWritten() - before;
      assertThat(atFlush).isLessThan(before / 2);
    }
  }

  @Test
  void structuresThatEveryCreationEditsAreNotWrittenForEach() {
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("many.h5", OLDEST)) {
      create(file, 0, DATASETS);
      file.flush();
      assertThat(store.counts().bytesWritten()).isLessThan(2 * store.size());
    }
  }

  @Test
  void closingReadsNothingOfDatasetsThatStayWhereTheyAre() {
    try (Session session = Hdf5.session(ConnectorOver.store(store))) {
      H5File file = session.create("many.h5", OLDEST);
      create(file, 0, DATASETS);
      long before = store.counts().reads();
      file.close();
      assertThat(store.counts().reads() - before).isLessThan(DATASETS / 10);
    }
  }

  @Test
  void pagesOfManyAttributesReadTheStorageTwice() {
    int attributes = 20_000;
    byte[] content;
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("many.h5", CreateOptions.DEFAULT)) {
      for (int i = 0; i < attributes; i++) {
        file.root().setAttribute(String.format("attribute%05d", i), i);
      }
      file.flush();
      content = bytes.toByteArray();
    }
    CountingStore copy = new CountingStore(MemoryStore.copyOf("many.h5", content));
    OpenOptions little = OpenOptions.READ.withProperty("metadata.bytes", "262144");
    try (Session session = Hdf5.session(ConnectorOver.store(copy));
        H5File file = session.open("many.h5", little)) {
      assertThat(file.root().attributes().count()).isEqualTo(attributes);
      assertThat(copy.counts().bytesRead()).isLessThan(2L * content.length);
    }
  }

  @Test
  void pagesOfManyChunksReadTheIndexOnce() {
    int chunks = 100_000;
    byte[] content = chunked(new long[] {chunks}, new long[] {Hdf5.UNLIMITED});
    CountingStore copy = new CountingStore(MemoryStore.copyOf("many.h5", content));
    OpenOptions little = OpenOptions.READ.withProperty("metadata.bytes", "262144");
    try (Session session = Hdf5.session(ConnectorOver.store(copy));
        H5File file = session.open("many.h5", little)) {
      assertThat(file.dataset("chunked").chunks().mapToLong(chunk -> chunk.offset().getFirst()))
          .containsExactly(LongStream.range(0, chunks).boxed().toArray(Long[]::new));
      assertThat(copy.counts().bytesRead()).isLessThan(2L * content.length);
    }
  }

  @Test
  void chunksAreListedInRowMajorOrderOfManyPages() {
    byte[] content = chunked(new long[] {64, 100}, new long[] {64, Hdf5.UNLIMITED});
    try (Session session =
            Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("many.h5", content)));
        H5File file = session.open("many.h5", OpenOptions.READ)) {
      List<List<Long>> expected = new ArrayList<>();
      for (long row = 0; row < 64; row++) {
        for (long column = 0; column < 100; column++) {
          expected.add(List.of(row, column));
        }
      }
      assertThat(file.dataset("chunked").chunks().map(ChunkInfo::offset))
          .containsExactlyElementsOf(expected);
    }
  }

  /** Returns a file whose dataset has a chunk for each of its elements. */
  private byte[] chunked(long[] shape, long[] maxShape) {
    CreateOptions bounds = CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
    long[] chunk = new long[shape.length];
    Arrays.fill(chunk, 1);
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("many.h5", bounds)) {
      Dataset dataset =
          file.datasetBuilder("chunked")
              .type(byte.class)
              .shape(shape)
              .maxShape(maxShape)
              .options(options -> options.chunked(chunk))
              .create();
      dataset.write(MemorySegment.ofArray(new byte[(int) dataset.elementCount()]));
      file.flush();
      return bytes.toByteArray();
    }
  }

  @Test
  void objectsThatWereWrittenEarlyAreFoundAndEdited() {
    byte[] content;
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("many.h5", OLDEST)) {
      create(file, 0, DATASETS);
      for (int i = 0; i < DATASETS; i += 7) {
        try (Dataset dataset = file.dataset("d" + i)) {
          dataset.write(new int[] {-i});
        }
      }
      for (int i = 3; i < DATASETS; i += 11) {
        file.root().delete("d" + i);
      }
      create(file, DATASETS, 2 * DATASETS);
      file.flush();
      content = bytes.toByteArray();
    }
    MemoryStore copy = MemoryStore.copyOf("many.h5", content);
    try (Session session = Hdf5.session(ConnectorOver.store(copy));
        H5File file = session.open("many.h5", OpenOptions.READ)) {
      for (int i = 0; i < 2 * DATASETS; i++) {
        boolean deleted = i < DATASETS && i % 11 == 3;
        assertThat(file.exists("d" + i)).isEqualTo(!deleted);
        if (!deleted) {
          int expected = i < DATASETS && i % 7 == 0 ? -i : i;
          try (Dataset dataset = file.dataset("d" + i)) {
            assertThat(dataset.read(int[].class)).containsExactly(expected);
          }
        }
      }
    }
  }

  private static void create(H5File file, int from, int to) {
    for (int i = from; i < to; i++) {
      file.createDataset("d" + i, new int[] {i}).close();
    }
  }
}
