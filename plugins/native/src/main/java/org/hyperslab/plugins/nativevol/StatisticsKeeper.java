package org.hyperslab.plugins.nativevol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.plugins.nativevol.dataset.NativeDataset;
import org.hyperslab.plugins.nativevol.file.FileSeal;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.statistics.DatasetStatistics;
import org.hyperslab.plugins.nativevol.statistics.ValueStatistics;
import org.hyperslab.plugins.nativevol.store.KnownProperties;
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
import org.hyperslab.vol.query.Summarizer;

/**
 * Keeps statistics of values in files, as ordinary datasets of a group: reads them when a file is
 * opened, and writes them before it is flushed. docs/statistics.md has the layout.
 *
 * <p>Everything is done by operations of the connector itself. What fails here never fails the
 * operation of the user: there are no statistics then.
 *
 * <p>Thread rule: any thread.
 */
final class StatisticsKeeper {

  /** The path of the group. */
  static final String GROUP = "/.hyperslab.statistics";

  private static final String SEAL = GROUP + "/seal";
  private static final int MOST_DATASETS = 1 << 16;
  private static final int MOST_DEPTH = 100;
  private static final int ROWS_AT_ONCE = 1 << 12;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MOST_WIDTH = 5 + 32 + 1 + 7 * DatasetStatistics.MOST_FIELDS;
  private static final long DEFAULT_BLOCK = 1 << 16;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Connector connector;
  private final HandleTable handles;

  StatisticsKeeper(Connector connector, HandleTable handles) {
    this.connector = connector;
    this.handles = handles;
  }

  /** Does what has to be done before an operation: writes statistics before a flush. */
  void before(Operation<?> operation) {
    if (operation.flushes()) {
      handles
          .open()
          .find(operation.subject())
          .filter(object -> object.opening().writable() && !object.isForeign())
          .filter(object -> !object.objects().file().isBroken())
          .ifPresent(
              object -> kept(object.objects(), () -> store(operation.subject(), object.objects())));
    }
  }

  /** Does what has to be done after an operation: reads the statistics of a file. */
  void after(Operation<?> operation, Object result) {
    if (operation instanceof FileOperation.Open open && open.options().writable()) {
      FileObjects objects = handles.require(open.file()).objects();
      if (objects.file().statistics().begin()) {
        kept(objects, () -> begin(open.file(), objects));
      }
    } else if (operation instanceof DatasetOperation.Create create
        && create.spec().options().statistics() > 0
        && result instanceof ObjectInfo info) {
      FileObjects objects = handles.require(create.dataset()).objects();
      if (mode(objects.file()).equals("off")) {
        return;
      }
      kept(
          objects,
          () ->
              statistics(create.dataset(), create.spec().options().statistics())
                  .ifPresent(of -> objects.file().statistics().add(info.token().address(), of)));
    }
  }

  private void begin(Handle base, FileObjects objects) {
    load(base, objects);
    NativeFile file = objects.file();
    if (mode(file).equals("off")) {
      file.statistics().bypass();
      file.read(() -> {
        file.seal().breakIt();
        return null;
      });
    } else if (mode(file).equals("all")) {
      addAll(base, objects, "/", new HashSet<>(), 0);
      file.statistics().all().values().forEach(DatasetStatistics::touchAll);
      file.seal().rewrite();
    }
  }

  private static String mode(NativeFile file) {
    return file.options().properties().getOrDefault(KnownProperties.STATISTICS, "keep");
  }

  /** Does something for statistics; if it fails, there are none. */
  private static void kept(FileObjects objects, Runnable work) {
    try {
      work.run();
    } catch (HyperslabException | ArithmeticException | IndexOutOfBoundsException failure) {
      objects.file().statistics().bypass();
    }
  }

  private <R> R call(Operation<R> operation) {
    try {
      return connector.submit(operation).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw HyperslabException.of(Connectors.causeOf(e), operation.toString());
    }
  }

  private boolean exists(Handle base, String path) {
    return call(new LinkOperation.Exists(new Location(base, path)));
  }

  /** Opens or creates an object for a while. */
  private void with(Operation<ObjectInfo> opening, Consumer<Handle> use) {
    Handle handle = opening.opens().orElseThrow();
    call(opening);
    try {
      use.accept(handle);
    } finally {
      call(new ObjectOperation.Close(handle));
    }
  }

  /** Returns statistics of an open dataset, of which nothing is known. */
  private Optional<DatasetStatistics> statistics(Handle dataset, long blockElements) {
    DatasetInfo info = call(new DatasetOperation.Describe(dataset));
    Layout layout = info.options().layout();
    if (info.space().kind() != Dataspace.Kind.SIMPLE
        || layout instanceof Layout.External
        || layout instanceof Layout.Virtual) {
      return Optional.empty();
    }
    long[] chunkDims = layout instanceof Layout.Chunked chunked ? chunked.dimsArray() : null;
    return DatasetStatistics.of(
        info.type(), info.options().fill(), info.space().dims(), chunkDims, blockElements);
  }

