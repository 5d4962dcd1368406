package org.hyperslab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the parsing of machine descriptions, and their errors with line and field. */
final class MachineDescriptionTest {

  private static final String SOUND =
      """
      # a small machine
      machine name=Small
      network kind=tree latency=2us nodes=7
      tier name=rack arity=4 bandwidth=40Gb/s cables=2
      tier name=root arity=2 bandwidth=512MiB/s latency=5us

      node hops=1
      share name=core arity=2 bandwidth=10GB/s latency=50ns   # two threads
      share name=node arity=4 bandwidth=8GB/s
      ionode nodes=0-3 bridges=1,2 bandwidth=1GB/s
      ionode nodes=4-6 bridges=4 bandwidth=1GB/s
      storage servers=4 stripe=1MiB bandwidth=100MB/s
      """;

  @Test
  void readsEveryKeyword() {
    Machine machine = MachineDescription.parse("small", SOUND);
    assertThat(machine.name()).isEqualTo("Small");
    assertThat(machine.nodes()).isEqualTo(7);
    assertThat(machine.processorsPerNode()).isEqualTo(8);
    assertThat(machine.levels())
        .extracting(Level::name)
        .containsExactly("core", "node", "rack", "root");
    assertThat(machine.levels())
        .extracting(Level::bytesPerSecond)
        .containsExactly(10e9, 8e9, 5e9, 512.0 * (1 << 20));
    assertThat(machine.levels())
        .extracting(Level::latencyNanos)
        .containsExactly(50.0, 0.0, 2000.0, 5000.0);
    assertThat(machine.ioNodeOf(8 * 5)).hasValue(1);
    assertThat(machine.storage()).isEqualTo(new StorageServers(4, 1 << 20, 100e6));
  }

