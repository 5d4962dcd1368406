package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.store.BucketServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files in buckets: their content, the number of requests, and newly created ones. */
final class RemoteFilesTest {

  @TempDir private Path folder;
  private BucketServer server;
  private OpenOptions reading;
  private CreateOptions creating;

  @BeforeEach
  void start() throws IOException {
    server = new BucketServer();
    Map<String, String> properties =
        Map.of("s3.endpoint", server.endpoint(), "s3.anonymous", "true");
    OpenOptions options = OpenOptions.READ;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      options = options.withProperty(property.getKey(), property.getValue());
    }
    reading = options;
    creating = CreateOptions.DEFAULT.withAccess(options);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Serves a file of 64 MiB with h5py's defaults: version 1 B-tree, chunks of 512 KiB. */
  private void serveChunkedFile() throws IOException {
    Path path = folder.resolve("plain.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, numpy, sys
            with h5py.File(sys.argv[1], 'w') as f:
                f.create_dataset('a', data=numpy.arange(8192 * 1024.0).reshape(8192, 1024),
                                 chunks=(64, 1024))
                f.create_group('g').attrs['n'] = 5
            """,
            path.toString())
        .orFail();
    server.put("/bucket/dir/plain.h5", Files.readAllBytes(path));
  }

  @Test
  void aPartOfAFileTakesFewRequestsAndLittleMoreThanItsBytes() throws IOException {
    serveChunkedFile();
    try (H5File file = Hdf5.open("s3://bucket/dir/plain.h5", reading)) {
      double[][] part = file.dataset("a").slice("640:1280, :").read(double[][].class);
      assertThat(part).hasDimensions(640, 1024);
      assertThat(part[0][0]).isEqualTo(640 * 1024.0);
      assertThat(part[639][1023]).isEqualTo(1280 * 1024.0 - 1);
    }
    assertThat(server.takeRequests()).isLessThanOrEqualTo(8);
    assertThat(server.takeBytesSent()).isLessThan((long) (1.3 * 640 * 1024 * 8));
  }

  /**
   * Sparse files of 1 GiB whose metadata is where the C library's defaults put it: contiguous, and
   * in chunks of 256 KiB and 2 MiB that a version 1 B-tree finds.
   */
  @Test
  void onePercentOfALargeFileTakesEightRequestsAndLittleMoreThanItsBytes() {
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            values = np.repeat(np.arange(2624, dtype='f4')[:, None], 1024, 1)
            for name, chunks in ('contiguous', None), ('small', (64, 1024)), ('large', (512, 1024)):
                plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
                plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
                if chunks:
                    plist.set_chunk(chunks)
                with h5py.File(name + '.h5', 'w') as f:
                    space = h5py.h5s.create_simple((1 << 18, 1024))
                    h5py.h5d.create(f.id, b'a', h5py.h5t.IEEE_F32LE, space, plist)
                    f['a'][131072:133696] = values
            """)
        .orFail();
    for (String name : new String[] {"contiguous", "small", "large"}) {
      Path path = folder.resolve(name + ".h5");
      assertThat(path.toFile().length()).isGreaterThan(1L << 30);
      server.put("/bucket/" + name + ".h5", path);
      try (H5File file = Hdf5.open("s3://bucket/" + name + ".h5", reading)) {
        float[][] rows = file.dataset("a").slice("131072:133696, :").read(float[][].class);
        for (int i = 0; i < rows.length; i++) {
          assertThat(new float[] {rows[i][0], rows[i][1023]}).containsOnly(i);
        }
      }
      assertThat(server.takeRequests()).as(name).isLessThanOrEqualTo(8);
      assertThat(server.takeBytesSent())
          .as(name)
          .isLessThanOrEqualTo((long) (1.3 * 2624 * 1024 * Float.BYTES));
    }
  }

  @Test
  void commandsSayInOneLineThatAServerCannotBeReached() {
    server.close();
    String uri = server.endpoint() + "/x.h5";
    for (String command : new String[] {"ls", "dump", "view", "stat", "repack", "convert"}) {
      boolean copies = command.equals("repack") || command.equals("convert");
      CommandRun run =
          copies
              ? CommandRun.of(command, uri, folder.resolve("copy.h5").toString())
              : CommandRun.of(command, uri);
      assertThat(run.code()).as(command).isNotZero();
      assertThat(run.err().strip())
          .as(command)
          .contains("actual=no connection to ", "expected=", "at=" + uri, "check the host and port")
          .doesNotContain("\n", "Exception");
    }
  }

