package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.nativevol.WorldFilesAccess;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldDisk;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.Test;

/** What a flush or a close has promised is there after a power cut, whatever else is lost. */
class ClosedIsDurableTest {

  private static final int SEEDS = 30;

  @Test
  void theNameOfNewFileSurvives() {
    afterPowerCut(
        (session, name) -> {
          H5File file = session.create(name);
          file.createDataset("x", 7);
          file.flush();
        },
        file -> assertThat(file.dataset("x").readInt()).isEqualTo(7));
  }

  @Test
  void closingIsFlushedThoughOthersHaveTheFileOpen() {
    afterPowerCut(
        (session, name) -> {
          session.create(name).close();
          H5File other = session.openForEdit(name);
          try (H5File file = session.openForEdit(name)) {
            file.createDataset("x", 7);
          }
          assertThat(other.dataset("x").readInt()).isEqualTo(7);
        },
        file -> assertThat(file.dataset("x").readInt()).isEqualTo(7));
  }

  @Test
  void closingSaysThatEditsAreLost() {
    World world = new World(1);
    try (WorldDisk disk = new WorldDisk(world)) {
      world.run(
          world.process("program"),
          () -> {
            try (Connector connector = WorldFilesAccess.create();
                Session session = Hdf5.session(connector)) {
              String name = disk.root() + "/a.h5";
              session.create(name).close();
              H5File first = session.openForEdit(name);
              H5File second = session.openForEdit(name);
              first.createDataset("x", 7);
              disk.fail(WorldDisk.Fault.FORCE, 1); // when the flush is decided, but not applied
              assertThatThrownBy(second::flush).isInstanceOf(StorageException.class);
              disk.fail(WorldDisk.Fault.NONE, 0);
              assertThatThrownBy(first::close).isInstanceOf(HyperslabException.class);
              assertThatThrownBy(second::close).isInstanceOf(HyperslabException.class);
            }
          });
    }
  }

  @Test
  void fileIsWholeThoughMemoryShowedWhatAForceHadLost() {
    for (int after = 0; after < 8; after++) {
      World world = new World(after);
      try (WorldDisk disk = new WorldDisk(world)) {
        int failing = after;
        world.run(world.process("program"), () -> editedWithAFailingForce(disk, failing));
      }
    }
  }

  private static void editedWithAFailingForce(WorldDisk disk, int after) {
    try (Connector connector = WorldFilesAccess.create();
        Session session = Hdf5.session(connector)) {
      String name = disk.root() + "/a.h5";
      try (H5File file = session.create(name)) {
        file.createDataset("x", 7);
      }
      H5File edited = session.openForEdit(name);
      edited.root().setAttribute("a", 1);
      disk.fail(WorldDisk.Fault.FORCE, after);
      try {
        edited.close();
      } catch (StorageException failed) {
        assertThat(failed).hasMessageContaining("force");
      }
      disk.fail(WorldDisk.Fault.NONE, 0);
      session.openForEdit(name).close();
      disk.evict();
      try (H5File file = session.open(name)) {
        assertThat(file.dataset("x").readInt()).as("force " + after).isEqualTo(7);
      }
    }
  }

  /** What a program does before the power fails. */
  private interface Program {
    void run(Session session, String name);
  }

  private static void afterPowerCut(Program program, Consumer<H5File> judge) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = new World(seed);
      try (WorldDisk disk = new WorldDisk(world)) {
        String name = disk.root() + "/a.h5";
        WorldProcess killed = world.process("killed");
        world.run(killed, () -> program.run(Hdf5.session(WorldFilesAccess.create()), name));
        killed.kill();
        disk.powerCut();
        world.run(
            world.process("reader"),
            () -> {
              try (Connector connector = WorldFilesAccess.create();
                  Session session = Hdf5.session(connector);
                  H5File file = session.open(name)) {
                judge.accept(file);
              }
            });
      }
    }
  }
}
