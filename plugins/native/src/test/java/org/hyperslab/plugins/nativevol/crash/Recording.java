package org.hyperslab.plugins.nativevol.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.ConnectorOver;
import org.hyperslab.testkit.store.CrashImages;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.WriteLog;

/**
 * Records what a workload does to a store (every write, sync and change of length) and the state
 * that each completed flush guarantees.
 *
 * <p>Confined to one thread while it records.
 */
final class Recording {

  /**
   * A completed flush.
   *
   * @param logged the number of changes of the store before it
   * @param state the content of the file
   */
  record Flushed(int logged, State state) {}

  /**
   * The size of a workload.
   *
   * @param sessions the number of times that the file is opened
   * @param flushes the number of flushes in each session, not counting the one of closing
   * @param edits the greatest number of edits between two flushes
   */
  record Amount(int sessions, int flushes, int edits) {}

  private final byte[] before;
  private final UnaryOperator<ByteStore> decorator;
  private final List<WriteLog.Entry> entries = new ArrayList<>();
  private final List<Flushed> flushed = new ArrayList<>();

  private Recording(byte[] before, UnaryOperator<ByteStore> decorator) {
    this.before = before;
    this.decorator = decorator;
  }

  /** Records the creation and the edits of a new file on a decorated store. */
  static Recording ofNewFile(
      Random random, CreateOptions options, Amount amount, UnaryOperator<ByteStore> decorator) {
    Recording recording = new Recording(new byte[0], decorator);
    Workload workload = Workload.ofNewFile(random);
    for (int i = 0; i < amount.sessions; i++) {
      boolean create = i == 0;
      recording.session(
          workload,
          random,
          amount,
          session ->
              create
                  ? session.create("recorded", options)
                  : session.open("recorded", options.access()));
    }
    return recording;
  }

  /** Records the edits of a file that is there. */
  static Recording ofEdits(
      byte[] before,
      Random random,
      OpenOptions options,
      Amount amount,
      UnaryOperator<ByteStore> decorator) {
    Recording recording = new Recording(before, decorator);
    Workload workload = new Workload(random, CutJudge.state(before));
    recording.flushed.add(new Flushed(0, workload.model.flushed()));
    for (int i = 0; i < amount.sessions; i++) {
      recording.session(workload, random, amount, session -> session.open("recorded", options));
    }
    return recording;
  }

  /** The changes that a recovery made between a flush and the next one, of which it is part. */
  static Recording of(
      byte[] before, List<WriteLog.Entry> changes, Flushed last, Flushed recovered) {
    Recording recording = new Recording(before, UnaryOperator.identity());
    recording.entries.addAll(changes);
    recording.flushed.add(new Flushed(0, last.state));
    recording.flushed.add(new Flushed(changes.size(), recovered.state));
    return recording;
  }

  private interface Opening {
    H5File open(Session session);
  }

  private void session(Workload workload, Random random, Amount amount, Opening opening) {
    MemoryStore memory = MemoryStore.copyOf("recorded", image());
    FaultStore store = new FaultStore(memory);
    try (Session session = Hdf5.session(ConnectorOver.store(decorator.apply(store)))) {
      H5File file = opening.open(session);
      for (int flush = 0; flush < amount.flushes; flush++) {
        editAndFlush(file, workload, random, amount.edits);
        completed(store, workload);
      }
      workload.step(file);
      workload.closeObjects();
      file.close();
      completed(store, workload);
    }
    entries.addAll(store.log().entries());
  }

  /** Makes some edits and flushes the file. */
  static void editAndFlush(H5File file, Workload workload, Random random, int edits) {
    // Some flushes find only elements that were overwritten.
    boolean onlyElements = random.nextInt(4) == 0;
    for (int edit = 1 + random.nextInt(edits); edit > 0; edit--) {
      if (onlyElements) {
        workload.write(file);
      } else {
        workload.step(file);
      }
    }
    file.flush();
  }

  private void completed(FaultStore store, Workload workload) {
    int logged = entries.size() + store.log().entries().size();
    flushed.add(new Flushed(logged, workload.model.flushed()));
  }

  /** The bytes as they are after everything. */
  byte[] image() {
    CrashImages images = images();
    images.advance(entries.size());
    return images.killed();
  }

  /** Crashes of it. */
  CrashImages images() {
    return new CrashImages(before, entries);
  }

  /** Returns the number of changes of the store. */
  int changes() {
    return entries.size();
  }

  /** The completed flushes, in order. */
  List<Flushed> flushed() {
    return flushed;
  }

  /** Returns the last flush that was complete after a number of changes; -1 if there was none. */
  int completedAt(int instant) {
    int completed = -1;
    while (completed + 1 < flushed.size() && flushed.get(completed + 1).logged <= instant) {
      completed++;
    }
    return completed;
  }
}
