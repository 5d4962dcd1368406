package org.hyperslab.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.StorageException;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the measurement of the levels of a machine. */
final class PingPongTest {

  @TempDir Path folder;

  @Test
  void measuresOnceAndKeepsTheFigures() {
    Path kept = folder.resolve("cache/machine.properties");
    Machine machine = Machine.oneSwitch("test", 2, 2);
    AtomicInteger readings = new AtomicInteger();
    // A clock on which a turn of any length takes 1000 ns.
    PingPong measurement = new PingPong(kept, () -> readings.incrementAndGet() * 1000L);
    Machine[] measured = new Machine[4];
    ThreadWorld.run(
        4, world -> measured[world.rank()] = measurement.agreed(world, RankMap.bySlot(machine, 4)));
    assertThat(measured[3].levels()).isEqualTo(measured[0].levels());
    assertThat(measured[0].levels()).extracting(Level::latencyNanos).containsExactly(500.0, 250.0);
    assertThat(kept).content().contains("test/4/node").contains("test/4/switch");
    int before = readings.get();
    ThreadWorld.run(
        4,
        world -> {
          Machine again = measurement.agreed(world, RankMap.bySlot(machine, 4));
          assertThat(again.levels()).isEqualTo(measured[0].levels());
        });
    assertThat(readings.get()).isEqualTo(before).isPositive();
  }

  @Test
  void realMessagesHavePositiveFigures() {
    PingPong measurement = new PingPong(folder.resolve("real.properties"), System::nanoTime);
    ThreadWorld.run(
        2,
        world -> {
          RankMap ranks = RankMap.bySlot(Machine.oneSwitch("real", 1, 2), 2);
          Level level = measurement.agreed(world, ranks).levels().getFirst();
          assertThat(level.latencyNanos()).isPositive();
          assertThat(level.bytesPerSecond()).isPositive();
        });
  }

  @Test
  void unwritableFolderFailsOnAllRanks() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    PingPong measurement = new PingPong(file.resolve("machine.properties"), System::nanoTime);
    ThreadWorld.run(
        2,
        world ->
            assertThatThrownBy(() ->
                    measurement.agreed(world, RankMap.bySlot(Machine.oneSwitch("real", 1, 2), 2)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("machine.properties"));
  }
}
