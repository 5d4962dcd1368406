package org.hyperslab.vol.passthrough;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FakeConnector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class AsyncConnectorTest {

  private final Map<Operation<?>, CompletableFuture<Object>> held = new ConcurrentHashMap<>();
  private final FakeConnector below =
      new FakeConnector(
          operation -> held.getOrDefault(operation, CompletableFuture.completedFuture(null)));
  private final AsyncConnector async = new AsyncConnector(below, 2, 16);

  @AfterEach
  void close() {
    held.values().forEach(future -> future.complete(null));
    async.close();
    assertThat(below.isClosed()).isTrue();
  }

  private Handle open(String name) {
    Handle file = Handle.fresh();
    async.submit(new FileOperation.Open(file, name, OpenOptions.EDIT)).toCompletableFuture().join();
    return file;
  }

  private static GroupOperation.Create create(Handle file, String path) {
    return new GroupOperation.Create(
        Handle.fresh(), new Location(file, path), GroupOptions.DEFAULT, LinkOptions.DEFAULT);
  }

  /** Makes an operation wait until the test completes what this returns. */
  private CompletableFuture<Object> hold(Operation<?> operation) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    held.put(operation, future);
    return future;
  }

  @Test
  void submitReturnsBeforeTheOperationHasCompleted() {
    Handle file = open("a");
    GroupOperation.Create create = create(file, "g");
    CompletableFuture<Object> gate = hold(create);
    CompletableFuture<?> result = async.submit(create).toCompletableFuture();
    assertThat(result).isNotDone();
    gate.complete(null);
    result.join();
  }

  @Test
  void operationsOfOneFileFollowEachOther() {
    Handle file = open("a");
    GroupOperation.Create first = create(file, "g");
    CompletableFuture<Object> gate = hold(first);
    async.submit(first);
    GroupOperation.Create inside = create(first.group(), "h");
    CompletableFuture<?> second = async.submit(inside).toCompletableFuture();
    async.submit(new FileOperation.Exists(Handle.fresh(), "other")).toCompletableFuture().join();
    assertThat(below.submitted()).doesNotContain(inside);
    gate.complete(null);
    second.join();
    List<Operation<?>> order = below.submitted();
    assertThat(order.indexOf(inside)).isGreaterThan(order.indexOf(first));
  }

  @Test
  void otherFilesDoNotWait() {
    Handle one = open("a");
    Handle two = open("b");
    GroupOperation.Create slow = create(one, "g");
    assertThat(hold(slow)).isNotDone();
    async.submit(slow);
    async.submit(create(two, "g")).toCompletableFuture().join();
    assertThat(held.get(slow)).isNotDone();
  }

  @Test
  void copyIsOrderedWithOperationsOfBothFiles() {
    Handle one = open("a");
    Handle two = open("b");
    GroupOperation.Create slow = create(one, "g");
    CompletableFuture<Object> gate = hold(slow);
    async.submit(slow);
    ObjectOperation.Copy copy =
        new ObjectOperation.Copy(
            new Location(one, "g"),
            new Location(two, "g"),
            CopyOptions.DEFAULT,
            LinkOptions.DEFAULT);
    async.submit(copy);
    GroupOperation.Create after = create(two, "h");
    CompletableFuture<?> last = async.submit(after).toCompletableFuture();
    assertThat(last).isNotDone();
    gate.complete(null);
    last.join();
    List<Operation<?>> order = below.submitted();
    assertThat(order.indexOf(copy)).isGreaterThan(order.indexOf(slow));
    assertThat(order.indexOf(after)).isGreaterThan(order.indexOf(copy));
  }

  @Test
  void unobservedFailureIsThrownByTheNextFlush() {
    Handle file = open("a");
    GroupOperation.Create lost = create(file, "g");
    hold(lost).completeExceptionally(new StorageException("disk full"));
    async.submit(lost);
    Throwable failure =
        catchThrowable(
            () -> async.submit(new FileOperation.Flush(file)).toCompletableFuture().join());
    assertThat(Connectors.causeOf(failure)).hasMessage("disk full");
    async.submit(new FileOperation.Flush(file)).toCompletableFuture().join();
  }

  @Test
  void observedFailureIsThrownOnce() {
    Handle file = open("a");
    GroupOperation.Create create = create(file, "g");
    hold(create).completeExceptionally(new StorageException("disk full"));
    CompletableFuture<?> seen = async.submit(create).toCompletableFuture();
    assertThat(catchThrowable(seen::join)).isNotNull();
    async.submit(new FileOperation.Close(file)).toCompletableFuture().join();
  }

  @Test
  void failureSeenThroughADerivedStageCounts() {
    Handle file = open("a");
    GroupOperation.Create create = create(file, "g");
    hold(create).completeExceptionally(new StorageException("disk full"));
    CompletableFuture<?> derived =
        async.submit(create).toCompletableFuture().thenApply(info -> 1).thenApply(one -> 2);
    assertThat(catchThrowable(derived::join)).isNotNull();
    async.submit(new FileOperation.Flush(file)).toCompletableFuture().join();
  }

  @Test
  void fullQueueBlocksUntilOneHasCompleted() throws InterruptedException {
    AsyncConnector narrow = new AsyncConnector(below, 1, 1);
    Handle file = Handle.fresh();
    narrow.submit(new FileOperation.Open(file, "a", OpenOptions.EDIT)).toCompletableFuture().join();
    GroupOperation.Create slow = create(file, "g");
    CompletableFuture<Object> gate = hold(slow);
    narrow.submit(slow);
    CountDownLatch submitted = new CountDownLatch(1);
    Thread second =
        new Thread(() -> {
          narrow.submit(create(file, "h"));
          submitted.countDown();
        });
    second.start();
    while (second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(submitted.getCount()).isEqualTo(1);
    gate.complete(null);
    second.join();
    narrow.close();
  }

  /** As many callbacks wait as there are threads, for operations that need a thread. */
  @Test
  @Timeout(60)
  void callbacksMayWaitForOtherOperations() {
    CompletableFuture<Void> registered = new CompletableFuture<>();
    FakeConnector slow =
        new FakeConnector(operation -> {
          if (operation instanceof GroupOperation.Create) {
            registered.join();
          }
          return CompletableFuture.completedFuture(null);
        });
    try (AsyncConnector two = new AsyncConnector(slow, 2, 16)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (String name : List.of("a.h5", "b.h5")) {
        Handle file = Handle.fresh();
        two.submit(new FileOperation.Open(file, name, OpenOptions.EDIT));
        Runnable flush =
            () -> two.submit(new FileOperation.Flush(file)).toCompletableFuture().join();
        all.add(two.submit(create(file, "g")).toCompletableFuture().thenRun(flush));
      }
      registered.complete(null);
      all.forEach(CompletableFuture::join);
    }
  }

  @Test
  @Timeout(60)
  void aCallbackMayCloseTheConnector() {
    Handle file = open("a.h5");
    GroupOperation.Create slow = create(file, "g");
    CompletableFuture<Object> gate = hold(slow);
    var closing = async.submit(slow).toCompletableFuture().thenRun(async::close);
    gate.completeAsync(() -> null);
    closing.join();
    assertThat(below.isClosed()).isTrue();
  }

  @Test
  void closedConnectorRefuses() {
    AsyncConnector other = new AsyncConnector(below, 1, 4);
    other.close();
    other.close();
    Throwable failure =
        catchThrowable(
            () -> other.submit(create(Handle.fresh(), "g")).toCompletableFuture().join());
    assertThat(Connectors.causeOf(failure)).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void capabilitiesIncludeAsynchronous() {
    assertThat(async.capabilities()).contains(Capability.ASYNCHRONOUS);
    assertThat(Connectors.find(async, FakeConnector.class)).contains(below);
  }
}
