package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lets every operation that edits fail, in every way, at every acknowledgement level, between
 * operations that do not: each of them ends, and what was acknowledged is in the file.
 */
@Timeout(300)
final class EveryOperationFailsTest {

  /** A limit that only ends a hang. */
  private static final int LIMIT_SECONDS = 120;

  /** An ordinary run takes one of so many cases; a number without a common divisor with theirs. */
  private static final int EVERY = 23;

  private TemporaryFolder folder;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("failing");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  /** An open file with a chunked dataset of 8 integers and an attribute. */
  private record Opened(Handle file, Handle dataset) {
    Location root(String path) {
      return new Location(file, path);
    }

    DatasetOperation.Write write(int value) {
      return new DatasetOperation.Write(dataset, transfer(), integers(value));
    }
  }

  private static DatasetOperation.Transfer transfer() {
    return new DatasetOperation.Transfer(
        Datatypes.I32LE,
        Dataspace.simple(8),
        Selection.all(),
        Selection.box(new long[] {0}, new long[] {8}),
        TransferOptions.DEFAULT);
  }

  private static DataBuffer integers(int value) {
    int[] elements = new int[8];
    Arrays.fill(elements, value);
    return DataBuffer.of(MemorySegment.ofArray(elements));
  }

  private static AttributeOperation.Spec attribute() {
    return new AttributeOperation.Spec(
        Datatypes.I32LE, Optional.empty(), Dataspace.simple(8), CharacterSet.ASCII);
  }

  private static final Map<Class<?>, Function<Opened, Operation<?>>> EDITS =
      Map.ofEntries(
          edit(FileOperation.Flush.class, o -> new FileOperation.Flush(o.file)),
          edit(
              FileOperation.Create.class,
              o -> new FileOperation.Create(Handle.fresh(), "other.h5", CreateOptions.DEFAULT)),
          edit(FileOperation.Delete.class, o -> new FileOperation.Delete(Handle.fresh(), "no.h5")),
          edit(FileOperation.Close.class, o -> new FileOperation.Close(o.file)),
          edit(
              GroupOperation.Create.class,
              o ->
                  new GroupOperation.Create(
                      Handle.fresh(), o.root("g"), GroupOptions.DEFAULT, LinkOptions.DEFAULT)),
          edit(
              TypeOperation.Commit.class,
              o ->
                  new TypeOperation.Commit(
                      Handle.fresh(),
                      o.root("t"),
                      new TypeOperation.Spec(Datatypes.I32LE, false, AttributeStorage.DEFAULT),
                      LinkOptions.DEFAULT)),
          edit(
              LinkOperation.CreateHard.class,
              o -> new LinkOperation.CreateHard(o.root("d"), o.root("l"), LinkOptions.DEFAULT)),
          edit(
              LinkOperation.CreateSoft.class,
              o -> new LinkOperation.CreateSoft("/d", o.root("s"), LinkOptions.DEFAULT)),
          edit(
              LinkOperation.CreateExternal.class,
              o -> new LinkOperation.CreateExternal("e.h5", "/", o.root("e"), LinkOptions.DEFAULT)),
          edit(
              LinkOperation.CreateUserDefined.class,
              o ->
                  new LinkOperation.CreateUserDefined(
                      70, LinkData.of(new byte[] {1}), o.root("u"), LinkOptions.DEFAULT)),
          edit(LinkOperation.Delete.class, o -> new LinkOperation.Delete(o.root("spare"))),
          edit(
              LinkOperation.Move.class,
              o -> new LinkOperation.Move(o.root("spare"), o.root("m"), LinkOptions.DEFAULT)),
          edit(
              LinkOperation.Copy.class,
              o -> new LinkOperation.Copy(o.root("spare"), o.root("c"), LinkOptions.DEFAULT)),
          edit(
              ObjectOperation.Copy.class,
              o ->
                  new ObjectOperation.Copy(
                      o.root("d"), o.root("oc"), CopyOptions.DEFAULT, LinkOptions.DEFAULT)),
          edit(
              ObjectOperation.SetComment.class,
              o -> new ObjectOperation.SetComment(o.root("d"), Optional.of("said"))),
          edit(
              ObjectOperation.CountReference.class,
              o -> new ObjectOperation.CountReference(o.root("d"), true)),
          edit(ObjectOperation.Flush.class, o -> new ObjectOperation.Flush(o.dataset)),
          edit(
              DatasetOperation.Create.class,
              o ->
                  new DatasetOperation.Create(
                      Handle.fresh(),
                      o.root("n"),
                      new DatasetOperation.Spec(
                          Datatypes.I32LE,
                          Optional.empty(),
                          Dataspace.simple(8),
                          DatasetOptions.DEFAULT),
                      LinkOptions.DEFAULT)),
          edit(
              DatasetOperation.SetAccess.class,
              o -> new DatasetOperation.SetAccess(o.dataset, Map.of())),
          edit(DatasetOperation.Write.class, o -> o.write(3)),
          edit(
              DatasetOperation.WriteMulti.class,
              o -> new DatasetOperation.WriteMulti(List.of(o.write(4)))),
          edit(
              DatasetOperation.SetExtent.class,
              o -> new DatasetOperation.SetExtent(o.dataset, List.of(16L))),
          edit(DatasetOperation.Extend.class, o -> new DatasetOperation.Extend(o.dataset, 8)),
          edit(
              DatasetOperation.WriteChunk.class,
              o ->
                  new DatasetOperation.WriteChunk(
                      o.dataset, List.of(0L), new RawChunk(integers(5).elements(), 0))),
          edit(
              AttributeOperation.Create.class,
              o -> new AttributeOperation.Create(o.root("d"), "b", attribute())),
          edit(
              AttributeOperation.Write.class,
              o -> new AttributeOperation.Write(o.root("d"), "a", Datatypes.I32LE, integers(6))),
          edit(
              AttributeOperation.Set.class,
              o ->
                  new AttributeOperation.Set(
                      o.root("d"),
                      "a",
                      attribute(),
                      true,
                      new AttributeOperation.Content(Datatypes.I32LE, integers(7)))),
          edit(
              AttributeOperation.Rename.class,
              o -> new AttributeOperation.Rename(o.root("d"), "a", "r")),
          edit(
              AttributeOperation.Delete.class,
              o -> new AttributeOperation.Delete(o.root("d"), "a")));

