package org.hyperslab.plugins.log;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.NativeInWorld;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldDisk;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;

/**
 * One program in a simulated world that is killed at some point, perhaps with the machine; then a
 * migration, which is killed, too, perhaps; then one that is not. The ledger has the content after
 * each edit, and which of them a flush or a close had promised.
 */
final class CrashHistory {

  private static final int ELEMENTS = 300;
  private static final long LONGEST_NANOS = 40_000_000;

  private final World world;
  private final WorldDisk disk;
  private final SplittableRandom random;
  private final long capacity;
  private final List<Map<String, String>> states = new ArrayList<>();
  private final Map<String, int[]> now = new TreeMap<>();
  private final Set<String> growing = new HashSet<>();

  /** The index of the last state that was promised, and that of the one being promised. */
  private int promised;

  /** Those at which the file may be without a migration; -1 for no file. */
  private int published = -1;

  private int publishing = -1;
  private final boolean[] isFlush = new boolean[1024];

  CrashHistory(long seed, World world, WorldDisk disk, long capacity) {
    this.world = world;
    this.disk = disk;
    this.random = new SplittableRandom(seed * 31 + 7);
    this.capacity = capacity;
    states.add(Map.of());
    isFlush[0] = true;
  }

  private Connector connector(WorldProcess process, LogOptions.Drain drain) {
    LogOptions options =
        new LogOptions(
            disk.root(), capacity, Long.MAX_VALUE, drain, LogOptions.Acknowledge.RECEIVED, false);
    return process.mortal(
        new LogConnector(LogContext.of(NativeInWorld.create(), options, process)));
  }

  private String name() {
    return disk.root() + "/a.h5";
  }

  /** Runs it; returns what is wrong, or an empty text. */
  String run() {
    WorldProcess program = world.process("program");
    killedAfter(program, () -> program(program), random.nextLong(LONGEST_NANOS));
    boolean power = random.nextBoolean();
    if (power) {
      disk.powerCut();
    }
    String trouble = judgeFile();
    if (!trouble.isEmpty()) {
      return trouble;
    }
    for (int again = random.nextInt(3); again > 0; again--) {
      WorldProcess migration = world.process("migration");
      killedAfter(migration, () -> read(migration), random.nextLong(LONGEST_NANOS / 4));
      if (random.nextBoolean()) {
        disk.powerCut();
      }
    }
    WorldProcess last = world.process("last");
    AtomicReference<Map<String, String>> found = new AtomicReference<>();
    world.run(last, () -> found.set(read(last)));
    return judge(found.get(), promised, states.size() - 1, "after the migration");
  }

  private void killedAfter(WorldProcess process, Runnable task, long nanoseconds) {
    WorldProcess watch = world.process("watch");
    boolean[] over = {false};
    world.run(
        watch,
        () -> {
          process.start(
              "main",
              () -> {
                task.run();
                over[0] = true;
              });
          world.awaits(() -> over[0], nanoseconds);
          process.kill();
        });
  }

  // --- the program ---

  private void program(WorldProcess process) {
    LogOptions.Drain drain = LogOptions.Drain.values()[random.nextInt(3)];
    Session session = Hdf5.session(connector(process, drain));
    for (int opening = 0; opening < 3; opening++) {
      H5File file = opening == 0 ? session.create(name()) : session.open(name(), OpenOptions.EDIT);
      int edits = 1 + random.nextInt(25);
      for (int i = 0; i < edits; i++) {
        edit(file);
      }
      publishing = states.size() - 1;
      isFlush[states.size() - 1] = true;
      file.close();
      promised = states.size() - 1;
      if (drain == LogOptions.Drain.CLOSE) {
        published = promised;
      }
    }
    session.close();
  }

  private void edit(H5File file) {
    switch (random.nextInt(8)) {
      case 0 -> {
        isFlush[states.size() - 1] = true;
        file.flush();
        promised = states.size() - 1;
      }
      case 1 -> create(file);
      case 2 -> delete(file);
      case 3 -> shrink(file);
      default -> write(file);
    }
  }

