package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests started accesses that wait for each other's locks. */
final class StartedLocksTest {

  /** More than there are threads that execute requests to files. */
  private static final int ACCESSES = 8 + 2 * Runtime.getRuntime().availableProcessors();

  @TempDir private Path folder;

  /**
   * One access holds the lock and needs a thread for its next step; all others wait for the lock.
   */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "io_uring"})
  void moreAtomicAccessesThanThreadsEnd(String requests) throws Exception {
    Path path = folder.resolve("locked");
    Hints hints =
        Hints.parse("hyperslab_deadline=5 romio_ds_write=enable hyperslab_requests=" + requests);
    ThreadWorld.of(1)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (MpiFile file =
                  MpiFile.open(
                      comm, path, Set.of(AccessMode.READ_WRITE, AccessMode.CREATE), hints);
              Arena arena = Arena.ofShared()) {
            file.setAtomic(true);
            MemorySegment ones = arena.allocate(1000).fill((byte) 1);
            DerivedType everyOther = DerivedType.resized(0, 2, DerivedType.BYTE);
            file.setView(FileView.of(0, DerivedType.BYTE, everyOther));
            List<FileRequest> started = new ArrayList<>();
            for (int i = 0; i < ACCESSES; i++) {
              started.add(file.startWriteAt(0, MemoryBuffer.of(ones)));
            }
            started.forEach(FileRequest::await);
          }
        });
    byte[] expected = new byte[1999];
    for (int i = 0; i < expected.length; i += 2) {
      expected[i] = 1;
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(expected);
  }
}
