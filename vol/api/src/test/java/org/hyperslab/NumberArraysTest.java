package org.hyperslab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that reading many numbers as a narrower type uses pooled memory and returns it. */
final class NumberArraysTest {

  private static final int COUNT = 100_003;
  private static final Values.Request LONGS =
      Values.Request.of(Datatypes.I64LE, Dataspace.simple(COUNT));

  @AfterEach
  void noMemoryIsLent() {
    assertThat(BufferPool.ofProcess().lent()).isZero();
  }

  /** Fills memory with the numbers from {@code first} on. */
  private static void fill(Memory memory, long first) {
    assertThat(BufferPool.ofProcess().lent()).isEqualTo(1);
    for (int i = 0; i < COUNT; i++) {
      memory.data().elements().setAtIndex(ValueLayout.JAVA_LONG, i, first + i);
    }
  }

  private static void requireFrom(int first, Object array) {
    int[] ints = (int[]) array;
    assertThat(ints).hasSize(COUNT).startsWith(first, first + 1).endsWith(first + COUNT - 1);
  }

  @Test
  void memoryIsReturnedAfterReads() {
    requireFrom(-7, Values.read(LONGS, int[].class, memory -> fill(memory, -7)));
    int[] into = new int[COUNT];
    Values.readInto(into, LONGS, filledLater(5, new CompletableFuture<>())).join();
    requireFrom(5, into);
  }

  @Test
  void memoryIsReturnedAfterRefusals() {
    long first = Integer.MAX_VALUE - 80_000L;
    assertThatThrownBy(() -> Values.read(LONGS, int[].class, memory -> fill(memory, first)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=2147483648 at index 80001 in row-major order");
    CompletableFuture<Object> later =
        Values.readAsync(LONGS, int[].class, filledLater(first, new CompletableFuture<>()));
    assertThatThrownBy(later::join)
        .hasCauseInstanceOf(InvalidUseException.class)
        .hasMessageContaining("at index 80001");
  }

  @Test
  void memoryIsReturnedAfterFailures() {
    StorageException failure = new StorageException("no disk");
    assertThatThrownBy(() ->
            Values.read(
                LONGS,
                int[].class,
                memory -> {
                  throw failure;
                }))
        .isSameAs(failure);
    assertThatThrownBy(() ->
            Values.readAsync(
                LONGS,
                int[].class,
                memory -> {
                  throw failure;
                }))
        .isSameAs(failure);
    CompletableFuture<Object> failed =
        Values.readAsync(LONGS, int[].class, memory -> CompletableFuture.failedFuture(failure));
    assertThatThrownBy(failed::join).hasCause(failure);
  }

  @Test
  void memoryIsLentUntilTheReadEndsEvenIfItsCallerCancels() {
    CompletableFuture<Void> read = new CompletableFuture<>();
    CompletableFuture<Object> value = Values.readAsync(LONGS, int[].class, memory -> read);
    assertThat(value.cancel(true)).isTrue();
    assertThat(BufferPool.ofProcess().lent()).isEqualTo(1);
    read.complete(null);
  }

  /** A reader that fills memory once its future has been asked for. */
  private static Function<Memory, CompletableFuture<Void>> filledLater(
      long first, CompletableFuture<Void> read) {
    return memory -> {
      fill(memory, first);
      return read.completeAsync(() -> null);
    };
  }
}