  // --- reading ---

  /** Reads the statistics that a file has; those of a file that is not sealed are dropped. */
  private void load(Handle base, FileObjects objects) {
    if (!exists(base, GROUP)) {
      return;
    }
    findSeal(base, objects);
    NativeFile file = objects.file();
    long moment = file.read(() -> file.seal().moment());
    for (LinkInfo link : links(base, GROUP)) {
      long address = address(link);
      if (address >= 0) {
        Location at = new Location(base, GROUP + "/" + link.name());
        with(
            new ObjectOperation.Open(Handle.fresh(), at),
            rows -> loadOne(base, objects, address, rows, moment != 0));
      }
    }
    file.statistics().loaded(moment);
  }

  /** Returns the address of a dataset's header, which is the name of its statistics. */
  private static long address(LinkInfo link) {
    try {
      return link.kind() == LinkKind.HARD ? Long.parseLong(link.name(), 16) : -1;
    } catch (NumberFormatException another) {
      return -1;
    }
  }

  private List<LinkInfo> links(Handle base, String path) {
    List<LinkInfo> all = new ArrayList<>();
    PageRequest request = PageRequest.first(IterationIndex.NAME);
    while (all.size() < MOST_DATASETS) {
      Page<LinkInfo> page = call(new LinkOperation.ListLinks(new Location(base, path), request));
      all.addAll(page.entries());
      if (page.last() || page.entries().isEmpty()) {
        return all;
      }
      request = request.next();
    }
    throw new InvalidUseException(
        "links of " + path + ": actual=more, expected=at most " + MOST_DATASETS);
  }

  private void findSeal(Handle base, FileObjects objects) {
    if (!exists(base, SEAL)) {
      return;
    }
    Handle seal = Handle.fresh();
    ObjectInfo info = call(new ObjectOperation.Open(seal, new Location(base, SEAL)));
    try {
      DatasetInfo described = call(new DatasetOperation.Describe(seal));
      if (described.type().equals(Datatypes.I64LE) && described.space().equals(sealSpace())) {
        long address = info.token().address();
        NativeFile file = objects.file();
        file.read(() -> {
          file.seal().at(address, () -> offset(objects, address));
          return null;
        });
      }
    } finally {
      call(new ObjectOperation.Close(seal));
    }
  }

  private static Dataspace sealSpace() {
    return Dataspace.simple(FileSeal.BYTES / Long.BYTES);
  }

  /** Returns the offset of the seal in the file; raw data may have been moved. */
  private static long offset(FileObjects objects, long address) {
    NativeDataset dataset = objects.datasets().at(address);
    return dataset.description().layout().layout() instanceof DataLayoutMessage.Contiguous place
            && place.address() != FileGeometry.UNDEFINED
        ? objects.file().baseAddress() + place.address()
        : -1;
  }

  private void loadOne(
      Handle base, FileObjects objects, long address, Handle rows, boolean sealed) {
    DatasetInfo stored = call(new DatasetOperation.Describe(rows));
    long[] dims = stored.space().dims();
    if (!stored.type().equals(Datatypes.I64LE)
        || dims.length != 2
        || dims[0] < 1
        || dims[0] > DatasetStatistics.MOST_SUMMARIES + 1L
        || dims[1] > MOST_WIDTH) {
      return;
    }
    long[] first = read(rows, 0, 1, (int) dims[1]).getFirst();
    long blockElements = DatasetStatistics.blockElements(first);
    if (blockElements <= 0 || first[1] != address) {
      return;
    }
    try {
      with(
          new ObjectOperation.OpenToken(Handle.fresh(), base, new ObjectToken(address)),
          dataset ->
              statistics(dataset, blockElements)
                  .ifPresent(of -> {
                    if (sealed && Arrays.equals(first, of.header(address))) {
                      loadRows(rows, dims, of);
                    } else {
                      of.forgetAll();
                    }
                    objects.file().statistics().add(address, of);
                  }));
    } catch (HyperslabException another) {
      objects.file().statistics().forgetFile(address); // no dataset is there any more
    }
  }

  private void loadRows(Handle rows, long[] dims, DatasetStatistics of) {
    for (long at = 1; at < dims[0]; at += ROWS_AT_ONCE) {
      int count = (int) Math.min(ROWS_AT_ONCE, dims[0] - at);
      of.load((int) at, read(rows, at, count, (int) dims[1]));
    }
  }

