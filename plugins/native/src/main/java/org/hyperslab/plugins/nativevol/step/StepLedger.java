package org.hyperslab.plugins.nativevol.step;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.StepPage;
import org.hyperslab.model.StepProgress;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.nativevol.dataset.NativeDataset;
import org.hyperslab.plugins.nativevol.dataset.OpenDatasets;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.group.Paths;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.StepTable;

/**
 * The steps of one open file: publishes those that are written here, and finds those that are
 * published.
 *
 * <p><b>Publication.</b> The rows of a step are written like any others. A publication adds the
 * extents at the end of each step to the table and flushes the file; readers of other processes may
 * then find the rows. Afterwards one slot of {@code state} is overwritten in place, which is the
 * instant at which the steps become visible. A writer that dies at any point leaves the number of
 * published steps as it was before or as it is after, and in both cases everything that this number
 * promises is in the file. Rows of published steps are never written again.
 *
 * <p><b>Rows without a step.</b> A dataset may be longer than its last published step says: rows of
 * a step that has not ended, or that its writer did not live to publish. {@link #start} removes
 * them.
 *
 * <p>Nothing here waits for another program: whoever has to wait asks again.
 *
 * <p>Thread rule: any thread.
 */
public final class StepLedger {

  /** The most numbers of rows in one page of steps. */
  private static final int MOST_NUMBERS = 1 << 18;

  /** The most followers for whom a writer waits. */
  private static final int MOST_FOLLOWERS = 1024;

  private static final Datatype LONG = Datatypes.I64LE.inMemory();

  private final NativeFile file;
  private final ObjectHeaders headers;
  private final Paths paths;
  private final OpenDatasets datasets;

  /** The steps that this process publishes; null if it does not. */
  private volatile Published written;

  /** The number of the handle by which steps are published. */
  private long writing;

  private final Map<Follower, Long> allowed = new HashMap<>();

  /** The number of published steps when the file was last read anew. */
  private long seen = -1;

  /**
   * What this process has published.
   *
   * @param columns the column of each dataset, by the address of its header
   * @param rows the number of rows of each column that published steps have
   * @param steps the number of published steps
   * @param turn the number of slots that were overwritten
   * @param writer what is known of the writer
   */
  private record Published(
      Map<Long, Integer> columns, long[] rows, long steps, long turn, StepPage.Writer writer) {

    private boolean isWriting() {
      return writer == StepPage.Writer.WRITING;
    }
  }

  private record Follower(long handle, long number) {}

  /**
   * Creates the ledger of a file.
   *
   * @param headers the object headers of the file
   * @param paths finds objects by their paths
   * @param datasets the open datasets of the file
   */
  public StepLedger(ObjectHeaders headers, Paths paths, OpenDatasets datasets) {
    this.file = datasets.context().file();
    this.headers = headers;
    this.paths = paths;
    this.datasets = datasets;
  }

  // --- writing ---

  /**
   * Begins to publish steps.
   *
   * @param operation the request
   * @return how far the steps are
   */
  public synchronized StepProgress start(StepOperation.Start operation) {
    if (written != null && written.isWriting()) {
      throw new InvalidUseException(
          "steps: actual=started before, expected=not started, at=" + file.name());
    }
    long[] addresses = new long[operation.datasets().size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = growing(operation.datasets().get(i));
    }
    requireTable(addresses.length);
    long steps = stored().map(StepState::published).orElse(0L);
    long[] rows = trim(addresses, steps);
    write(StepTable.STATE, 0, StepState.mine(steps).encoded(System.currentTimeMillis()));
    file.publishFromNow();
    file.publishSteps();
    Map<Long, Integer> columns = new HashMap<>();
    for (int i = 0; i < addresses.length; i++) {
      columns.put(addresses[i], i);
    }
    written = new Published(columns, rows, steps, 0, StepPage.Writer.WRITING);
    writing = operation.file().id();
    return progress();
  }