  @Test
  void openingADatasetDoesNotReadItsWholeIndex() throws IOException {
    Path path = folder.resolve("many.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, numpy, sys
            with h5py.File(sys.argv[1], 'w') as f:
                f.create_dataset('a', data=numpy.arange(40000, dtype='i8'), chunks=(2,))
            """,
            path.toString())
        .orFail();
    server.put("/bucket/many.h5", Files.readAllBytes(path));
    try (H5File file = Hdf5.open("s3://bucket/many.h5", reading)) {
      assertThat(file.dataset("a").slice("777").read(long.class)).isEqualTo(777);
      assertThat(server.takeBytesSent()).isLessThan(Files.size(path) / 2);
      assertThat(file.dataset("a").datasetInfo().storage().chunkCount()).isEqualTo(20000);
    }
  }

  @Test
  void aColumnOfManyChunksIsFetchedInPartsOfChunks() throws IOException {
    serveChunkedFile();
    try (H5File file = Hdf5.open("s3://bucket/dir/plain.h5", reading)) {
      double[] rows = file.dataset("a").slice("0:8192:64, 3").readDoubles();
      for (int i = 0; i < rows.length; i++) {
        assertThat(rows[i]).isEqualTo(64 * 1024.0 * i + 3);
      }
    }
    assertThat(server.takeBytesSent()).isLessThan(16L << 20);
  }

  @Test
  void objectAppearsWhenItIsClosed() throws IOException {
    try (H5File file = Hdf5.create("s3://bucket/new.h5", creating)) {
      file.createDataset("x", new int[] {1, 2, 3});
      file.flush();
      assertThat(server.get("/bucket/new.h5")).isNull();
    }
    Path local = Files.write(folder.resolve("local.h5"), server.get("/bucket/new.h5"));
    assertThat(
            Oracle.h5py()
                .run(
                    "import h5py, sys; print(h5py.File(sys.argv[1], 'r')['x'][:].tolist())",
                    local.toString())
                .orFail()
                .output())
        .isEqualToIgnoringNewLines("[1, 2, 3]");
    try (H5File file = Hdf5.open("s3://bucket/new.h5", reading)) {
      assertThat(file.dataset("x").readInts()).containsExactly(1, 2, 3);
    }
    assertThatThrownBy(() -> Hdf5.create("s3://bucket/new.h5", creating.withExclusive(true)))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> Hdf5.open("s3://bucket/absent.h5", reading))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> Hdf5.open("s3://bucket/new.h5", reading.withWritable(true)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("s3://bucket/new.h5");
  }

  @Test
  void longFilesAreUploadedInPartsAndAFailedUploadKeepsTheOldObject() {
    server.put("/bucket/long.h5", new byte[] {1});
    double[] values = new double[5 << 20];
    Arrays.setAll(values, i -> i);
    server.failPart(2);
    H5File failing = Hdf5.create("s3://bucket/long.h5", creating);
    failing.createDataset("x", values);
    assertThatThrownBy(failing::close)
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("InvalidPart")
        .hasMessageContaining("s3://bucket/long.h5");
    assertThat(server.get("/bucket/long.h5")).hasSize(1);
    assertThat(server.openUploads()).isZero();
    server.failPart(-1);
    try (H5File file = Hdf5.create("s3://bucket/long.h5", creating)) {
      file.createDataset("x", values);
    }
    try (H5File file = Hdf5.open("s3://bucket/long.h5", reading);
        Dataset x = file.dataset("x")) {
      assertThat(x.readDoubles()).isEqualTo(values);
    }
  }

  @Test
  void anOpeningThatIsConfinedToAFolderReachesNoServer() {
    server.put("/bucket/a.h5", new byte[100]);
    String uri = server.endpoint() + "/bucket/a.h5";
    Path path = folder.resolve("links.h5");
    try (H5File file = Hdf5.create(path)) {
      file.root().createExternalLink("far", uri, "/");
    }
    OpenOptions confined = reading.withProperty("confinedTo", folder.toString());
    for (String name : new String[] {"s3://bucket/a.h5", uri}) {
      assertThatThrownBy(() -> Hdf5.open(name, confined)).isInstanceOf(NotFoundException.class);
    }
    assertThatThrownBy(
            () -> Hdf5.create("s3://bucket/b.h5", CreateOptions.DEFAULT.withAccess(confined)))
        .isInstanceOf(NotFoundException.class);
    try (H5File file = Hdf5.open(path, confined)) {
      assertThatThrownBy(() -> file.group("far")).isInstanceOf(NotFoundException.class);
    }
    assertThat(server.takeRequests()).isZero();
  }
}