  private List<long[]> read(Handle rows, long first, int count, int width) {
    MemorySegment memory = MemorySegment.ofArray(new byte[Math.multiplyExact(count, width * 8)]);
    call(new DatasetOperation.Read(rows, rows(first, count, width), DataBuffer.of(memory)));
    List<long[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long[] row = new long[width];
      for (int j = 0; j < width; j++) {
        row[j] = memory.get(WORD, ((long) i * width + j) * Long.BYTES);
      }
      all.add(row);
    }
    return all;
  }

  private static DatasetOperation.Transfer rows(long first, int count, int width) {
    return new DatasetOperation.Transfer(
        Datatypes.I64LE,
        Dataspace.simple(count, width),
        Selection.all(),
        Selection.box(new long[] {first, 0}, new long[] {count, width}),
        TransferOptions.DEFAULT);
  }

  /** Gives statistics to all datasets of a file that have none. */
  private void addAll(Handle base, FileObjects objects, String path, Set<Long> seen, int depth) {
    for (LinkInfo link : links(base, path)) {
      String below = (path.equals("/") ? "" : path) + "/" + link.name();
      if (link.kind() != LinkKind.HARD || below.equals(GROUP) || depth > MOST_DEPTH) {
        continue;
      }
      Handle handle = Handle.fresh();
      ObjectInfo info = call(new ObjectOperation.Open(handle, new Location(base, below)));
      try {
        long address = info.token().address();
        boolean isNew = seen.add(address);
        if (isNew && info.kind() == ObjectKind.GROUP) {
          addAll(base, objects, below, seen, depth + 1);
        } else if (isNew
            && info.kind() == ObjectKind.DATASET
            && objects.file().statistics().of(address).isEmpty()) {
          statistics(handle, DEFAULT_BLOCK)
              .ifPresent(of -> objects.file().statistics().add(address, of));
        }
      } finally {
        call(new ObjectOperation.Close(handle));
      }
    }
  }

  // --- writing ---

  /** Writes what has changed; if nothing was edited, what cannot be used stays as it is. */
  private void store(Handle base, FileObjects objects) {
    NativeFile file = objects.file();
    ValueStatistics all = file.statistics();
    if (all.isEmpty()
        || all.isBypassed()
        || all.isStored()
        || file.publishes()
        || !file.seal().isBroken()) {
      return;
    }
    all.all().forEach((address, of) -> summarize(base, objects, address, of));
    requireGroup(base, objects);
    for (long address : all.takeDeleted()) {
      if (exists(base, name(address))) {
        call(new LinkOperation.Delete(new Location(base, name(address))));
      }
    }
    all.all()
        .forEach((address, of) -> {
          if (!of.isStored()) {
            write(base, address, of);
          }
        });
  }

  private static String name(long address) {
    return GROUP + "/" + Long.toHexString(address);
  }

  private void requireGroup(Handle base, FileObjects objects) {
    if (!exists(base, GROUP)) {
      Location at = new Location(base, GROUP);
      with(
          new GroupOperation.Create(Handle.fresh(), at, GroupOptions.DEFAULT, LinkOptions.DEFAULT),
          _ -> {});
    }
    if (exists(base, SEAL) && !objects.file().seal().isPlaced()) {
      call(new LinkOperation.Delete(new Location(base, SEAL))); // something else of that name
    }
    if (!exists(base, SEAL)) {
      DatasetOptions options =
          DatasetOptions.builder()
              .layout(new Layout.Contiguous())
              .allocationTime(AllocationTime.EARLY)
              .build();
      with(
          create(SEAL, base, sealSpace(), options),
          seal ->
              call(
                  new DatasetOperation.Write(
                      seal,
                      new DatasetOperation.Transfer(
                          Datatypes.I64LE,
                          sealSpace(),
                          Selection.all(),
                          Selection.all(),
                          TransferOptions.DEFAULT),
                      DataBuffer.of(MemorySegment.ofArray(new byte[FileSeal.BYTES])))));
      findSeal(base, objects);
    }
  }

  private static DatasetOperation.Create create(
      String path, Handle base, Dataspace space, DatasetOptions options) {
    return new DatasetOperation.Create(
        Handle.fresh(),
        new Location(base, path),
        new DatasetOperation.Spec(Datatypes.I64LE, Optional.empty(), space, options),
        LinkOptions.DEFAULT);
  }

  /** Summarizes the blocks that have been written and were not summarized while they were. */
  private void summarize(
      Handle base, FileObjects objects, long address, DatasetStatistics statistics) {
    if (statistics.isStored()) {
      return;
    }
    with(
        new ObjectOperation.OpenToken(Handle.fresh(), base, new ObjectToken(address)),
        dataset -> {
          objects.datasets().at(address).flushChunks();
          statistics.written().parallelStream()
              .forEach(block -> summarize(dataset, block, statistics));
        });
  }

