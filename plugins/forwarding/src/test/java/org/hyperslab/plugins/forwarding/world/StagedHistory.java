package org.hyperslab.plugins.forwarding.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.plugins.nativevol.WorldFilesAccess;
import org.hyperslab.testkit.world.WorldDisk;
import org.hyperslab.testkit.world.WorldError;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;

/**
 * A history of a staging server: a few times, clients run random programs, and something of what
 * the seed chooses goes wrong; then all is compared with what was promised.
 */
final class StagedHistory {

  /** The virtual time in which everything ends once no more faults come, in nanoseconds. */
  private static final long ENDS_WITHIN = 400_000_000_000L;

  private static final boolean TRACE = Boolean.getBoolean("hyperslab.world.trace");
  private static final long MILLI = 1_000_000;

  private final StagedWorld staged;
  private final Ledger ledger;
  private final RandomGenerator random;
  private final Trouble trouble;
  private final List<String> files = new ArrayList<>();

  /** What goes wrong in a history. */
  enum Trouble {
    NONE,
    CUTS,
    KILL,
    POWER,
    CLIENTS,
    FULL,
    ERRORS,
    SLOW
  }

  StagedHistory(long seed) {
    this(new StagedWorld(seed));
  }

  StagedHistory(StagedWorld staged) {
    this.staged = staged;
    this.random = staged.world().random();
    this.trouble = Trouble.values()[random.nextInt(Trouble.values().length)];
    this.ledger = new Ledger(trouble == Trouble.FULL || trouble == Trouble.ERRORS);
  }

  Trouble trouble() {
    return trouble;
  }

  StagedWorld staged() {
    return staged;
  }

  /** Runs the history. */
  void run() {
    staged.run(this::program);
  }

  private void program() {
    staged.start();
    prepare();
    int epochs = 1 + random.nextInt(3);
    for (int epoch = 1; epoch <= epochs; epoch++) {
      boolean crashed = epoch(epoch);
      staged.world().within(ENDS_WITHIN);
      audit(crashed);
      staged.world().within(Long.MAX_VALUE / 2);
    }
    staged.world().within(ENDS_WITHIN);
    requireIdle();
    staged.stop();
    atRest();
  }

  /** Makes the files that clients share, durable by their closing. */
  private void prepare() {
    int count = 1 + random.nextInt(2);
    inClient(
        "maker",
        program -> {
          for (int i = 0; i < count; i++) {
            String name = "f" + i + ".h5";
            files.add(name);
            program.create(name).close();
            ledger.file(name, true);
          }
        });
  }

  /** A program of a client. */
  private interface Program {
    void run(Session session);
  }

  private void inClient(String name, Program program) {
    WorldProcess client = staged.process(name);
    CompletableFuture<Void> done = new CompletableFuture<>();
    client.start(
        "program",
        () -> {
          Connector connector = staged.connect(client, "");
          try (Session session = Hdf5.session(connector)) {
            program.run(session);
          }
          connector.close();
          done.complete(null);
        });
    done.join();
  }

