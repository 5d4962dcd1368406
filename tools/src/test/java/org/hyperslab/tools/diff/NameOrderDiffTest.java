package org.hyperslab.tools.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code diff} finds the members of one name in both files, whatever its bytes. */
final class NameOrderDiffTest {

  @TempDir Path folder;

  @Test
  void namesThatAreNotUtf8AreFoundInBothFiles() {
    Path more = folder.resolve("more.h5");
    Path less = folder.resolve("less.h5");
    // 0xe9 alone is Latin-1; it comes after z in HDF5's order.
    Oracle.h5py()
        .run(
            """
            import h5py
            for path, names in (('%s', [b'z', b'\\xe9']), ('%s', [b'\\xe9'])):
                with h5py.File(path, 'w') as f:
                    for name in names:
                        f[name] = [1, 2]
            """
                .formatted(more, less))
        .orFail();
    String theirs = Oracle.program("h5diff").run("-v", more.toString(), less.toString()).output();
    CommandRun ours = CommandRun.of("diff", "-v", more.toString(), less.toString());
    assertThat(marks(ours.out())).isEqualTo(marks(theirs)).hasSize(3);
    assertThat(ours.out()).contains("0 differences found");
  }

  /** Returns in which files the table of members has each, without their names. */
  private static List<String> marks(String output) {
    return output
        .lines()
        .filter(line -> line.matches(" {4}[x ] {6}[x ] {4}/.*"))
        .map(line -> line.substring(0, line.indexOf('/')))
        .toList();
  }
}
