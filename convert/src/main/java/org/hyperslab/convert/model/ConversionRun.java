package org.hyperslab.convert.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;
import org.jspecify.annotations.Nullable;

/**
 * Moves elements from a source to a target in blocks, several at a time, in bounded memory, and
 * records content that the target cannot hold.
 *
 * <p>Thread rule: any thread may call {@link #reportLoss} and {@link #memoryBytes}; all other
 * methods are for the thread that created this object.
 */
public final class ConversionRun implements AutoCloseable {

  private static final int MAX_THREADS = 16;
  private static final long LARGEST_BLOCK_BYTES = 8L << 20;

  /**
   * The size of a block that is contiguous in its file: large enough for a system call, and small
   * enough to be in a core's cache when it is written after it was read.
   */
  private static final long CONTIGUOUS_BLOCK_BYTES = 1L << 20;

  /** The assumed size of a variable-length element, including its slot, before it is read. */
  private static final int ELEMENT_WITH_HEAP_BYTES = 256;

  private final Limits limits;
  private final LongConsumer progress;
  private final List<String> losses = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final ExecutorService threads;
  private final BufferPool buffers;
  private final int threadCount;
  private long doneBytes;

  /**
   * The limits of a conversion.
   *
   * @param memoryBytes the maximum total size of blocks of elements in memory, in bytes
   * @param expandedBytes the maximum total size of decompressed input, in bytes
   * @param writtenBytes the maximum total size of elements that are written, in bytes
   * @param lenient whether content that the target cannot hold is left out and listed
   */
  public record Limits(long memoryBytes, long expandedBytes, long writtenBytes, boolean lenient) {}

  /** Receives blocks of a variable's elements. Called from several threads concurrently. */
  @FunctionalInterface
  public interface BlockSink {

    /**
     * Receives one block.
     *
     * @param box the box of elements
     * @param elements the elements, in row-major order and in the memory form of the variable's
     *     type; valid only during the call
     */
    void accept(Box box, DataBuffer elements);
  }

  /**
   * Starts the threads.
   *
   * @param limits the limits
   * @param progress receives the number of bytes of elements done
   */
  public ConversionRun(Limits limits, LongConsumer progress) {
    this.limits = limits;
    this.progress = progress;
    this.threadCount = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    this.threads =
        Executors.newFixedThreadPool(
            threadCount,
            task -> {
              Thread thread = new Thread(task, "hyperslab-convert");
              thread.setDaemon(true);
              return thread;
            });
    this.buffers = new BufferPool(limits.memoryBytes());
  }

  /**
   * Returns the limit on memory.
   *
   * @return the maximum total size of blocks of elements in memory, in bytes
   */
  public long memoryBytes() {
    return limits.memoryBytes();
  }

  /** Returns whether content that the target cannot hold is left out and listed. */
  public boolean isLenient() {
    return limits.lenient();
  }

  /**
   * Records that the target cannot hold some content of the source.
   *
   * @param what the content and the reason, such as "an object reference has no type in NumPy"
   * @param path the path of the object with this content
   * @throws UnsupportedFeatureException unless the options are lenient
   */
  public void reportLoss(String what, String path) {
    reportLoss(what, path, "");
  }

  /**
   * Records that the target cannot hold some content of the source, but another one can.
   *
   * @param what the content and the reason
   * @param path the path of the object with this content
   * @param instead what the user can do instead of leaving it out; ends in "or "
   * @throws UnsupportedFeatureException unless the options are lenient
   */
  public void reportLoss(String what, String path, String instead) {
    if (!limits.lenient()) {
      throw new UnsupportedFeatureException(
          "conversion: actual="
              + what
              + ", expected=content that the target can hold; "
              + instead
              + "use --lenient to leave it out and list it, at="
              + path);
    }
    synchronized (losses) {
      losses.add(path + ": " + what);
    }
  }

  /**
   * Returns the content that was left out.
   *
   * @return one line for each item
   */
  public List<String> losses() {
    synchronized (losses) {
      return List.copyOf(losses);
    }
  }

  /**
   * Records what the user should know of a choice that the conversion made.
   *
   * @param text the choice, and the option that makes another one
   */
  public void note(String text) {
    synchronized (notes) {
      notes.add(text);
    }
  }

  /**
   * Returns the recorded choices.
   *
   * @return one line for each
   */
  public List<String> notes() {
    synchronized (notes) {
      return List.copyOf(notes);
    }
  }

