package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that random programs on one to five ranks leave a file with the content that a sequential
 * model predicts.
 */
final class MpiFileRandomTest {

  private static final List<String> HINTS =
      List.of(
          "",
          "sharedfp=lockedfile",
          "sharedfp=addproc",
          "progress=wait",
          "hyperslab_requests=io_uring",
          "hyperslab_requests=io_uring progress=wait hyperslab_shared_memory=disable"
              + " romio_cb_write=enable romio_cb_read=enable cb_buffer_size=500",
          "romio_ds_write=enable ind_wr_buffer_size=100 romio_ds_read=enable ind_rd_buffer_size=64",
          "cb_buffer_size=128 romio_cb_write=enable romio_cb_read=enable cb_nodes=2",
          "hyperslab_collective=view hyperslab_shared_memory=disable cb_buffer_size=1000",
          "romio_cb_write=enable romio_cb_read=enable cb_nodes=2 hyperslab_assignment=reversed",
          "hyperslab_collective=view hyperslab_shared_memory=disable"
              + " hyperslab_assignment=reversed");

  private static final Set<AccessMode> MODES = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);

  @TempDir Path folder;

  @Test
  void randomProgramsMatchTheModel() {
    Seeds.runFixed(
        Effort.times(36, 72),
        random -> {
          long seed = random.nextLong();
          int ranks = 1 + random.nextInt(5);
          Hints hints = Hints.parse(HINTS.get(random.nextInt(HINTS.size())));
          Path path = folder.resolve("file" + seed);
          ThreadWorld.of(ranks)
              .withTimeLimit(Duration.ofMinutes(5))
              .run(comm -> {
                FileModel model;
                try (MpiFile file = MpiFile.open(comm, path, MODES, hints)) {
                  model = new RandomProgram(comm, file, seed).watching(path).run(50);
                }
                assertThat(Files.readAllBytes(path)).isEqualTo(model.content());
              });
          assertThat(onlyFile(path)).isTrue();
        });
  }

  private static boolean onlyFile(Path path) {
    try (var files = Files.list(path.getParent())) {
      Files.delete(path);
      return files.noneMatch(f -> f.getFileName().toString().startsWith("."));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