  @Test
  void errorsNameLineAndField() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("arity=4 bandwidth=40Gb/s", "arity=0 bandwidth=40Gb/s|line 4, field arity"),
            Map.entry("bandwidth=40Gb/s", "bandwidth=40Gbs|line 4, field bandwidth"),
            Map.entry("latency=2us", "latency=2|line 3, field latency"),
            Map.entry("kind=tree", "kind=hypercube|line 3"),
            Map.entry("nodes=7", "nodes=9|line 3"),
            Map.entry("name=Small", "name=Small name=Big|line 2, field name"),
            Map.entry("cables=2", "cable=2|line 4, field cable"),
            Map.entry("node hops=1", "node hops=2|line 7, field hops"),
            Map.entry("nodes=4-6", "nodes=4-7|line 11"),
            Map.entry("nodes=0-3", "nodes=3-1|line 10"),
            Map.entry("bridges=1,2", "bridges=1,,2|line 10, field bridges"),
            Map.entry("stripe=1MiB", "stripe=0B|line 12, field stripe"),
            Map.entry("servers=4", "servers=-4|line 12, field servers"),
            Map.entry("# a small machine", "Machine name=A|line 1, keyword"),
            Map.entry("machine name=Small", "|at=small, field machine"),
            Map.entry("node hops=1\n", "node hops=1\nnode hops=1\n|line 8"),
            Map.entry(
                "share name=core arity=2", "share name=core arity=65536|processors of a node"),
            Map.entry("network kind=tree", "network|line 3, field kind"));
    wrong.forEach((sound, change) -> {
      int bar = change.lastIndexOf('|');
      String text = SOUND.replaceFirst(Pattern.quote(sound), change.substring(0, bar));
      assertThatThrownBy(() -> MachineDescription.parse("small", text))
          .as(change)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining(change.substring(bar + 1));
    });
  }

  @Test
  void costsOfMessagesAndRequestsAreRead() {
    Machine machine =
        MachineDescription.parse(
            "costs",
            SOUND.replaceFirst(
                "storage .*",
                "storage servers=4 stripe=1MiB request=2ms seek=4ms lock=1us block=64KiB"
                    + " client=125MB/s\nmessages overhead=1.5us gap=40ns"));
    assertThat(machine.messages()).isEqualTo(new MessageCosts(1500, 40));
    assertThat(machine.storage())
        .isEqualTo(
            new StorageServers(4, 1 << 20, 0, new ServerCosts(2e6, 4e6, 1e3, 1 << 16), 125e6));
    assertThat(machine.ioNodes().getFirst().forwardBytesPerSecond()).isZero();
  }

  @Test
  void impossibleMachineIsRefusedWithLineAndField() {
    Map<String, String> wrong =
        Map.of(
            "bandwidth=1GB/s", "bandwidth=0GB/s|line 2, field bandwidth",
            "forward=3GB/s", "forward=0GB/s|line 4, field forward",
            "overhead=1us", "overhead=-1us|line 5, field overhead",
            "nodes=4-7", "nodes=5-7|actual=no I/O node for node 4, expected=one for each node",
            "nodes=0-3", "nodes=0-4|actual=a second I/O node for node 4, expected=one",
            "stripe=1MiB", "stripe=1MiB client=0B/s|line 7, field client",
            "request=1ms", "request=1|line 7, field request");
    String sound =
        """
        machine name=A
        network kind=torus extents=2x4 bandwidth=1GB/s
        share name=node arity=2 bandwidth=1GB/s
        ionode nodes=0-3 bridges=1 bandwidth=2GB/s forward=3GB/s
        messages overhead=1us
        ionode nodes=4-7 bridges=5 bandwidth=2GB/s
        storage servers=4 stripe=1MiB request=1ms
        """;
    assertThat(MachineDescription.parse("sound", sound).ioNodes().getFirst().bytesPerSecond())
        .as("one link of 2 GB/s")
        .isEqualTo(2e9);
    wrong.forEach((text, change) -> {
      int bar = change.indexOf('|');
      String changed = sound.replaceFirst(Pattern.quote(text), change.substring(0, bar));
      assertThatThrownBy(() -> MachineDescription.parse("wrong", changed))
          .as(change)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining(change.substring(bar + 1));
    });
  }

  @Test
  void onePsetOfMiraPassesOnWhatIsPublished() {
    Machine mira = MachineDescription.ready("mira");
    // 89.6 GB/s of 32 Psets of 128 nodes (TAPIOCA, 2017).
    assertThat(mira.ioNodes()).hasSize(mira.nodes() / 128);
    assertThat(32 * mira.ioNodes().getFirst().bytesPerSecond()).isEqualTo(89.6e9);
  }

  @Test
  void boundsTheTextAndTheNumbers() {
    assertThatThrownBy(() -> MachineDescription.parse("long", "\n".repeat(20_000)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("more than 10000 lines");
    assertThatThrownBy(() -> MachineDescription.parse("wide", "#" + "x".repeat(2000)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("wide, line 1");
    String torus = "machine name=A\nnetwork kind=torus bandwidth=1B/s extents=";
    assertThatThrownBy(() -> MachineDescription.parse("big", torus + "4000000x4000000"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> MachineDescription.parse("many", torus + "2x2x2x2x2x2x2x2x2"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("line 2, field extents");
  }

  @Test
  void damagedTextIsRejectedOrParsed() {
    Seeds.run(Effort.times(300, 20_000), MachineDescriptionTest::damage);
  }

  private static void damage(Random random) {
    StringBuilder text = new StringBuilder(SOUND);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, (char) (' ' + random.nextInt(95)));
        case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(30)));
        default -> text.insert(at, Long.toString(random.nextLong()));
      }
    }
    try {
      assertThat(MachineDescription.parse("damaged", text.toString()).processors()).isPositive();
    } catch (HyperslabException refused) {
      assertThat(refused).isInstanceOf(InvalidUseException.class);
    }
  }

  @Test
  void findsFilesAndPredefinedMachines(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("small.machine"), SOUND);
    assertThat(MachineDescription.find(file.toString()).name()).isEqualTo("Small");
    assertThat(MachineDescription.find("crill").name()).isEqualTo("crill");
    assertThat(MachineDescription.find("this").nodes()).isEqualTo(1);
    assertThatThrownBy(() -> MachineDescription.find("crell"))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("mira, theta, crill");
    assertThatThrownBy(() -> MachineDescription.find("no\0path"))
        .isInstanceOf(NotFoundException.class);
  }
}
