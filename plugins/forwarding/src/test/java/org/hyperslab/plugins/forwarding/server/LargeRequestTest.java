package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.MultiWrite;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests requests that are larger than the session's window because of their out-of-line values. */
@Timeout(300)
final class LargeRequestTest {

  private static final int STRINGS = 500;

  private TemporaryFolder folder;
  private Path root;
  private StageServer server;
  private Session session;

  /** An element with text. */
  record Labelled(int n, String label) {}

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("large");
    root = folder.path().resolve("root");
    server = StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root));
    session = Hdf5.session("forwarding window=1M servers=" + server.address());
  }

  @AfterEach
  void stop() {
    session.close();
    server.close();
    folder.close();
  }

  /** Returns strings of 5 MB in all, most of which are in the last tenth. */
  private static String[] strings() {
    String[] strings = new String[STRINGS];
    Arrays.setAll(strings, i -> i + ":" + "x".repeat(i < STRINGS * 9 / 10 ? i % 7 : 100_000));
    return strings;
  }

  @Test
  void writesOfStringsAreDividedByTheirLengths() {
    String[] strings = strings();
    Labelled[] rows = new Labelled[STRINGS];
    Arrays.setAll(rows, i -> new Labelled(i, strings[i]));
    try (H5File file = session.create("strings.h5", CreateOptions.DEFAULT)) {
      file.createDataset("strings", strings);
      file.createDataset("rows", rows);
      file.createDataset("half", Datatypes.vlenString(), Dataspace.simple(2 * STRINGS))
          .write(Selection.box(new long[] {STRINGS}, new long[] {STRINGS}), strings);
      MultiWrite both = file.multiWrite();
      Dataset first =
          file.createDataset("first", Datatypes.vlenString(), Dataspace.simple(STRINGS));
      Dataset last = file.createDataset("last", Datatypes.vlenString(), Dataspace.simple(STRINGS));
      both.write(first, strings).write(last, strings).run();
      assertThat(first.slice("0:455").readStrings()).isEqualTo(Arrays.copyOf(strings, 455));
    }
    Oracle.h5py()
        .run(
            """
            import h5py
            f = h5py.File('%s')
            want = [(str(i) + ':' + 'x' * (i %% 7 if i < 450 else 100000)).encode() for i in range(500)]
            assert list(f['strings'][()]) == want
            assert list(f['first'][()]) == want and list(f['last'][()]) == want
            assert list(f['half'][500:]) == want and set(f['half'][:500]) == {b''}
            assert [tuple(row) for row in f['rows'][()]] == list(enumerate(want))
            """
                .formatted(root.resolve("strings.h5")))
        .orFail();
  }

  @Test
  void readsOfStringsAreDividedByTheirLengths() {
    String[] strings = strings();
    Labelled[] rows = new Labelled[STRINGS];
    Arrays.setAll(rows, i -> new Labelled(i, strings[i]));
    try (H5File file = session.create("strings.h5", CreateOptions.DEFAULT)) {
      Dataset all = file.createDataset("strings", strings);
      Dataset records = file.createDataset("rows", rows);
      assertThat(all.readStrings()).isEqualTo(strings);
      assertThat(all.readAsync(String[].class).join()).isEqualTo(strings);
      assertThat(records.read(Labelled[].class)).isEqualTo(rows);
      assertThat(records.slice("::3").field("label").readStrings())
          .hasSize((STRINGS + 2) / 3)
          .contains(strings[0], strings[STRINGS - 2]);
      String[] first = new String[STRINGS];
      String[] last = new String[STRINGS];
      for (int i = 0; i < 10; i++) {
        Arrays.fill(first, null);
        Arrays.fill(last, null);
        file.multiRead().read(all, first).read(all, last).run();
        assertThat(first).isEqualTo(strings);
        assertThat(last).isEqualTo(strings);
      }
    }
  }

  @Test
  void partsOfAReadShareAHeapInTurn() {
    String[] strings = new String[300_000];
    Arrays.setAll(strings, i -> "s" + i);
    try (H5File file = session.create("many.h5", CreateOptions.DEFAULT)) {
      Dataset all = file.createDataset("strings", strings);
      for (int i = 0; i < 10; i++) {
        assertThat(all.readStrings()).isEqualTo(strings);
      }
    }
  }

  @Test
  void readsBeforeAnEditAreNotDividedAfterIt() {
    String[] strings = strings();
    try (H5File file = session.create("strings.h5", CreateOptions.DEFAULT)) {
      Dataset all = file.createDataset("strings", strings);
      CompletableFuture<String[]> read = all.readAsync(String[].class);
      CompletableFuture<Void> written = all.writeAsync(new String[STRINGS]);
      try {
        assertThat(read.join()).isEqualTo(strings);
      } catch (CompletionException refused) {
        assertThat(refused).hasMessageContaining("transfer fewer elements at a time");
      }
      written.join();
      assertThat(all.readStrings()).containsOnlyNulls();
    }
  }

  @Test
  void aValueThatExceedsTheWindowIsRefusedAndTheSessionGoesOn() {
    String tooLong = "x".repeat(2_000_000);
    try (H5File file = session.create("refused.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("text", Datatypes.vlenString(), Dataspace.simple(2));
      assertThatThrownBy(() -> dataset.write(new String[] {"a", tooLong}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected<=1048576")
          .hasMessageContaining("option window");
      assertThatThrownBy(() -> file.root().setAttribute("numbers", new byte[2_000_000]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=2000000")
          .hasMessageContaining("option window");
      dataset.write(new String[] {"a", "b"});
      assertThat(dataset.readStrings()).containsExactly("a", "b");
      assertThat(file.root().attributeCount()).isZero();
    }
  }
}
