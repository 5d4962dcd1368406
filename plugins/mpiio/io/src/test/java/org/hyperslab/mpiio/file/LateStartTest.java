package org.hyperslab.mpiio.file;

import java.nio.file.Path;
import java.time.Duration;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LateStartTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "2, false, progress=thread",
    "2, false, progress=engine",
    "2, false, progress=wait",
    "2, true, progress=thread",
    "2, true, progress=engine",
    "2, true, progress=wait",
    "3, true, progress=wait romio_cb_write=enable romio_cb_read=enable",
    "5, false, progress=wait romio_cb_write=enable hyperslab_shared_memory=disable",
    "4, true, progress=thread romio_cb_read=enable hyperslab_shared_memory=disable",
    "3, false, progress=wait hyperslab_collective=individual romio_ds_write=enable",
    "3, true, progress=wait hyperslab_collective=individual romio_ds_write=enable",
    "3, false, progress=wait hyperslab_collective=view hyperslab_shared_memory=disable",
    "3, false, progress=thread hyperslab_collective=static hyperslab_shared_memory=disable",
    "2, false, progress=thread hyperslab_requests=io_uring",
    "3, true, progress=wait hyperslab_requests=io_uring romio_cb_write=enable",
    "3, true, progress=wait hyperslab_requests=io_uring hyperslab_collective=individual"
  })
  void testsDoNotWaitForRanksThatStartLater(int ranks, boolean confined, String hints) {
    ThreadWorld.of(ranks)
        .withTimeLimit(Duration.ofSeconds(60))
        .run(comm -> new LateStart(comm, confined).run(folder.resolve("file"), Hints.parse(hints)));
  }
}
