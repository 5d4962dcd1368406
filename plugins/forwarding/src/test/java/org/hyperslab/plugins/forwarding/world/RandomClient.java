package org.hyperslab.plugins.forwarding.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.testkit.world.WorldError;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;

/**
 * A client that carries out a random program over the public interface, and tells the ledger what
 * it does and is told.
 */
final class RandomClient {

  private static final List<String> LEVELS = List.of("received", "applied", "durable");

  private final StagedWorld staged;
  private final WorldProcess process;
  private final Ledger ledger;
  private final RandomGenerator random;
  private final int number;
  private final int epoch;
  private final boolean faultless;
  private final String file;
  private final String level;
  private final Object session = new Object();
  private final List<Pending> pending = new ArrayList<>();
  private final Map<String, Dataset> kept = new HashMap<>();
  private H5File open;
  private int names;
  private boolean failsLater;

  private record Pending(CompletableFuture<Void> future, Ledger.Event event, boolean durable) {}

  RandomClient(
      StagedWorld staged,
      WorldProcess process,
      Ledger ledger,
      int number,
      int epoch,
      String file,
      boolean faultless) {
    this.staged = staged;
    this.process = process;
    this.ledger = ledger;
    this.random = staged.world().random();
    this.number = number;
    this.epoch = epoch;
    this.file = file;
    this.faultless = faultless;
    this.level = LEVELS.get(random.nextInt(LEVELS.size()));
  }

  /** Runs the program; a failure that a fault may cause ends it early. */
  void run(int steps) {
    Connector connector = null;
    try {
      connector = staged.connect(process, "acknowledge=" + level + extra());
      try (Session program = Hdf5.session(connector)) {
        program(program, steps);
      }
    } catch (HyperslabException failure) {
      if (faultless) {
        throw new WorldError(this + " failed without a fault", failure);
      }
    } finally {
      if (connector != null) {
        connector.close();
      }
    }
  }

  private String extra() {
    return random.nextInt(4) == 0 ? " window=1M" : "";
  }

  private void program(Session program, int steps) {
    open = program.openForEdit(file);
    try {
      for (int i = 0; i < steps; i++) {
        step(program);
      }
      settle();
    } finally {
      close();
    }
  }

  private void step(Session program) {
    switch (random.nextInt(14)) {
      case 0, 1 -> create();
      case 2, 3, 4 -> write();
      case 5, 6 -> read();
      case 7 -> attribute();
      case 8 -> flush();
      case 9 -> settle();
      case 10 -> delete();
      case 11 -> refused();
      case 12 -> {
        if (random.nextInt(3) == 0) {
          close();
          open = program.openForEdit(file);
        } else {
          raw();
        }
      }
      default -> {
        if (random.nextInt(3) == 0) {
          another(program);
        } else {
          staged.world().pause(random.nextLong(5_000_000));
        }
      }
    }
  }

  private List<Ledger.Thing> mine(boolean attributes) {
    return ledger.thingsOf(file).stream()
        .filter(thing -> thing.owner == number && !thing.isDeleted())
        .filter(thing -> (thing.attribute != null) == attributes)
        .toList();
  }

  private Ledger.Thing any(List<Ledger.Thing> of) {
    return of.isEmpty() ? null : of.get(random.nextInt(of.size()));
  }

  private int value() {
    return (int) ledger.now() + 1_000_000 * (number + 1);
  }

  /** Carries out a change, and records what became of it. */
  private void record(Ledger.Event event, Runnable change, boolean durable) {
    try {
      change.run();
      event.done(!level.equals("received") || event.deletes, durable);
    } catch (HyperslabException failure) {
      event.fail();
      unexpected(failure);
    }
  }

  private void unexpected(HyperslabException failure) {
    if (faultless) {
      throw new WorldError(this + " was refused what it may do", failure);
    }
    throw failure;
  }

  private boolean isDurable() {
    return level.equals("durable");
  }

