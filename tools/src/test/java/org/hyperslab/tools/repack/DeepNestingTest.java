package org.hyperslab.tools.repack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.tools.dump.Dump;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests groups nested far deeper than a thread's stack allows, the last of which contains the root
 * group.
 */
@Campaign
final class DeepNestingTest {

  private static final int DEPTH = 20_000;
  private static final long SMALL_STACK_BYTES = 256 << 10;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void createFile() {
    file = folder.resolve("deep.h5");
    create(file, DEPTH);
  }

  private static void create(Path file, int depth) {
    try (H5File created = Hdf5.create(file)) {
      long innermost = created.root().token().address();
      for (int i = 0; i < depth; i++) {
        try (Group outer = group(created, innermost);
            Group inner = outer.createGroup("g")) {
          innermost = inner.token().address();
        }
      }
      try (Group last = group(created, innermost)) {
        last.createDataset("d", new int[] {1, 2, 3}).close();
        last.createHardLink("circle", "/");
      }
    }
  }

  private static Group group(H5File file, long token) {
    return (Group) file.objectOf(new ObjectToken(token));
  }

  @Test
  void deeplyNestedGroupsAreRepacked() throws Exception {
    Path copy = folder.resolve("copy.h5");
    onASmallStack(() -> {
      try (H5File source = Hdf5.open(file);
          H5File target = Hdf5.create(copy, RepackPlan.AS_IS.creation(source.info().creation()))) {
        new Repack(source, target, RepackPlan.AS_IS, RepackListener.SILENT).run();
      }
    });
    assertThat(Files.size(copy)).isGreaterThan(DEPTH * 50L);
    long[] lines = {0};
    onASmallStack(() -> lines[0] = dump(copy, "-H"));
    assertThat(lines[0]).isGreaterThan(2L * DEPTH);
  }

  @Test
  void deeplyNestedGroupsAreDumped() throws Exception {
    long[] lines = {0};
    onASmallStack(() -> lines[0] = dump(file));
    assertThat(lines[0]).isGreaterThan(2L * DEPTH);
  }

  @Test
  void deeplyNestedGroupsAreListed() throws Exception {
    Path shallower = folder.resolve("shallower.h5"); // a list of paths grows with the square
    create(shallower, DEPTH / 10);
    long[] lines = {0};
    onASmallStack(() -> lines[0] = dump(shallower, "-n"));
    assertThat(lines[0]).isGreaterThan(DEPTH / 10);
  }

  private static long dump(Path file, String... options) {
    LineCount lines = new LineCount();
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(file.toString());
    PrintStream errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    assertThat(new Dump(Hdf5::open, errors).run(arguments, lines)).isZero();
    return lines.count;
  }

  private static void onASmallStack(Runnable action) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, action, "small stack", SMALL_STACK_BYTES);
    thread.setUncaughtExceptionHandler((where, thrown) -> failure.set(thrown));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
  }

  /** Counts lines and keeps nothing. */
  private static final class LineCount implements Appendable {
    private long count;

    @Override
    public Appendable append(CharSequence text) {
      count += text.chars().filter(c -> c == '\n').count();
      return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      return append(text.subSequence(start, end));
    }

    @Override
    public Appendable append(char c) {
      return append(String.valueOf(c));
    }
  }
}