  /**
   * Moves all elements of a variable in blocks of the shape that its reader prefers.
   *
   * @param variable the variable
   * @param sink takes the blocks
   */
  public void copy(Variable variable, BlockSink sink) {
    copy(variable, block(variable), sink);
  }

  private long[] block(Variable variable) {
    long[] dims = variable.space().dims();
    long most = blockElements(variable);
    long[] block = variable.elements().block(dims, most);
    boolean contiguous =
        variable.traits().chunk().isEmpty() && Arrays.equals(block, Boxes.rows(dims, most));
    return contiguous ? Boxes.rows(dims, contiguousElements(variable)) : block;
  }

  /**
   * Returns the recommended number of elements in a block that is contiguous where it is stored.
   *
   * @param variable the variable
   * @return at least 1
   */
  public long contiguousElements(Variable variable) {
    long most = CONTIGUOUS_BLOCK_BYTES / variable.type().memorySize();
    return Math.max(1, Math.min(blockElements(variable), most));
  }

  /**
   * Moves all elements of a variable in blocks of a shape.
   *
   * @param variable the variable
   * @param block the shape
   * @param sink takes the blocks
   * @throws InvalidUseException if one block exceeds the limit on memory
   */
  public void copy(Variable variable, long[] block, BlockSink sink) {
    if (variable.space().elementCount() == 0) {
      return;
    }
    copy(variable, block, Boxes.cut(variable.space().dims(), block), sink);
  }

  /**
   * Reads all elements of a variable without counting them as progress.
   *
   * @param variable the variable
   * @param sink takes the blocks
   */
  public void scan(Variable variable, BlockSink sink) {
    long[] dims = variable.space().dims();
    long[] block = variable.elements().block(dims, blockElements(variable));
    scan(variable, Boxes.cut(dims, block), sink);
  }

  /**
   * Reads some elements of a variable without counting them as progress.
   *
   * @param variable the variable
   * @param boxes the boxes of elements
   * @param sink takes the blocks
   */
  public void scan(Variable variable, Iterable<Box> boxes, BlockSink sink) {
    parallel(boxes, threadCount, box -> withBlock(variable, box, sink));
  }

  /**
   * Returns the limit on the size of decompressed input.
   *
   * @return the maximum total size in bytes
   */
  public long expandedBytes() {
    return limits.expandedBytes();
  }

  /**
   * Moves some elements of a variable.
   *
   * @param variable the variable
   * @param largest a shape that contains every box
   * @param boxes the boxes of elements
   * @param sink takes the boxes
   * @throws InvalidUseException if one box exceeds the limit on memory
   */
  public void copy(Variable variable, long[] largest, Iterable<Box> boxes, BlockSink sink) {
    long bytes =
        Math.multiplyExact(Dataspace.product(largest), (long) variable.type().memorySize());
    requireRoom(variable, bytes);
    parallel(
        boxes,
        lanes(bytes),
        box -> {
          withBlock(variable, box, sink);
          advance(Math.multiplyExact(box.elements(), (long) variable.type().memorySize()));
        });
  }

  /**
   * Returns how many blocks can be in memory at the same time.
   *
   * @param bytes the size of a block in bytes
   * @return a number of threads, at least 1
   */
  public int lanes(long bytes) {
    return (int) Math.max(1, Math.min(threadCount, limits.memoryBytes() / Math.max(1, bytes)));
  }

  /**
   * Moves all elements of a variable in row-major order, one block at a time.
   *
   * @param variable the variable
   * @param sink takes the blocks
   */
  public void copyInOrder(Variable variable, BlockSink sink) {
    long[] dims = variable.space().dims();
    for (Box box : Boxes.cut(dims, Boxes.rows(dims, blockElements(variable)))) {
      withBlock(variable, box, sink);
      advance(Math.multiplyExact(box.elements(), (long) variable.type().memorySize()));
    }
  }

  /**
   * Lends memory for elements that are not moved by {@link #copy}.
   *
   * @param bytes the size in bytes
   * @return the memory, to be closed
   */
  public Lease take(long bytes) {
    return buffers.take(bytes);
  }

  private void requireRoom(Variable variable, long bytes) {
    if (bytes > limits.memoryBytes()) {
      throw new InvalidUseException(
          "memory for a block: actual="
              + limits.memoryBytes()
              + " bytes, expected at least "
              + bytes
              + "; raise --memory, at="
              + variable.path());
    }
  }

