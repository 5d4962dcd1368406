package org.hyperslab.plugins.nativevol.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.ConnectorOver;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.WriteLog;
import org.junit.jupiter.api.Test;

/**
 * Tests that the engine does what {@link FlushProtocol} says: the changes of the store in each
 * flush of random programs, as letters, are a word of the protocol.
 */
final class FlushTraceTest {

  private static final String MARKER = "\u0089HSJ\r\n\u001A\n";
  private static final String SIGNATURE = "\u0089HDF\r\n\u001A\n";
  private static final String JOURNAL = "HSLABJNL";

  /**
   * With a journal, of new blocks alone, of elements alone. New blocks and elements: one letter.
   */
  private static final Set<String> WORDS =
      Set.of("NJFMFOFSFT", "JFMFOFSFT", "NFSF", "FSF", "NF", "F", "");

  private static final int ELEMENTS = 100;

  private final long seed = Seeds.draw();

  @Test
  void theWordsAreThoseOfTheProtocol() {
    StringBuilder word = new StringBuilder();
    FlushProtocol protocol = new FlushProtocol(1, false, "");
    FlushProtocol.State state = protocol.starts().getFirst();
    while (state.told() == 0) {
      append(word, letter(state.next()));
      state = protocol.steps(state).getFirst().next();
    }
    assertThat(word.toString()).isEqualTo("NJFMFOFSFT").isIn(WORDS);
  }

  private static String letter(FlushProtocol.Next next) {
    return switch (next) {
      case WRITE_RAW, WRITE_NEW -> "N";
      case WRITE_JOURNAL -> "J";
      case WRITE_MARKER -> "M";
      case WRITE_OLD -> "O";
      case WRITE_SUPERBLOCK -> "S";
      case FORCE_JOURNAL, FORCE_MARKER, FORCE_OLD, FORCE_SUPERBLOCK -> "F";
      case CUT_JOURNAL -> "T";
      default -> "";
    };
  }

  private static void append(StringBuilder word, String letter) {
    if (!letter.isEmpty()
        && (word.isEmpty() || !word.substring(word.length() - 1).equals(letter))) {
      word.append(letter);
    }
  }

  @Test
  void flushesOfRandomProgramsAreWordsOfTheProtocol() {
    Random random = new Random(seed);
    Set<String> seen = new TreeSet<>();
    for (int program = 0; program < 20; program++) {
      FaultStore store = new FaultStore(new MemoryStore("traced"));
      OpenOptions access = OpenOptions.EDIT.withDurability(Durability.POWER_CUT);
      try (Session session = Hdf5.session(ConnectorOver.store(store));
          H5File file = session.create("traced", CreateOptions.DEFAULT.withAccess(access))) {
        for (int flush = 0; flush < 10; flush++) {
          edit(file, random);
          file.flush();
          String word = word(store.log());
          seen.add(word);
          assertThat(word).as("flush %d of program %d, seed %d", flush, program, seed).isIn(WORDS);
          store.log().clear();
        }
      }
    }
    assertThat(seen).as("seed %d", seed).contains("NJFMFOFSFT", "NF");
  }

  private static void edit(H5File file, Random random) {
    for (int edits = random.nextInt(4); edits >= 0; edits--) {
      List<String> names = file.root().names();
      int kind = names.isEmpty() ? 0 : random.nextInt(5);
      switch (kind) {
        case 0 -> create(file, random, DatasetOptions.DEFAULT);
        case 1 -> create(file, random, DatasetOptions.chunked(10).deflate(1).build());
        case 2 -> file.root().delete(names.get(random.nextInt(names.size())));
        case 3 -> file.root().setAttribute("a" + random.nextInt(9), random.nextInt());
        default -> {
          try (Dataset dataset = file.dataset(names.get(random.nextInt(names.size())))) {
            dataset.write(random.ints(ELEMENTS).toArray());
          }
        }
      }
    }
  }

  private static void create(H5File file, Random random, DatasetOptions options) {
    file.datasetBuilder("d" + random.nextInt(1 << 30))
        .value(random.ints(ELEMENTS).toArray())
        .options(options)
        .create()
        .close();
  }

  /** {@return the changes as letters, equal ones next to each other as one} */
  private static String word(WriteLog log) {
    StringBuilder word = new StringBuilder();
    boolean isMarked = false;
    boolean isJournal = false;
    for (WriteLog.Entry entry : log.entries()) {
      switch (entry) {
        case WriteLog.Forced forced -> {
          append(word, "F");
          isJournal = false;
        }
        case WriteLog.Truncated cut -> append(word, isMarked ? "T" : "");
        case WriteLog.Written written -> {
          String start = start(written.bytes());
          isJournal |= start.equals(JOURNAL);
          if (start.equals(MARKER)) {
            isMarked = true;
            append(word, "M");
          } else if (start.equals(SIGNATURE) && written.offset() == 0) {
            append(word, "S");
          } else {
            append(word, isMarked ? "O" : isJournal ? "J" : "N");
          }
        }
      }
    }
    return word.toString();
  }

  private static String start(MemorySegment bytes) {
    StringBuilder start = new StringBuilder();
    for (int i = 0; i < 8 && i < bytes.byteSize(); i++) {
      start.append((char) (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff));
    }
    return start.toString();
  }
}