  /** Lets clients run while something goes wrong; returns whether the server has crashed. */
  private boolean epoch(int epoch) {
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 3);
    int steps = 3 + random.nextInt(22);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    List<WorldProcess> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      WorldProcess process = staged.process("client" + i + "." + epoch);
      String file = files.get(random.nextInt(files.size()));
      RandomClient client =
          new RandomClient(
              staged,
              process,
              ledger,
              i,
              epoch,
              file,
              trouble == Trouble.NONE || trouble == Trouble.SLOW);
      CompletableFuture<Void> end = new CompletableFuture<>();
      process.atDeath(() -> end.complete(null));
      clients.add(process);
      ends.add(end);
      process.start(
          "program",
          () -> {
            client.run(steps);
            end.complete(null);
          });
    }
    boolean crashed = disturb(clients);
    staged.disk().fail(WorldDisk.Fault.NONE, 0);
    staged.disk().free(Long.MAX_VALUE);
    if (crashed) {
      restart();
    }
    staged.world().within(ENDS_WITHIN);
    ends.forEach(CompletableFuture::join);
    return crashed;
  }

  /** Starts the server again, while clients of the last one may still try to reach it. */
  private void restart() {
    staged.world().pause(random.nextLong(moment()));
    staged.start();
    if (TRACE) {
      System.err.println("recovered " + staged.server().recovered());
    }
  }

  private long moment() {
    return MILLI << random.nextInt(8);
  }

  private boolean disturb(List<WorldProcess> clients) {
    WorldDisk disk = staged.disk();
    staged.world().pause(random.nextLong(moment()));
    switch (trouble) {
      case NONE -> {}
      case SLOW -> staged.wires().slow(MILLI << random.nextInt(12));
      case CUTS -> {
        for (int i = random.nextInt(5); i >= 0; i--) {
          staged.wires().cutOne();
          staged.world().pause(random.nextLong(moment()));
        }
      }
      case KILL -> {
        staged.kill();
        return true;
      }
      case POWER -> {
        staged.powerCut();
        return true;
      }
      case CLIENTS -> {
        for (WorldProcess client : clients) {
          if (random.nextBoolean()) {
            client.kill();
            staged.world().pause(random.nextLong(moment()));
          }
        }
      }
      case FULL -> disk.free(random.nextLong(1L << (8 + random.nextInt(10))));
      case ERRORS ->
          disk.fail(
              random.nextBoolean() ? WorldDisk.Fault.WRITE : WorldDisk.Fault.FORCE,
              random.nextInt(8));
    }
    if (trouble == Trouble.FULL || trouble == Trouble.ERRORS) {
      staged.world().pause(random.nextLong(moment()));
      disk.fail(WorldDisk.Fault.NONE, 0);
      disk.free(Long.MAX_VALUE);
      if (random.nextBoolean()) {
        staged.powerCut();
        return true;
      }
    }
    return false;
  }

  /** Compares what the server shows with what was promised, and continues from there. */
  private void audit(boolean crashed) {
    boolean storageFailed = trouble == Trouble.FULL || trouble == Trouble.ERRORS;
    staged.disk().evict(); // what is read from here on is on the disk
    Ledger.Rule rule = crashed || storageFailed ? Ledger.Rule.DURABLE : Ledger.Rule.APPLIED;
    Object reader = new Object();
    long since = ledger.now();
    inClient(
        "auditor",
        program -> {
          ledger
              .files()
              .forEach((name, durable) -> audit(program, name, durable, rule, since, reader));
        });
  }

  private void audit(
      Session program, String name, boolean durable, Ledger.Rule rule, long since, Object reader) {
    boolean mustExist = durable;
    try (H5File file = program.open(name)) {
      compare(file, name, rule, since, reader, true);
    } catch (NotFoundException absent) {
      if (mustExist) {
        throw new WorldError("file " + name + " is lost", absent);
      }
    } catch (HyperslabException unreadable) {
      if (mustExist) {
        throw new WorldError("file " + name + " cannot be read", unreadable);
      }
    }
  }

  private void compare(
      H5File file, String name, Ledger.Rule rule, long since, Object reader, boolean settles) {
    for (Ledger.Thing thing : ledger.thingsOf(name)) {
      int[] values = Reader.read(file, thing);
      String wrong = ledger.judge(thing, values, rule, since, reader);
      if (wrong != null) {
        throw new WorldError("auditor finds " + wrong);
      }
      if (settles && !thing.events.isEmpty()) {
        ledger.settle(thing, values, reader);
      }
    }
  }

  /** Requires that nothing is left of the clients that have gone. */
  private void requireIdle() {
    boolean idle =
        staged
            .world()
            .awaits(
                () -> staged.server().status().contains("memory granted 0 of"), 120_000 * MILLI);
    if (!idle) {
      throw new WorldError("grants do not return:\n" + staged.server().status());
    }
  }

  /** Compares the files, which no program has open, with what was promised. */
  private void atRest() {
    long since = ledger.now();
    Object reader = new Object();
    List<String> journals = staged.disk().paths(".journal");
    if (!journals.isEmpty()) {
      throw new WorldError("journals are left: " + journals);
    }
    try (Connector direct = WorldFilesAccess.create();
        Session session = Hdf5.session(direct)) {
      ledger
          .files()
          .forEach((name, durable) -> {
            String path = staged.disk().root() + "/root/" + name;
            if (durable || session.exists(path)) {
              try (H5File file = session.open(path)) {
                compare(file, name, Ledger.Rule.DURABLE, since, reader, false);
              }
            }
          });
    }
  }
}