  private void withBlock(Variable variable, Box box, BlockSink sink) {
    long bytes = Math.multiplyExact(box.elements(), (long) variable.type().memorySize());
    try (Lease lease = buffers.take(bytes)) {
      VlenHeap heap =
          variable.type().hasOutOfLineParts()
              ? new VlenHeap(limits.memoryBytes())
              : VlenHeap.none();
      DataBuffer elements = new DataBuffer(lease.segment(), heap);
      variable.elements().read(box.start(), box.count(), elements);
      sink.accept(box, elements);
    }
  }

  /**
   * Returns the recommended number of elements in a block of a variable.
   *
   * @param variable the variable
   * @return at least 1
   */
  public long blockElements(Variable variable) {
    long bytes =
        Math.max(1, Math.min(LARGEST_BLOCK_BYTES, limits.memoryBytes() / (2L * threadCount)));
    long element =
        variable.type().hasOutOfLineParts()
            ? variable.type().memorySize() + ELEMENT_WITH_HEAP_BYTES
            : variable.type().memorySize();
    return Math.max(1, bytes / element);
  }

  /**
   * Performs an action for each of a list of items, several at a time.
   *
   * @param <T> the type of the items
   * @param things the items, processed in order
   * @param most the maximum number of items processed concurrently
   * @param action the action, called from several threads; the first failure cancels the rest
   */
  public <T> void parallel(Iterable<T> things, int most, Consumer<T> action) {
    Iterator<T> each = things.iterator();
    int lanes = Math.min(most, threadCount);
    if (lanes <= 1) {
      each.forEachRemaining(action);
      return;
    }
    Items<T> items = new Items<>(each);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      running.add(threads.submit(() -> items.drain(action)));
    }
    await(running, items);
  }

  /** Items that several threads process, until one fails. */
  private static final class Items<T> {
    private final Iterator<T> left;
    private boolean stopped;

    Items(Iterator<T> left) {
      this.left = left;
    }

    /** Returns the next item; null if there is none, or if the rest is not to be processed. */
    private synchronized @Nullable T next() {
      return stopped || !left.hasNext() ? null : left.next();
    }

    synchronized void stop() {
      stopped = true;
    }

    void drain(Consumer<T> action) {
      try {
        for (T item = next(); item != null; item = next()) {
          action.accept(item);
        }
      } catch (RuntimeException | Error failure) {
        stop();
        throw failure;
      }
    }
  }

  /**
   * Waits until all threads have ended, also after an interrupt: until then they use files and
   * memory that the caller is about to close.
   */
  private static void await(List<Future<?>> running, Items<?> items) {
    RuntimeException first = null;
    boolean interrupted = false;
    for (Future<?> lane : running) {
      interrupted |= isInterruptedUntilEnd(lane, items);
      if (lane.state() == Future.State.FAILED && first == null) {
        first = typed(lane.exceptionNow());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new CancellationException("conversion: interrupted");
    }
    if (first != null) {
      throw first;
    }
  }

  private static boolean isInterruptedUntilEnd(Future<?> lane, Items<?> items) {
    boolean interrupted = false;
    while (!lane.isDone()) {
      try {
        lane.get();
      } catch (ExecutionException failed) {
        return interrupted; // the caller looks why
      } catch (InterruptedException stop) {
        interrupted = true;
        items.stop();
      }
    }
    return interrupted;
  }

  private static RuntimeException typed(Throwable failure) {
    return failure instanceof RuntimeException known
        ? known
        : new InternalErrorException("conversion: failed", failure);
  }

  /**
   * Counts elements as progress that were not moved by {@link #copy}.
   *
   * @param bytes the size of the elements in bytes
   */
  public void advance(long bytes) {
    synchronized (progress) {
      doneBytes += bytes;
      if (doneBytes > limits.writtenBytes()) {
        throw tooMuch(doneBytes + " bytes of elements so far", limits.writtenBytes());
      }
      progress.accept(doneBytes);
    }
  }

  /** Returns the error for an output that is much larger than what the input has. */
  public static UnsupportedFeatureException tooMuch(String actual, long most) {
    return new UnsupportedFeatureException(
        "output: actual="
            + actual
            + ", expected<="
            + most
            + ", because most are not in the input; --max-expanded raises the limit");
  }

  /** Stops the threads and frees the memory. */
  @Override
  public void close() {
    threads.shutdownNow();
    buffers.close();
  }
}