  private static Map.Entry<Class<?>, Function<Opened, Operation<?>>> edit(
      Class<?> kind, Function<Opened, Operation<?>> operation) {
    return Map.entry(kind, operation);
  }

  /** Returns the kinds of operations. */
  private static Set<Class<?>> kinds(Class<?> family) {
    return Arrays.stream(family.getPermittedSubclasses())
        .flatMap(kind -> kind.isSealed() ? kinds(kind).stream() : java.util.stream.Stream.of(kind))
        .collect(Collectors.toSet());
  }

  @Test
  void everyOperationThatEditsIsTried() {
    Set<String> untried = new TreeSet<>();
    for (Class<?> kind : kinds(Operation.class)) {
      boolean edits =
          Arrays.stream(kind.getDeclaredMethods()).anyMatch(m -> m.getName().equals("edits"));
      if (edits && !EDITS.containsKey(kind)) {
        untried.add(kind.getEnclosingClass().getSimpleName() + "." + kind.getSimpleName());
      }
    }
    assertThat(untried).isEmpty();
  }

  @Test
  void everyOperationEndsWithTheCompactor() {
    everyOperationEnds(CompactorOptions.DEFAULT);
  }

  @Test
  void everyOperationEndsWithoutTheCompactor() {
    everyOperationEnds(CompactorOptions.OFF);
  }

  private static List<Class<?>> inOrder() {
    return EDITS.keySet().stream().sorted(Comparator.comparing(Class::getName)).toList();
  }

