package org.hyperslab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the detection of this machine from the kernel and hwloc. */
final class ThisMachineTest {

  @TempDir Path folder;

  @Test
  void detectsProcessorsOfThisMachine() {
    Machine machine = ThisMachine.detect();
    assertThat(machine.nodes()).isEqualTo(1);
    assertThat(machine.processors())
        .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void readsPackagesCoresAndThreadsBelowSys() throws IOException {
    for (int cpu = 0; cpu < 16; cpu++) {
      cpu(cpu, cpu / 4 % 2, cpu % 4);
    }
    online("0-7,8-15");
    NodeShape shape = ThisMachine.detect(folder, 3).node();
    assertThat(shape.parts())
        .extracting(part -> part.arity() + " " + part.level().name())
        .containsExactly("2 core", "4 package", "2 node");
    online("0-6");
    assertThat(ThisMachine.detect(folder, 3).node().parts())
        .extracting(NodeShape.Part::arity)
        .containsExactly(7);
    online("zero");
    assertThat(ThisMachine.detect(folder, 3).processors()).isEqualTo(3);
  }

  private void online(String ranges) throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("cpu")).resolve("online"), ranges + "\n");
  }

  private void cpu(int cpu, int inPackage, int core) throws IOException {
    Path topology = Files.createDirectories(folder.resolve("cpu/cpu" + cpu + "/topology"));
    Files.writeString(topology.resolve("physical_package_id"), inPackage + "\n");
    Files.writeString(topology.resolve("core_id"), core + "\n");
  }

  @Test
  void readsTheOutputOfHwloc() throws IOException {
    String pu = "<object type='PU'/>";
    String core = "<object type='Core'><info name='a'/>" + pu + pu + "</object>";
    String cache = "<object type='L3Cache'>" + core + core + core + "</object>";
    String one = "<object type='Package'><object type='NUMANode'/>" + cache + cache + "</object>";
    assertThat(shape("<object type='Machine'>" + one + one + "</object>"))
        .containsExactly("2 core", "3 l3cache", "2 package", "2 node");
    String less = "<object type='Package'>" + core + "</object>";
    assertThat(shape("<object type='Machine'>" + one + less + "</object>"))
        .containsExactly("14 node");
  }

  private List<String> shape(String objects) throws IOException {
    return ThisMachine.ofHwloc(xml("<topology version='2.0'>" + objects + "</topology>"))
        .node()
        .parts()
        .stream()
        .map(part -> part.arity() + " " + part.level().name())
        .toList();
  }

  private Path xml(String text) throws IOException {
    return Files.writeString(
        folder.resolve("node.xml"),
        "<?xml version='1.0'?>\n<!DOCTYPE topology SYSTEM 'hwloc2.dtd'>\n" + text);
  }

  @Test
  void refusesXmlThatIsNotHwlocs() throws IOException {
    assertThatThrownBy(() -> ThisMachine.ofHwloc(xml("<topology><object type='PU'>")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("node.xml");
    assertThatThrownBy(() -> ThisMachine.ofHwloc(xml("<topology/>")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("no object of type PU");
    assertThatThrownBy(() -> ThisMachine.ofHwloc(xml("<topology><object/></topology>")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("line 3");
    String deep = "<object type='Group'>".repeat(100);
    assertThatThrownBy(() -> ThisMachine.ofHwloc(xml("<topology>" + deep)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("depth");
    assertThatThrownBy(() -> ThisMachine.ofHwloc(folder.resolve("none.xml")))
        .isInstanceOf(StorageException.class);
  }
}