  /** Returns the address of a dataset that can grow along dimension 0. */
  private long growing(String path) {
    long address = address(path);
    Dataspace space =
        file.read(() -> {
          if (headers.kind(headers.open(address)) != ObjectKind.DATASET) {
            throw new InvalidUseException(
                "dataset of steps: actual=another object at "
                    + path
                    + ", expected=a dataset, at="
                    + file.name());
          }
          boolean chunked =
              datasets.at(address).info(false).options().layout() instanceof Layout.Chunked;
          return chunked ? datasets.at(address).description().space() : null;
        });
    if (space == null || space.maxDims()[0] != Dataspace.UNLIMITED) {
      throw new InvalidUseException(
          "dataset of steps: actual="
              + path
              + " cannot grow without limit along dimension 0, expected=chunked, with an unlimited"
              + " dimension 0, at="
              + file.name());
    }
    return address;
  }

  private void requireTable(int columns) {
    NativeDataset rows = rowsTable();
    long[] dims = file.read(() -> rows.description().space().dims());
    if (columns == 0 || dims.length != 2 || dims[1] != columns) {
      throw new InvalidUseException(
          "datasets of steps: actual="
              + columns
              + ", expected="
              + (dims.length == 2 ? dims[1] : 0)
              + ", as many as the table of steps has columns, at="
              + file.name());
    }
  }

