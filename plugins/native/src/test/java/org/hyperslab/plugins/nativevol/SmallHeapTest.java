package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the default size of caches fits the heap of the JVM. */
@Timeout(300)
final class SmallHeapTest {

  @TempDir private Path folder;

  @Test
  void chunksLargerThanTheHeapAreWrittenAndRead() throws Exception {
    Process program =
        new ProcessBuilder(
                ChildJvm.command(64, SmallHeapProgram.class, folder.resolve("table.h5").toString()))
            .redirectErrorStream(true)
            .start();
    String output = new String(program.getInputStream().readAllBytes());
    assertThat(program.waitFor()).as(output).isZero();
    assertThat(output).contains("read 1311 and 42");
  }
}
