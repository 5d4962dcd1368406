package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that lie in channels of the caller's. */
final class ChannelFileTest {

  @TempDir private Path folder;

  /** A channel that moves fewer bytes than it is asked for. */
  private static final class Reluctant implements SeekableByteChannel {
    private final SeekableByteChannel below;
    private final Random random;

    Reluctant(SeekableByteChannel below, Random random) {
      this.below = below;
      this.random = random;
    }

    private ByteBuffer some(ByteBuffer all) {
      return all.slice(all.position(), Math.min(all.remaining(), 1 + random.nextInt(5000)));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      int read = below.read(some(target));
      target.position(target.position() + Math.max(0, read));
      return read;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      int written = below.write(some(source));
      source.position(source.position() + written);
      return written;
    }

    @Override
    public long position() throws IOException {
      return below.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      below.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return below.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
      below.truncate(size);
      return this;
    }

    @Override
    public boolean isOpen() {
      return below.isOpen();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }

  private static SeekableByteChannel channel(Path path) throws IOException {
    return Files.newByteChannel(
        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  private static void fill(H5File file) {
    Dataset zipped =
        file.datasetBuilder("zipped")
            .type(double.class)
            .shape(100, 50)
            .options(o -> o.chunked(10, 50).deflate(1))
            .create();
    zipped.write(new double[] {1.5});
    zipped.setAttribute("units", "K");
    file.createDataset("plain", new long[] {1, 2, 3});
    file.createDataset("texts", new String[] {"a", "bc"});
    file.createDataset("huge", byte.class, 5_000_000).slice("-1").write(7);
  }

  @Test
  void createsAndEditsInChannelsThatMoveFewBytes() throws Exception {
    Path path =
        Files.write(folder.resolve("a.h5"), new byte[100_000]); // what was there is replaced
    Random random = Seeds.random(Seeds.draw(), 0);
    try (SeekableByteChannel channel = new Reluctant(channel(path), random)) {
      try (H5File file = Hdf5.create(channel, CreateOptions.DEFAULT)) {
        fill(file);
      }
      assertThat(channel.isOpen()).isTrue();
      try (H5File file = Hdf5.open(channel, OpenOptions.EDIT)) {
        file.dataset("zipped").rows(3, 5).write(4);
        file.delete("plain");
      }
      try (H5File file = Hdf5.open(channel)) {
        assertThat(file.isWritable()).isFalse();
        assertThat(file.dataset("zipped").slice("2:6, 0").readDoubles())
            .containsExactly(1.5, 4, 4, 1.5);
        assertThatThrownBy(() -> file.delete("zipped")).isInstanceOf(InvalidUseException.class);
      }
    }
    String script =
        "import h5py, sys; f = h5py.File(sys.argv[1]); print(list(f), f['zipped'][2:4, 7],"
            + " f['texts'][1].decode(), f['huge'][-1], f['zipped'].attrs['units'])";
    assertThat(Oracle.h5py().run(script, path.toString()).orFail().output().strip())
        .isEqualTo("['huge', 'texts', 'zipped'] [1.5 4. ] bc 7 K");
  }

  @Test
  void readsAnEntryOfAnArchive() throws Exception {
    Path archive = folder.resolve("a.zip");
    Path plain = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(plain)) {
      fill(file);
    }
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Files.copy(plain, zip.getPath("data.h5"));
    }
    try (FileSystem zip = FileSystems.newFileSystem(archive);
        SeekableByteChannel channel = Files.newByteChannel(zip.getPath("data.h5"));
        H5File file = Hdf5.open(channel)) {
      assertThat(file.dataset("plain").readLongs()).containsExactly(1, 2, 3);
      assertThat(file.dataset("texts").readStrings()).containsExactly("a", "bc");
      assertThat(file.dataset("zipped").readDoubles()).hasSize(5000).containsOnly(1.5);
    }
  }

  @Test
  void failuresAreTyped() throws Exception {
    Path path = Files.write(folder.resolve("a.h5"), new byte[1000]);
    try (SeekableByteChannel channel = channel(path)) {
      assertThatThrownBy(() -> Hdf5.open(channel)).isInstanceOf(CorruptFileException.class);
      try (H5File file = Hdf5.create(channel, CreateOptions.DEFAULT)) {
        fill(file);
      }
      SeekableByteChannel closed = channel(path);
      try (H5File file = Hdf5.open(closed)) {
        Dataset dataset = file.dataset("huge");
        closed.close();
        assertThatThrownBy(() -> dataset.slice("-1").readInt())
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("actual=java.nio.channels.ClosedChannelException");
      }
    }
    assertThatThrownBy(() -> Hdf5.open((SeekableByteChannel) null))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("channel: actual=null");
  }

  @Test
  void channelsThatWereNotOpenedForItAreRefusedAtOnce() throws IOException {
    Path path = folder.resolve("a.h5");
    Hdf5.create(path).close();
    byte[] before = Files.readAllBytes(path);
    try (SeekableByteChannel reading = Files.newByteChannel(path)) {
      refuses(() -> Hdf5.open(reading, OpenOptions.EDIT), "cannot be written", "READ and WRITE");
      refuses(
          () -> Hdf5.create(reading, CreateOptions.DEFAULT), "cannot be written", "READ and WRITE");
      Hdf5.open(reading).close();
    }
    for (StandardOpenOption only : List.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      try (SeekableByteChannel writing = FileChannel.open(path, only)) {
        refuses(() -> Hdf5.open(writing), "cannot be read", "StandardOpenOption.READ");
        refuses(() -> Hdf5.open(writing, OpenOptions.EDIT), "cannot be read", "READ and WRITE");
        refuses(
            () -> Hdf5.create(writing, CreateOptions.DEFAULT), "cannot be read", "READ and WRITE");
      }
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void closedChannelsAreRefused() throws IOException {
    SeekableByteChannel closed = channel(folder.resolve("a.h5"));
    closed.close();
    refuses(() -> Hdf5.open(closed), "a closed channel", "an open one");
    refuses(() -> Hdf5.create(closed, CreateOptions.DEFAULT), "a closed channel", "an open one");
  }

  private static void refuses(ThrowingCallable call, String actual, String expected) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(actual)
        .hasMessageContaining(expected);
  }
}