  private void create() {
    int length = random.nextInt(6) == 0 ? 20_000 : 1 + random.nextInt(24);
    String path = "d" + number + "." + epoch + "." + ++names;
    Ledger.Thing made = ledger.thing(file, path, null, number, length);
    int value = value();
    Ledger.Event creation = ledger.event(made, 0, length, 0, session);
    Ledger.Event written =
        random.nextBoolean() ? ledger.event(made, 0, length, value, session) : null;
    DatasetOptions options = options(length);
    try {
      if (written == null) {
        open.datasetBuilder(path)
            .type(Datatypes.NATIVE_INT)
            .shape(length)
            .options(options)
            .create();
      } else {
        open.datasetBuilder(path).value(Ledger.filled(length, value)).options(options).create();
      }
      creation.done(true, isDurable());
      if (written != null) {
        written.done(!level.equals("received"), isDurable());
      }
    } catch (HyperslabException failure) {
      creation.fail();
      if (written != null) {
        written.fail();
      }
      unexpected(failure);
    }
  }

  private DatasetOptions options(int length) {
    return switch (random.nextInt(5)) {
      case 0 -> DatasetOptions.chunked(Math.min(length, 1 + random.nextInt(16))).build();
      case 1 -> DatasetOptions.chunked(Math.min(length, 8)).deflate(1).build();
      case 2 ->
          length < 100
              ? DatasetOptions.builder().layout(new Layout.Compact()).build()
              : DatasetOptions.DEFAULT;
      case 3 -> DatasetOptions.builder().allocationTime(AllocationTime.EARLY).build();
      default -> DatasetOptions.DEFAULT;
    };
  }

  private void write() {
    Ledger.Thing thing = any(mine(false));
    if (thing == null) {
      return;
    }
    int low = random.nextInt(thing.length);
    int high = low + 1 + random.nextInt(thing.length - low);
    int value = value();
    Selection part = Selection.box(new long[] {low}, new long[] {high - low});
    String own = LEVELS.get(random.nextInt(LEVELS.size()));
    boolean durable = own.equals("durable");
    TransferOptions options = TransferOptions.builder().property("acknowledge", own).build();
    Dataset dataset = dataset(thing.path);
    Ledger.Event event = ledger.event(thing, low, high, value, session);
    CompletableFuture<Void> future =
        dataset.writeAsync(part, Ledger.filled(high - low, value), options);
    Pending sent = new Pending(future, event, durable);
    if (random.nextBoolean()) {
      pending.add(sent);
    } else {
      answered(sent, !own.equals("received"));
    }
  }

  /** {@return a dataset, which stays open while the file is, as in most programs} */
  private Dataset dataset(String path) {
    return random.nextBoolean() ? open.dataset(path) : kept.computeIfAbsent(path, open::dataset);
  }

  private void answered(Pending sent, boolean applied) {
    try {
      sent.future.join();
      sent.event.done(applied, sent.durable);
    } catch (CompletionException failure) {
      sent.event.fail();
      if (failure.getCause() instanceof HyperslabException typed) {
        unexpected(typed);
      }
      throw failure;
    }
  }

  /** Waits for the writes that were started. */
  private void settle() {
    while (!pending.isEmpty()) {
      Pending first = pending.removeFirst();
      answered(first, first.durable);
    }
  }

  private void read() {
    Ledger.Thing thing =
        any(ledger.thingsOf(file).stream().filter(t -> t.attribute == null).toList());
    if (thing == null) {
      return;
    }
    long since = ledger.now();
    int[] values;
    try {
      values = open.dataset(thing.path).readInts();
    } catch (NotFoundException absent) {
      values = null;
    }
    require(ledger.judge(thing, values, Ledger.Rule.APPLIED, since, session));
  }