  /** Removes rows that no published step has; returns those that are left. */
  private long[] trim(long[] addresses, long steps) {
    NativeDataset table = rowsTable();
    long entries = file.read(() -> table.description().space().dims()[0]);
    if (entries == 0) {
      long[] rows = new long[addresses.length];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = length(addresses[i]);
      }
      grow(table, 1, rows.length);
      write(table, Selection.box(new long[] {0, 0}, new long[] {1, rows.length}), rows);
      return rows;
    }
    if (entries <= steps) {
      throw broken(steps, entries);
    }
    long[] rows = rows(table, steps, 1, addresses.length)[0];
    for (int i = 0; i < rows.length; i++) {
      long length = length(addresses[i]);
      if (length < rows[i]) {
        throw broken(rows[i], length);
      }
      if (length > rows[i]) {
        requireTrimmable();
        NativeDataset dataset = datasets.at(addresses[i]);
        long keep = rows[i];
        file.edit(() -> {
          long[] dims = dataset.description().space().dims();
          dims[0] = keep;
          dataset.setExtent(Arrays.stream(dims).boxed().toList());
          return null;
        });
      }
    }
    if (entries > steps + 1) {
      requireTrimmable();
      grow(table, steps + 1, addresses.length);
    }
    return rows;
  }

  private void requireTrimmable() {
    if (file.publishes()) {
      throw new InvalidUseException(
          "steps: actual=rows that no step has, in a file that readers follow, expected=a file"
              + " opened for editing without swmr, which steps then start, at="
              + file.name());
    }
  }

  private long length(long address) {
    return file.read(() -> datasets.at(address).description().space().dims()[0]);
  }

  private void grow(NativeDataset table, long entries, long columns) {
    file.edit(() -> {
      table.setExtent(List.of(entries, columns));
      return null;
    });
  }

  /**
   * Publishes steps, or nothing if followers for whom the writer waits have not taken enough.
   *
   * @param operation the request
   * @return how far the steps are now
   */
  public synchronized StepProgress publish(StepOperation.Publish operation) {
    Published now = requireStarted();
    List<List<Long>> rows = operation.rows();
    if (operation.first() != now.steps || !now.isWriting()) {
      throw new InvalidUseException(
          "step to publish: actual="
              + operation.first()
              + ", expected="
              + (now.isWriting() ? now.steps : "none, because the last one is published")
              + ", at="
              + file.name());
    }
    if (rows.isEmpty() && !operation.last()) {
      return progress();
    }
    long[] ends = now.rows;
    for (List<Long> each : rows) {
      ends = requireGrown(ends, each);
    }
    requireWritten(now, ends);
    if (now.steps + rows.size() > allowed()) {
      return progress();
    }
    if (!rows.isEmpty()) {
      NativeDataset table = rowsTable();
      grow(table, now.steps + 1 + rows.size(), ends.length);
      Selection added =
          Selection.box(new long[] {now.steps + 1, 0}, new long[] {rows.size(), ends.length});
      write(table, added, rows.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray());
    }
    file.flush();
    long steps = now.steps + rows.size();
    StepState state = new StepState(steps, operation.last(), 0, 0, 0);
    StepState.Slot slot = state.next(now.turn, System.currentTimeMillis());
    write(StepTable.STATE, slot.at(), slot.elements());
    file.flush(); // forces the slot, if the file is to survive a power cut
    StepPage.Writer writer = operation.last() ? StepPage.Writer.ENDED : StepPage.Writer.WRITING;
    written = new Published(now.columns, ends, steps, now.turn + 1, writer);
    return progress();
  }

  private long[] requireGrown(long[] before, List<Long> rows) {
    long[] ends = rows.stream().mapToLong(Long::longValue).toArray();
    for (int i = 0; i < before.length; i++) {
      if (ends.length != before.length || ends[i] < before[i]) {
        throw new InvalidUseException(
            "rows of a step: actual="
                + rows
                + ", expected=at least "
                + Arrays.toString(before)
                + ", at="
                + file.name());
      }
    }
    return ends;
  }

  private void requireWritten(Published now, long[] ends) {
    now.columns.forEach((address, column) -> {
      if (length(address) < ends[column]) {
        throw new InvalidUseException(
            "rows of a step: actual="
                + length(address)
                + " in the dataset, expected="
                + ends[column]
                + " at least, at="
                + file.name());
      }
    });
  }

  private Published requireStarted() {
    Published now = written;
    if (now == null) {
      throw new InvalidUseException(
          "steps: actual=not started, expected=started, at="
              + file.name()
              + "; call startSteps first");
    }
    return now;
  }

  private StepProgress progress() {
    return new StepProgress(written.steps, allowed());
  }

  private long allowed() {
    return allowed.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  /**
   * Requires that elements may be written: that steps are not started, or that no published step
   * has the elements.
   *
   * @param dataset the address of the dataset's header
   * @param firstRow the first row that is written; {@link Long#MAX_VALUE} if none is
   */
  public void requireUnpublished(long dataset, long firstRow) {
    Published now = written;
    if (now == null) {
      return;
    }
    Integer column = now.columns.get(dataset);
    if (column == null || firstRow < now.rows[column]) {
      throw new InvalidUseException(
          "write to a file with steps: actual="
              + (column == null
                  ? "to a dataset that has no steps"
                  : "row " + firstRow + ", which a published step has")
              + ", expected="
              + (column == null ? "one of those with which steps were started" : "later rows")
              + ", at="
              + file.name());
    }
  }

  /** {@return whether steps are started, so that writes have to be checked} */
  public boolean isStarted() {
    return written != null;
  }

  // --- following ---

  /**
   * Returns published steps.
   *
   * @param operation the request
   * @return the steps
   */
  public synchronized StepPage next(StepOperation.Next operation) {
    Published mine = written;
    long steps;
    StepPage.Writer writer;
    if (mine != null) {
      steps = mine.steps;
      writer = mine.writer;
      if (operation.window() > 0) {
        wait(operation);
      }
    } else {
      boolean marked = file.hasFollowedWriter();
      StepState state = stored().orElseThrow(this::noSteps);
      steps = state.published();
      writer = state.ended() || !marked ? StepPage.Writer.ENDED : StepPage.Writer.WRITING;
      if (writer == StepPage.Writer.WRITING) {
        requireNoWindow(operation);
      }
      if (writer == StepPage.Writer.WRITING && steps <= operation.next() && state.isLost()) {
        writer = StepPage.Writer.LOST;
      }
    }
    if (operation.most() == 0 || operation.next() >= steps) {
      return new StepPage(operation.next(), steps, writer, List.of());
    }
    if (steps != seen) {
      file.refresh();
      seen = steps;
    }
    return new StepPage(operation.next(), steps, writer, page(operation, steps));
  }

  private List<List<Long>> page(StepOperation.Next operation, long steps) {
    NativeDataset table = rowsTable();
    long[] dims = file.read(() -> table.description().space().dims());
    if (dims.length != 2 || dims[0] <= steps || dims[1] < 1) {
      throw broken(steps, dims[0]);
    }
    long count = Math.min(operation.most(), steps - operation.next());
    count = Math.max(1, Math.min(count, MOST_NUMBERS / dims[1]));
    List<List<Long>> rows = new ArrayList<>();
    for (long[] each : rows(table, operation.next(), count + 1, dims[1])) {
      rows.add(Arrays.stream(each).boxed().toList());
    }
    return rows;
  }

  private void wait(StepOperation.Next operation) {
    Follower follower = new Follower(operation.file().id(), operation.follower());
    if (!allowed.containsKey(follower) && allowed.size() >= MOST_FOLLOWERS) {
      throw new InvalidUseException(
          "followers for whom the writer waits: actual="
              + allowed.size()
              + ", expected=fewer, at="
              + file.name());
    }
    long most = operation.next() + operation.window();
    allowed.put(follower, most < 0 ? Long.MAX_VALUE : most);
  }

  private void requireNoWindow(StepOperation.Next operation) {
    if (operation.window() > 0) {
      throw new InvalidUseException(
          "policy of a follower: actual=BLOCK, for which the writer waits, expected=EVERY or"
              + " KEEP_LAST, because the writer is another process, at="
              + file.name()
              + "; EVERY loses no step either. Through a staging server the writer can wait");
    }
  }

  /**
   * Ends the waiting for a follower.
   *
   * @param handle the number of the file's handle
   * @param follower the number of the follower
   */
  public synchronized void leave(long handle, long follower) {
    allowed.remove(new Follower(handle, follower));
  }

  /**
   * Ends the waiting for all followers of a handle, which is being closed. If it is that of a
   * writer that has not published a last step, the writer is lost: its client has died.
   *
   * @param handle the number of the file's handle
   */
  public synchronized void leave(long handle) {
    allowed.keySet().removeIf(follower -> follower.handle == handle);
    Published now = written;
    if (now != null && handle == writing && now.isWriting()) {
      written = new Published(now.columns, now.rows, now.steps, now.turn, StepPage.Writer.LOST);
    }
  }

  // --- the table ---

  private InvalidUseException noSteps() {
    return new InvalidUseException(
        "follow: actual=a file without steps, expected=one whose writer has called startSteps, at="
            + file.name()
            + "; what grows without steps can be read again after refresh()");
  }

  private InvalidUseException broken(long expected, long actual) {
    return new InvalidUseException(
        "table of steps: actual="
            + actual
            + " rows, expected=at least "
            + expected
            + ", as published, at="
            + file.name()
            + "; another program has changed the file");
  }

  private Optional<StepState> stored() {
    long address;
    try {
      address = address(StepTable.STATE);
    } catch (NotFoundException none) {
      return Optional.empty();
    }
    NativeDataset state = datasets.at(address);
    long[] all = new long[StepTable.STATE_LENGTH];
    long[] dims = file.read(() -> state.description().space().dims());
    if (!Arrays.equals(dims, new long[] {all.length})) {
      throw broken(all.length, dims.length == 1 ? dims[0] : 0);
    }
    read(state, Selection.all(), all);
    boolean unused = Arrays.stream(all).allMatch(each -> each == 0);
    return unused ? Optional.empty() : Optional.of(StepState.decode(all, file.name()));
  }

  private NativeDataset rowsTable() {
    try {
      return datasets.at(address(StepTable.ROWS));
    } catch (NotFoundException none) {
      throw noSteps();
    }
  }

  private long address(String path) {
    return file.read(() -> {
      PathResult found = paths.object(headers.root(), path, 0);
      if (found instanceof PathResult.Reached reached) {
        return reached.address();
      }
      throw new InvalidUseException(
          "path of a dataset of steps: actual="
              + path
              + " is in another file, expected=in this one, at="
              + file.name());
    });
  }

  private long[][] rows(NativeDataset table, long from, long count, long columns) {
    long[] all = new long[Math.toIntExact(count * columns)];
    read(table, Selection.box(new long[] {from, 0}, new long[] {count, columns}), all);
    long[][] rows = new long[Math.toIntExact(count)][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Arrays.copyOfRange(all, (int) (i * columns), (int) ((i + 1) * columns));
    }
    return rows;
  }

  private void read(NativeDataset dataset, Selection selection, long[] target) {
    dataset.read(transfer(selection, target), buffer(target));
  }

  private void write(String path, long at, long[] elements) {
    write(
        datasets.at(address(path)),
        Selection.box(new long[] {at}, new long[] {elements.length}),
        elements);
  }

  private static void write(NativeDataset dataset, Selection selection, long[] elements) {
    dataset.write(transfer(selection, elements), buffer(elements));
  }

  private static Transfer transfer(Selection selection, long[] elements) {
    return new Transfer(
        LONG,
        Dataspace.simple(elements.length),
        Selection.all(),
        selection,
        TransferOptions.DEFAULT);
  }

  private static DataBuffer buffer(long[] elements) {
    return new DataBuffer(MemorySegment.ofArray(elements), VlenHeap.none());
  }
}