  private void everyOperationEnds(CompactorOptions compactor) {
    FailingStorage storage = new FailingStorage(Connectors.create("native"));
    ServerOptions options =
        ServerOptions.of(new Address.Unix(folder.file("socket").toString()), folder.path())
            .withThreads(2)
            .withCompactor(compactor);
    List<String> stuck = new ArrayList<>();
    int tried = 0;
    try (StageServer server = StageServer.start(options, storage)) {
      for (Acknowledge level : Acknowledge.values()) {
        for (FailingStorage.Way way : FailingStorage.Way.values()) {
          for (Class<?> kind : inOrder()) {
            // An ordinary run takes some of them, with operations, ways and levels in turn.
            tried++;
            if (tried % Effort.times(EVERY, 1) != 0) {
              continue;
            }
            String what =
                level
                    + " "
                    + way
                    + " "
                    + kind.getEnclosingClass().getSimpleName()
                    + "."
                    + kind.getSimpleName();
            try (Connector client =
                Connectors.create(
                    "forwarding reconnect=0 servers="
                        + server.address()
                        + " acknowledge="
                        + level.name().toLowerCase(java.util.Locale.ROOT))) {
              String name = "f" + tried + ".h5";
              history(client, storage, kind, way, name);
            } catch (TimeoutException hung) {
              stuck.add(what + ": " + hung.getMessage());
              assertThat(stuck).as("operations that do not end").isEmpty();
            }
          }
        }
      }
    }
  }

  /** One good edit, one that fails, a flush, another good edit, and the end of the file. */
  private void history(
      Connector client, FailingStorage storage, Class<?> kind, FailingStorage.Way way, String name)
      throws TimeoutException {
    Opened opened = new Opened(Handle.fresh(), Handle.fresh());
    require(client, new FileOperation.Create(opened.file, name, CreateOptions.DEFAULT));
    require(
        client,
        new DatasetOperation.Create(
            opened.dataset,
            opened.root("d"),
            new DatasetOperation.Spec(
                Datatypes.I32LE,
                Optional.empty(),
                Dataspace.simple(new long[] {8}, new long[] {Dataspace.UNLIMITED}),
                DatasetOptions.chunked(8).build()),
            LinkOptions.DEFAULT));
    require(
        client,
        new AttributeOperation.Set(
            opened.root("d"),
            "a",
            attribute(),
            true,
            new AttributeOperation.Content(Datatypes.I32LE, integers(1))));
    require(client, new LinkOperation.CreateSoft("/d", opened.root("spare"), LinkOptions.DEFAULT));
    require(client, opened.write(1));
    storage.fail(kind, way);
    // Neither is awaited before the next one is sent.
    CompletableFuture<?> edit = submitted(client, EDITS.get(kind).apply(opened));
    CompletableFuture<?> flush = submitted(client, new FileOperation.Flush(opened.file));
    end(kind.getSimpleName(), edit);
    end("flush", flush);
    storage.heal();
    if (kind != FileOperation.Close.class) {
      end("flush", submitted(client, new FileOperation.Flush(opened.file)));
      require(client, new DatasetOperation.SetExtent(opened.dataset, List.of(8L)));
      require(client, opened.write(9));
      end("close", submitted(client, new FileOperation.Close(opened.file)));
    }
    Handle again = Handle.fresh();
    end("reopen", submitted(client, new FileOperation.Open(again, name, OpenOptions.EDIT)));
    end("close", submitted(client, new FileOperation.Close(again)));
    try (H5File file = Hdf5.open(folder.path().resolve(name))) {
      assertThat(file.dataset("d").readInts())
          .as(name)
          .startsWith(kind == FileOperation.Close.class ? 1 : 9);
      assertThat(file.root().attributeCount()).as("markers").isZero();
    }
  }

  private static CompletableFuture<?> submitted(Connector client, Operation<?> operation) {
    return client.submit(operation).toCompletableFuture();
  }

  private static void require(Connector client, Operation<?> operation) throws TimeoutException {
    CompletableFuture<?> future = submitted(client, operation);
    end(operation.toString(), future);
    assertThat(future).as(operation.toString()).isCompleted();
  }

  private static void end(String what, CompletableFuture<?> future) throws TimeoutException {
    try {
      future.handle((done, failure) -> null).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException hung) {
      throw new TimeoutException(what);
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
