package org.hyperslab.plugins.nativevol.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.store.FaultStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the HDF5 library makes of a file whose writer was killed, after every single change: it
 * refuses the file, or sees what a flush left.
 */
final class UnrecoveredFileTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"EARLIEST", "V110"})
  void theLibraryRefusesItOrSeesAFlush(FormatVersion low) throws Exception {
    FaultStore store = new FaultStore(new MemoryStore("killed"));
    try (TransferResources resources = TransferResources.standard()) {
      FileLoader loader = new FileLoader((from, file, path) -> Optional.empty(), resources);
      write(loader, store, low);
    }
    List<String> seen = new ArrayList<>();
    for (int instant = 0; instant <= store.log().entries().size(); instant++) {
      MemoryStore left = new MemoryStore("left");
      store.log().replayKilled(instant, left);
      Path path = folder.resolve("killed.h5");
      Files.write(path, left.toByteArray());
      String now = groups(path);
      if (seen.isEmpty() || !seen.getLast().equals(now)) {
        seen.add(now);
      }
    }
    assertThat(seen).containsExactly("refused", "15", "refused", "29", "refused", "43");
  }

  private static void write(FileLoader loader, FaultStore store, FormatVersion low) {
    FileObjects objects =
        loader.create(store, CreateOptions.DEFAULT.withBounds(low, FormatVersion.LATEST));
    for (int round = 0; round < 3; round++) {
      int now = round;
      objects
          .file()
          .edit(() -> {
            edit(objects, now);
            return null;
          });
      objects.file().flush();
    }
  }

  private static void edit(FileObjects objects, int round) {
    for (int i = 0; i < 15; i++) {
      long group = objects.groups().create(GroupOptions.DEFAULT);
      String name = "round" + round + "group" + i;
      objects.links().createFirst(objects.root(), name, TextEncoding.ASCII, group);
    }
    if (round > 0) {
      objects.links().delete(objects.root(), "round0group" + round);
    }
  }

  private static String groups(Path file) {
    Oracle.Outcome listed = Oracle.program("h5ls").run(file.toString());
    return listed.exitCode() == 0 ? Long.toString(listed.output().lines().count()) : "refused";
  }
}
