package org.hyperslab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;

/** Tests machines: the figures of the papers, distances to I/O nodes, and the load of links. */
final class MachineTest {

  @Test
  void miraMatchesTheTapiocaPaper() {
    Machine mira = MachineDescription.ready("mira");
    assertThat(mira.nodes()).isEqualTo(49_152);
    assertThat(mira.processorsPerNode()).isEqualTo(16);
    assertThat(mira.ioNodes()).hasSize(49_152 / 128);
    assertThat(mira.bytesPerSecond(0, 16)).isEqualTo(1.8e9);
    int last = mira.processors() - 1;
    assertThat(mira.ioNodeOf(last)).hasValue(383);
    assertThat(mira.hopsToIoNode(0, 0)).isEqualTo(1);
    assertThat(mira.hopsToIoNode(16, 0)).isEqualTo(2);
    assertThat(mira.storage().bytesPerSecond() * 32).isEqualTo(89.6e9);
    assertThat(mira.coordinates(last)).containsExactly(7, 11, 15, 15, 1, 15);
  }

  @Test
  void thetaMatchesTheTapiocaPaper() {
    Machine theta = MachineDescription.ready("theta");
    assertThat(theta.nodes()).isEqualTo(864 * 4);
    assertThat(theta.ioNodes()).isEmpty();
    assertThat(theta.storage().count()).isEqualTo(56);
    int far = 0;
    for (int node = 0; node < theta.nodes(); node++) {
      far = Math.max(far, theta.hops(0, node * theta.processorsPerNode()));
    }
    assertThat(far).isEqualTo(3);
    assertThat(theta.bytesPerSecond(0, 68)).isEqualTo(14e9);
    assertThat(theta.bytesPerSecond(0, theta.processors() - 1)).isEqualTo(12.5e9);
  }

  @Test
  void clustersMatchThePapers() {
    Machine crill = MachineDescription.ready("crill");
    assertThat(crill.nodes()).isEqualTo(16);
    assertThat(crill.processorsPerNode()).isEqualTo(48);
    assertThat(crill.bytesPerSecond(0, 11)).isEqualTo(5.8e9);
    assertThat(crill.bytesPerSecond(0, 12)).isEqualTo(3.5e9);
    assertThat(crill.bytesPerSecond(0, 48)).isEqualTo(2.1e9);
    Machine inspur = MachineDescription.ready("inspur");
    assertThat(inspur.nodes()).isEqualTo(80);
    assertThat(inspur.hops(0, 12)).isEqualTo(2);
    assertThat(inspur.hops(0, 20 * 12)).isEqualTo(4);
    assertThat(inspur.bytesPerSecond(0, 20 * 12)).isEqualTo(2.5e9);
    assertThat(MachineDescription.ready("bluelight").nodes()).isEqualTo(8704);
    assertThat(MachineDescription.ready("atlas").nodes()).isEqualTo(92);
  }

  @Test
  void everyPredefinedMachineHasADescription() {
    for (String name : MachineDescription.READY) {
      Machine machine = MachineDescription.ready(name);
      assertThat(machine.describe()).contains(machine.name()).contains("GB/s".substring(1));
      assertThat(machine.levels()).isNotEmpty();
      assertThat(machine.with(machine.levels()).levels()).isEqualTo(machine.levels());
    }
  }

  @Test
  void timesAreLatencyForEachHopAndBytesAtTheBandwidth() {
    Machine machine = Machine.oneSwitch("two", 2, 2);
    assertThat(machine.nanos(0, 0, 1000)).isZero();
    assertThat(machine.nanos(0, 1, 1000)).isEqualTo(500 + 100.0, within(1e-9));
    assertThat(machine.nanos(0, 2, 1000)).isEqualTo(2 * 1000 + 1000.0, within(1e-9));
  }

  @Test
  void timesToIoNodesGoOverTheNearestBridge() {
    Level link = new Level("link", 1e9, 10);
    IoNode io = new IoNode(0, 8, List.of(0, 4), new Level("I/O node", 5e8, 0));
    Machine ring =
        new Machine(
            "ring",
            Network.torus(link, 8),
            NodeShape.flat(1, link, 0),
            List.of(io),
            StorageServers.UNKNOWN);
    assertThat(ring.hopsToIoNode(5, 0)).isEqualTo(2);
    assertThat(ring.nanosToIoNode(5, 0, 1000)).isEqualTo(10 + 2000.0, within(1e-9));
    assertThat(ring.nanosToIoNode(4, 0, 1000)).isEqualTo(2000.0, within(1e-9));
  }

  @Test
  void linkLoadsAreSummedByDirection() {
    RankMap ranks = RankMap.bySlot(Machine.oneSwitch("three", 3, 2), 6);
    TrafficLoad load = new TrafficLoad(ranks);
    load.add(0, 2, 10);
    load.add(1, 4, 5);
    load.add(2, 0, 7);
    load.add(0, 1, 100);
    assertThat(load.hopBytes()).isEqualTo(2 * 22 + 100);
    assertThat(load.bytes()).isEqualTo(122);
    assertThat(load.greatestLinkBytes()).isEqualTo(15);
    assertThat(load.links()).isEqualTo(5);
  }

  @Test
  void ranksAreDistributedByNode() {
    Machine machine = Machine.oneSwitch("four", 4, 3);
    assertThat(RankMap.byNode(machine, 5, 2).toArray()).containsExactly(0, 3, 1, 4, 2);
    assertThatThrownBy(() -> RankMap.byNode(machine, 7, 2))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("7 ranks on 2 nodes");
    assertThatThrownBy(() -> RankMap.bySlot(machine, 13))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("processor: actual=12");
  }

  @Test
  void assignsStripesRoundRobin() {
    StorageServers servers = new StorageServers(4, 100, 0);
    assertThat(servers.serverOf(450)).isZero();
    assertThat(servers.serversOf(350, 450)).containsExactly(0, 3);
    assertThat(servers.serversOf(0, 10_000)).containsExactly(0, 1, 2, 3);
    assertThat(servers.serversOf(5, 5)).isEmpty();
  }
}
