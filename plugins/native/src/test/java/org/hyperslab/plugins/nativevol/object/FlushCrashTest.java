package org.hyperslab.plugins.nativevol.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.FaultStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.WriteLog;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CharacterSet;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a writer after every single change of its store, and cuts the power there: what is left
 * must open, by itself, as one of the states that a flush left, and never older than the last
 * completed one.
 */
final class FlushCrashTest {

  private static final int FLUSHES = 6;

  private final long seed = Long.getLong("hyperslab.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final FileLoader loader =
      new FileLoader((from, file, path) -> Optional.empty(), TransferResources.standard());

  /** Groups by name, each with the value of its attribute. */
  private static final class Model extends TreeMap<String, Integer> {
    private static final long serialVersionUID = 1L;

    Model(Model other) {
      super(other);
    }

    Model() {}
  }

  private record Flushed(int logged, Model model) {}

  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"EARLIEST", "V18", "V110"})
  void everyCrashLeavesTheStateOfAFlush(FormatVersion low) {
    FaultStore store = new FaultStore(new MemoryStore("crash"));
    List<Flushed> flushed = new ArrayList<>();
    Model model = new Model();
    CreateOptions options = CreateOptions.DEFAULT.withBounds(low, FormatVersion.LATEST);
    FileObjects objects = loader.create(store, options);
    for (int i = 0; i < FLUSHES; i++) {
      edit(objects, model);
      objects.file().flush();
      flushed.add(new Flushed(store.log().entries().size(), new Model(model)));
    }
    edit(objects, model);
    objects.file().close();
    flushed.add(new Flushed(store.log().entries().size(), new Model(model)));

    WriteLog log = store.log();
    for (int instant = 0; instant <= log.entries().size(); instant++) {
      MemoryStore killed = new MemoryStore("killed");
      log.replayKilled(instant, killed);
      check(killed, instant, flushed, "killed");
      MemoryStore cut = new MemoryStore("power cut");
      log.replayPowerCut(instant, cut, random);
      check(cut, instant, flushed, "power cut");
    }
  }

  private void edit(FileObjects objects, Model model) {
    objects
        .file()
        .edit(() -> {
          for (int i = 0; i < 8; i++) {
            String name = "g" + random.nextInt(24);
            if (!model.containsKey(name)) {
              create(objects, name);
              model.put(name, 0);
            } else if (random.nextInt(3) == 0) {
              objects.links().delete(objects.root(), name);
              model.remove(name);
            } else {
              int value = random.nextInt();
              write(objects, name, value);
              model.put(name, value);
            }
          }
          return null;
        });
  }

  private static void create(FileObjects objects, String name) {
    long group = objects.groups().create(GroupOptions.DEFAULT);
    objects.links().createFirst(objects.root(), name, TextEncoding.ASCII, group);
    objects
        .attributes()
        .create(
            group,
            new Attributes.Spec(
                "value",
                CharacterSet.ASCII,
                Datatypes.I32LE,
                OptionalLong.empty(),
                Dataspace.scalar()));
  }

  private static long address(FileObjects objects, String name) {
    LinkMessage link = objects.groups().require(objects.root(), name);
    return ((LinkMessage.Hard) link.target()).headerAddress();
  }

  private static void write(FileObjects objects, String name, int value) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[4]);
    bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
    objects
        .attributes()
        .write(address(objects, name), "value", Datatypes.I32LE, DataBuffer.of(bytes));
  }

  private static Model read(FileObjects objects) {
    Model model = new Model();
    PageRequest all = new PageRequest(IterationIndex.NAME, false, 0, 1000);
    for (LinkMessage link : objects.groups().list(objects.root(), all)) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[4]);
      objects
          .attributes()
          .read(address(objects, link.name()), "value", Datatypes.I32LE, DataBuffer.of(bytes));
      model.put(link.name(), bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
    }
    return model;
  }

  private void check(MemoryStore left, int instant, List<Flushed> flushed, String how) {
    String what = how + " after " + instant + " changes, seed=" + seed;
    int completed = -1;
    while (completed + 1 < flushed.size() && flushed.get(completed + 1).logged <= instant) {
      completed++;
    }
    Model reread = open(left, OpenOptions.READ, completed, what);
    Model recovered = open(left, OpenOptions.EDIT, completed, what);
    assertThat(recovered).as(what).isEqualTo(reread);
    if (recovered == null) {
      return;
    }
    List<Model> allowed = new ArrayList<>();
    for (int i = Math.max(0, completed); i <= Math.min(completed + 1, flushed.size() - 1); i++) {
      allowed.add(flushed.get(i).model);
    }
    assertThat(allowed).as(what).contains(recovered);
    SuperblockCodec.read(left);
  }

  /** What is in a file; null if it is none, which it may be before the first flush only. */
  private Model open(MemoryStore left, OpenOptions options, int completed, String what) {
    try {
      FileObjects objects = loader.open(options.writable() ? left : left.readOnlyView(), options);
      return objects.file().read(() -> read(objects));
    } catch (CorruptFileException notYet) {
      assertThat(completed).as(what + ": " + notYet).isEqualTo(-1);
      assertThat(notYet.getMessage()).as(what).contains("signature");
      return null;
    }
  }
}