  private void create(H5File file) {
    String name = "d" + random.nextInt(4);
    if (now.containsKey(name)) {
      write(file);
      return;
    }
    now.put(name, new int[ELEMENTS]);
    edited();
    boolean chunked = random.nextBoolean();
    growing.remove(name);
    if (chunked) {
      growing.add(name);
    }
    file.datasetBuilder(name)
        .value(new int[ELEMENTS])
        .maxShape(chunked ? Hdf5.UNLIMITED : ELEMENTS)
        .options(options -> {
          if (chunked) {
            options.chunked(64).deflate(1);
          }
        })
        .create()
        .close();
  }

  private void delete(H5File file) {
    if (now.isEmpty() || random.nextInt(3) > 0) {
      return;
    }
    String name = now.keySet().stream().skip(random.nextInt(now.size())).findFirst().orElseThrow();
    now.remove(name);
    edited();
    file.root().delete(name);
  }

  /** Cuts elements off, at the border of a chunk, and lets others take their place. */
  private void shrink(H5File file) {
    List<String> some = now.keySet().stream().filter(growing::contains).toList();
    if (some.isEmpty()) {
      return;
    }
    String name = some.get(random.nextInt(some.size()));
    try (Dataset dataset = file.dataset(name)) {
      for (int length : new int[] {128, ELEMENTS}) {
        now.put(name, Arrays.copyOf(now.get(name), length));
        edited();
        dataset.setExtent(length);
      }
    }
  }

  private void write(H5File file) {
    if (now.isEmpty()) {
      return;
    }
    String name = now.keySet().stream().skip(random.nextInt(now.size())).findFirst().orElseThrow();
    int start = random.nextInt(ELEMENTS - 50);
    int stride = 1 + random.nextInt(4);
    int count = 1 + random.nextInt((ELEMENTS - start) / stride);
    int value = random.nextInt();
    int[] content = now.get(name);
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = value + i;
      content[start + i * stride] = value + i;
    }
    try (Dataset dataset = file.dataset(name)) {
      edited();
      dataset.write(
          Selection.hyperslab(
              new long[] {start}, new long[] {stride}, new long[] {count}, new long[] {1}),
          values);
      if (random.nextInt(4) == 0) { // a deletion, for which all elements have to be in their place
        file.createGroup("tmp").close();
        file.root().delete("tmp");
      }
      if (random.nextInt(4) == 0) {
        int[] read = dataset.readInts();
        if (!Arrays.equals(read, content)) {
          throw new AssertionError("read " + Arrays.toString(read) + " of " + name);
        }
      }
    }
  }

  private void edited() {
    states.add(text());
  }

  private Map<String, String> text() {
    Map<String, String> text = new TreeMap<>();
    now.forEach((name, values) -> text.put(name, Arrays.toString(values)));
    return text;
  }

  // --- the judge ---

  /** What a reader through the connector sees; null if there is no file. */
  private Map<String, String> read(WorldProcess process) {
    try (Session session = Hdf5.session(connector(process, LogOptions.Drain.CLOSE))) {
      return session.exists(name()) ? content(session) : null;
    }
  }

  private Map<String, String> content(Session session) {
    Map<String, String> found = new TreeMap<>();
    try (H5File file = session.open(name(), OpenOptions.READ)) {
      for (String each : file.root().names().stream().filter(n -> n.startsWith("d")).toList()) {
        try (Dataset dataset = file.dataset(each)) {
          found.put(each, Arrays.toString(dataset.readInts()));
        }
      }
    }
    return found;
  }

  /** Reads the file without its log: it must have the state of a close. */
  private String judgeFile() {
    WorldProcess reader = world.process("reader");
    AtomicReference<Map<String, String>> found = new AtomicReference<>();
    world.run(
        reader,
        () -> {
          Path path = disk.root().resolve("a.h5");
          if (Files.exists(path)) {
            try (Connector connector = NativeInWorld.create();
                Session session = Hdf5.session(connector)) {
              found.set(content(session));
            }
          }
        });
    return judge(found.get(), published, publishing, "without the log");
  }

  private String judge(Map<String, String> found, int from, int to, String when) {
    if (found == null) {
      return from <= 0 ? "" : when + ": no file, promised=" + from;
    }
    boolean strict = capacity > 1 << 20;
    for (int i = Math.max(0, from); i <= to; i++) {
      if (found.equals(states.get(i)) && (!strict || isFlush[i])) {
        return "";
      }
    }
    return when
        + ": "
        + found
        + " is none of the states "
        + from
        + " to "
        + to
        + "; it is state "
        + states.indexOf(found)
        + " of "
        + states.size();
  }
}
