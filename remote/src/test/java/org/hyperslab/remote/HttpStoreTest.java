package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.testkit.store.ByteStoreContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the contract of stores on resources of a web server, with tests of what they add to it. */
final class HttpStoreTest extends ByteStoreContract {
  private RangeServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = new RangeServer();
  }

  @AfterEach
  void stopServer() throws IOException {
    server.close();
  }

  @Override
  protected boolean writable() {
    return false;
  }

  @Override
  protected ByteStore storeWith(byte[] bytes) {
    server.content = bytes;
    return open("/file.h5");
  }

  private ByteStore open(String path) {
    return HttpStores.open(server.uri(path).toString(), Map.of(), new FakeSurroundings());
  }

  @Test
  void asksOnceForNeighbouringPages() {
    try (ByteStore store = storeWith(pattern(1_000_000, 1))) {
      read(store, 100_000, 800_000);
      read(store, 200_000, 100);
      assertThat(server.requests).hasValue(2);
    }
  }

  @Test
  void triesAgainWhenTheServerIsBusy() {
    try (ByteStore store = storeWith(pattern(1_000_000, 1))) {
      server.failures.set(2);
      assertThat(read(store, 500_000, 10)).hasSize(10);
      server.failures.set(100);
      assertThatThrownBy(() -> read(store, 900_000, 10)).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void noticesThatTheResourceChanged() {
    try (ByteStore store = storeWith(pattern(1_000_000, 1))) {
      server.version = "\"2\"";
      assertThatThrownBy(() -> read(store, 500_000, 10)).hasMessageContaining("changed");
    }
  }

  @Test
  void refusesServersWithoutRanges() {
    server.servesRanges = false;
    assertThatThrownBy(() -> storeWith(pattern(100_000, 1))).hasMessageContaining("ranges");
    assertThatThrownBy(() -> open("/absent")).isInstanceOf(NotFoundException.class);
  }
}
