package org.hyperslab.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that declared writes are collected by the rank with TAPIOCA's least C1 + C2. */
final class DeclaredElectionTest {

  private static final long[] BYTES = {300_000, 0, 250_000, 250_000};

  @TempDir Path folder;

  /** Two packages of two processors: 10 GB/s within one, 1 GB/s between them. */
  private Path machine() throws Exception {
    return Files.writeString(
        folder.resolve("two.machine"),
        """
        machine name=Two
        network kind=tree
        tier name=switch arity=2 bandwidth=1GB/s
        share name=package arity=2 bandwidth=10GB/s
        share name=node arity=2 bandwidth=1GB/s
        """);
  }

  private String explained(String words) {
    String[] explained = new String[1];
    Hints hints = Hints.parse("cb_nodes=1 hyperslab_deadline=20 " + words);
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    ThreadWorld.run(
        BYTES.length,
        comm -> {
          long offset = 0;
          for (int rank = 0; rank < comm.rank(); rank++) {
            offset += BYTES[rank];
          }
          long mine = BYTES[comm.rank()];
          long[] offsets = mine == 0 ? new long[0] : new long[] {offset};
          long[] lengths = mine == 0 ? new long[0] : new long[] {mine};
          try (Arena arena = Arena.ofConfined();
              MpiFile file = MpiFile.open(comm, folder.resolve("file"), modes, hints);
              DeclaredWrites writes = file.declareWrites(offsets, lengths)) {
            if (comm.rank() == 0) {
              explained[0] = writes.explain();
            }
            if (mine > 0) {
              writes.write(arena.allocate(mine));
            }
          }
        });
    return explained[0];
  }

  @Test
  void partGoesToTheRankThatGathersItInTheLeastTime() throws Exception {
    // C1 of rank 0: 500 KB over 1 GB/s, 500 us. Of rank 2: 250 KB over 10 GB/s and 300 KB over
    // 1 GB/s, 325 us, and so of rank 3, which comes later.
    String rule = "hyperslab_machine=" + machine() + " hyperslab_assignment=";
    assertThat(explained(rule + "tapioca")).contains("aggregators [2], ");
    assertThat(explained("")).as("most bytes, without a machine").contains("aggregators [0], ");
    assertThat(explained(rule + "latp")).as("most bytes").contains("aggregators [0], ");
  }
}