  private void attribute() {
    Ledger.Thing known = any(mine(true));
    if (known != null && random.nextInt(3) == 0) {
      long since = ledger.now();
      int[] values = Reader.attribute(open, known.attribute);
      require(ledger.judge(known, values, Ledger.Rule.APPLIED, since, session));
      return;
    }
    Ledger.Thing thing =
        known != null && random.nextInt(3) > 0
            ? known
            : ledger.thing(file, "/", "a" + number + "." + epoch + "." + ++names, number, 1);
    int value = value();
    Ledger.Event event = ledger.event(thing, 0, 1, value, session);
    record(event, () -> open.setAttribute(thing.attribute, value), isDurable());
  }

  private void delete() {
    Ledger.Thing thing = any(mine(false));
    if (thing == null || random.nextInt(3) > 0) {
      return;
    }
    settle();
    Ledger.Event event = ledger.deletion(thing, session);
    record(event, () -> open.delete(thing.path), isDurable());
  }

  private void flush() {
    long since = ledger.now();
    finish(() -> open.flush(), since);
  }

  /** Flushes or closes; a failure of an earlier write, which was not told, may be told now. */
  private void finish(Runnable flush, long since) {
    try {
      flush.run();
    } catch (HyperslabException late) {
      if (!faultless) { // what was not flushed before may be lost, as the documents say
        ledger.doubt(file, session);
      }
      if (!failsLater) {
        unexpected(late);
      }
      failsLater = false;
      return;
    }
    failsLater = false;
    ledger.flushed(file, session, since);
  }

  private void close() {
    if (open == null) {
      return;
    }
    H5File closing = open;
    open = null;
    kept.clear();
    long since = ledger.now();
    finish(closing::close, since);
  }

  /** Asks for what must fail, and for nothing else. */
  private void refused() {
    try {
      switch (random.nextInt(3)) {
        case 0 -> open.dataset("nowhere").readInts();
        case 1 -> open.delete("nowhere");
        default -> {
          Ledger.Thing thing = any(mine(false));
          if (thing == null) {
            return;
          }
          open.createDataset(thing.path, new int[1]);
        }
      }
    } catch (HyperslabException expected) {
      return;
    }
    throw new WorldError(this + ": an operation that must fail did not");
  }

  /** Writes to a dataset whose raw file cannot be made. */
  private void raw() {
    Layout outside =
        new Layout.External(List.of(new Layout.External.Segment("no/folder/x.raw", 0, 32)));
    String path = "e" + number + "." + epoch + "." + ++names;
    Dataset made =
        open.datasetBuilder(path)
            .type(Datatypes.NATIVE_INT)
            .shape(8)
            .options(DatasetOptions.builder().layout(outside).build())
            .create();
    CompletableFuture<Void> fails = made.writeAsync(new int[8]);
    if (random.nextBoolean()) {
      failsLater = true;
      flush();
      failsLater = true;
    }
    boolean mayBeTold = level.equals("received");
    try {
      fails.join();
      failsLater = true;
      if (!mayBeTold) {
        throw new WorldError(this + ": a write without a place was acknowledged as " + level);
      }
    } catch (CompletionException expected) {
      failsLater = true;
    }
  }

  /** Makes a file of its own. */
  private void another(Session program) {
    String name = "own" + number + "." + epoch + "." + ++names + ".h5";
    ledger.file(name, false);
    int value = value();
    Ledger.Thing thing = ledger.thing(name, "x", null, number, 4);
    Ledger.Event creation = ledger.event(thing, 0, 4, 0, session);
    Ledger.Event written = ledger.event(thing, 0, 4, value, session);
    try (H5File made = program.create(name)) {
      ledger.file(name, isDurable());
      made.createDataset("x", Ledger.filled(4, value));
      creation.done(true, isDurable());
      written.done(!level.equals("received"), isDurable());
    }
    ledger.flushed(name, session, ledger.now());
  }

  private void require(String wrong) {
    if (wrong != null) {
      throw new WorldError(this + " reads " + wrong);
    }
  }

  @Override
  public String toString() {
    return "client " + number + " (" + level + ") " + Map.of("epoch", epoch);
  }
}