  private void summarize(
      Handle dataset, DatasetStatistics.Written block, DatasetStatistics statistics) {
    List<ValueSummary> summaries = new ArrayList<>();
    Selection selection = Selection.box(block.start(), block.count());
    Dataspace space = Dataspace.simple(block.count());
    int count = Math.toIntExact(space.elementCount());
    for (Summarizer summarizer : statistics.summarizers()) {
      Datatype type = summarizer.memoryType();
      try (Arena arena = Arena.ofShared()) {
        MemorySegment elements = arena.allocate(Math.multiplyExact((long) count, type.size()), 64);
        DatasetOperation.Transfer transfer =
            new DatasetOperation.Transfer(
                type, space, Selection.all(), selection, TransferOptions.DEFAULT);
        call(new DatasetOperation.Read(dataset, transfer, DataBuffer.of(elements)));
        summaries.add(summarizer.of(elements, count, 0));
      }
    }
    statistics.learn(block.block(), block.write(), summaries);
  }

  /** Writes the rows of a dataset that have changed. */
  private void write(Handle base, long address, DatasetStatistics statistics) {
    DatasetStatistics.Changes changes = statistics.takeChanges();
    int width = statistics.width();
    Location link = new Location(base, name(address));
    boolean exists = exists(base, name(address));
    if (exists && changes.fresh()) {
      call(new LinkOperation.Delete(link));
    }
    boolean made = !exists || changes.fresh();
    Dataspace space =
        Dataspace.simple(
            new long[] {changes.count(), width}, new long[] {Dataspace.UNLIMITED, width});
    long rowsInChunk = Math.max(1, CHUNK_BYTES / (8L * width));
    Operation<ObjectInfo> opening =
        made
            ? create(name(address), base, space, DatasetOptions.chunked(rowsInChunk, width).build())
            : new ObjectOperation.Open(Handle.fresh(), link);
    SortedMap<Integer, long[]> rows = changes.rows();
    if (made) {
      rows.put(0, statistics.header(address));
    }
    with(
        opening,
        handle -> {
          if (!made) {
            List<Long> dims = List.of((long) changes.count(), (long) width);
            call(new DatasetOperation.SetExtent(handle, dims));
          }
          write(handle, rows, width);
        });
  }

  private void write(Handle handle, SortedMap<Integer, long[]> rows, int width) {
    List<long[]> together = new ArrayList<>();
    int first = 0;
    for (Map.Entry<Integer, long[]> entry : rows.entrySet()) {
      boolean follows = entry.getKey() == first + together.size();
      if (!together.isEmpty() && (!follows || together.size() == ROWS_AT_ONCE)) {
        write(handle, first, together, width);
        together.clear();
      }
      first = together.isEmpty() ? entry.getKey() : first;
      together.add(entry.getValue());
    }
    if (!together.isEmpty()) {
      write(handle, first, together, width);
    }
  }

  private void write(Handle handle, int first, List<long[]> rows, int width) {
    MemorySegment memory = MemorySegment.ofArray(new byte[rows.size() * width * Long.BYTES]);
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; j < width; j++) {
        memory.set(WORD, ((long) i * width + j) * Long.BYTES, rows.get(i)[j]);
      }
    }
    DatasetOperation.Transfer transfer = rows(first, rows.size(), width);
    call(new DatasetOperation.Write(handle, transfer, DataBuffer.of(memory)));
  }

  // --- answers ---

  /**
   * What may be used for an answer.
   *
   * @param of the statistics
   * @param moment when the file was sealed; 0 if this process edits it
   */
  record Facts(DatasetStatistics of, long moment) {}

  /** Returns what is known of a dataset about which is asked. */
  Optional<Facts> facts(DatasetOperation.Question<?> question) {
    OpenObject object = handles.require(question.dataset());
    FileObjects objects = object.objects();
    NativeFile file = objects.file();
    if (object.kind() != ObjectKind.DATASET || mode(file).equals("off")) {
      return Optional.empty();
    }
    ValueStatistics all = file.statistics();
    if (file.writable()) {
      return file.seal().isExclusive() && !all.isBypassed()
          ? all.of(object.address()).map(of -> new Facts(of, 0))
          : Optional.empty();
    }
    if (all.begin()) {
      kept(objects, () -> load(question.dataset(), objects));
    }
    long moment = file.read(() -> file.seal().moment());
    return moment != 0 && moment == all.moment() && !all.isBypassed()
        ? all.of(object.address()).map(of -> new Facts(of, moment))
        : Optional.empty();
  }

  /** Returns whether facts are still those of the file. */
  boolean hold(DatasetOperation.Question<?> question, Facts facts) {
    NativeFile file = handles.require(question.dataset()).objects().file();
    return facts.moment() == 0 || facts.moment() == file.read(() -> file.seal().moment());
  }
}
