package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a server rejects options that it cannot follow, instead of failing later. */
final class ServerOptionsTest {

  private static final int LONGER_THAN_A_SOCKET = 150;

  @TempDir private Path folder;

  private ServerOptions options(Address address) {
    return ServerOptions.of(address, folder.resolve("root"));
  }

  @Test
  void numbersOutOfRangeAreRejected() {
    ServerOptions options = options(Address.parse("127.0.0.1:0"));
    assertThatThrownBy(() -> options.withThreads(100_000))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("100000");
    assertThatThrownBy(() -> options.withGrace(Duration.ofSeconds(-1)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("-1 s");
  }

  @Test
  void socketsThatNoClientCouldReachAreRejected() throws IOException {
    Path longer = Files.createDirectory(folder.resolve("x"));
    String name = "s".repeat(LONGER_THAN_A_SOCKET);
    assertThatThrownBy(() -> StageServer.start(options(new Address.Unix(longer + "/" + name))))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("too long");
    assertThat(longer).isEmptyDirectory();
  }

  @Test
  void filesThatAreNoKeysAreNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("key"), "no key");
    ServerOptions secured =
        options(Address.parse("127.0.0.1:0"))
            .withSecrets(Optional.empty(), Optional.of(new Security(file, file, file)));
    assertThatThrownBy(() -> StageServer.start(secured))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("keys for TLS")
        .hasMessageContaining(file.toString());
  }

  @Test
  void peersWithoutTheServerItselfAreRejected() {
    ServerOptions one =
        options(new Address.Unix(folder.resolve("one").toString()))
            .withPeers(List.of(Address.parse("unix:/two"), Address.parse("127.0.0.1:7070")));
    assertThatThrownBy(() -> StageServer.start(one))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("peers: actual=unix:/two,127.0.0.1:7070")
        .hasMessageContaining("/one");
  }

  @Test
  void peersMayNameTheServerByAnotherNameOfItsHost() {
    List<Address> peers = List.of(Address.parse("localhost:7070"));
    for (String listening : List.of("127.0.0.1:7070", "0.0.0.0:7070", "localhost:7070")) {
      assertThatNoException()
          .as(listening)
          .isThrownBy(
              () -> StagePeers.requireOwn(options(Address.parse(listening)).withPeers(peers)));
    }
    assertThatThrownBy(
            () -> StagePeers.requireOwn(options(Address.parse("127.0.0.1:7071")).withPeers(peers)))
        .isInstanceOf(InvalidUseException.class);
  }
}
