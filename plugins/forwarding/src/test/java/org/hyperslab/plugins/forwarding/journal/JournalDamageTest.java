package org.hyperslab.plugins.forwarding.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageChild;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that damaged journals are told from torn ones, and lose nothing silently. */
@Timeout(120)
final class JournalDamageTest {

  private static final int RECORDS = 4;

  private TemporaryFolder folder;
  private JournalKey key;
  private Path path;

  @BeforeEach
  void write() {
    folder = TemporaryFolder.create("damaged");
    key = JournalKey.of(folder.path().resolve("state"));
    path = folder.path().resolve("state/a.journal");
    try (JournalFile journal =
        JournalFile.create(path, key, List.of(record(1)), Scheduling.ofJvm())) {
      for (int i = 2; i <= RECORDS; i++) {
        journal.append(record(i));
        journal.commit().join();
      }
    }
  }

  @AfterEach
  void remove() {
    folder.close();
  }

  private static JournalRecord record(int number) {
    byte[] body = {(byte) number, 2, 3};
    return new JournalRecord(
        JournalRecord.Kind.OPERATION,
        number,
        number,
        0,
        body,
        List.of(MemorySegment.ofArray(new byte[] {9, (byte) number, 9})));
  }

  @Test
  void everyChangedBitOfWhatWasPromisedIsFound() throws IOException {
    byte[] whole = Files.readAllBytes(path);
    int length = (whole.length - JournalFile.START) / RECORDS;
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] changed = whole.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(path, changed);
      assertThat(JournalReader.read(path, key, record -> {}).isDamaged()).as("bit " + bit).isTrue();
      List<Long> salvaged = new ArrayList<>();
      JournalReader.salvage(path, key, record -> salvaged.add(record.sequence()));
      List<Long> expected = new ArrayList<>(List.of(1L, 2L, 3L, 4L));
      if (bit / 8 >= JournalFile.START) {
        expected.remove((bit / 8 - JournalFile.START) / length);
      }
      assertThat(salvaged).as("bit " + bit).isEqualTo(expected);
    }
  }

  @Test
  void everyLengthIsTornOrDamaged() throws IOException {
    byte[] whole = Files.readAllBytes(path);
    for (int length = 0; length < whole.length; length++) {
      Files.write(path, Arrays.copyOf(whole, length));
      assertThat(JournalReader.read(path, key, record -> {}).isDamaged()).isTrue();
    }
    // What was appended behind was promised to nobody.
    for (int more = 1; more < 200; more++) {
      Files.write(path, Arrays.copyOf(whole, whole.length + more));
      JournalEnd end = JournalReader.read(path, key, record -> {});
      assertThat(end.isDamaged()).isFalse();
      assertThat(end.records()).isEqualTo(RECORDS);
    }
  }

  @Test
  void aDamagedJournalIsKeptUntilItIsRecovered() throws Exception {
    Path root = folder.path().resolve("root");
    Path socket = folder.file("socket");
    ServerOptions options = ServerOptions.of(new Address.Unix(socket.toString()), root);
    String client = "forwarding acknowledge=durable reconnect=0 servers=unix:" + socket;
    StageChild child = StageChild.start(root, socket);
    try (Session session = Hdf5.session(client)) {
      H5File file = session.create("in/promised.h5");
      for (int i = 0; i < 5; i++) {
        file.root().setAttribute("a" + i, i);
      }
      child.kill();
    } catch (HyperslabException gone) {
      assertThat(gone.getMessage()).isNotBlank();
    } finally {
      child.kill();
    }
    Path journal;
    try (Stream<Path> all = Files.list(root.resolve(StageChild.STATE))) {
      journal = all.filter(each -> each.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(journal);
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    bytes[text.indexOf("a2")] ^= 4;
    Files.write(journal, bytes);
    try (StageServer server = StageServer.start(options);
        Session session = Hdf5.session(client)) {
      assertThat(server.recovered()).contains("damaged at byte", "--recover in/promised.h5");
      assertThatThrownBy(() -> session.open("in/promised.h5"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("--recover in/promised.h5");
      session.create("other.h5").close();
    }
    assertThat(journal).hasBinaryContent(bytes);
    assertThat(StageServer.recover(options, "in/promised.h5"))
        .contains("4 operations replayed", "1 damaged parts left out", ".damaged");
    assertThat(journal).doesNotExist();
    assertThat(journal.resolveSibling(journal.getFileName() + ".damaged")).hasBinaryContent(bytes);
    try (H5File file = Hdf5.open(root.resolve("in/promised.h5"))) {
      assertThat(file.root().attributeCount()).isEqualTo(4);
      assertThat(file.root().hasAttribute("a2")).isFalse();
      assertThat(file.root().hasAttribute("a4")).isTrue();
    }
  }
}
