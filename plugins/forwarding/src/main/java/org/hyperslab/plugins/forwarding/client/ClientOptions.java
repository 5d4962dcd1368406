package org.hyperslab.plugins.forwarding.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorOptions;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;

/**
 * The options of a client.
 *
 * @param servers the servers of files whose names do not name one
 * @param name the client's name, shown in the servers' status
 * @param token the secret that servers require, or empty
 * @param security the keys, required for addresses on other machines
 * @param acknowledge when edits complete, unless the operation sets its own level
 * @param windowBytes the largest number of bytes under way to a server; 0 to let the server choose
 * @param timeout the time limit of an operation; zero for no limit
 * @param reconnect the time for which the client tries to replace a lost connection
 * @param awaited the time for which servers are asked to keep the session of a lost connection;
 *     zero, to let them choose, unless {@code reconnect} was given
 * @param stripeBytes the size of a stripe in bytes; 0 to send all raw data to a file's home
 * @param observes whether the client only asks for the servers' status
 */
record ClientOptions(
    List<Address> servers,
    String name,
    String token,
    Optional<Security> security,
    Acknowledge acknowledge,
    long windowBytes,
    Duration timeout,
    Duration reconnect,
    Duration awaited,
    long stripeBytes,
    boolean observes) {

  /** The property of a transfer that limits its duration, in milliseconds. */
  static final String TIMEOUT = "timeoutMillis";

  private static final int LONGEST_SECONDS = 1 << 20;

  /** {@return the time limit of an operation; zero for no limit} */
  Duration timeout(Operation<?> operation) {
    String own =
        switch (operation) {
          case DatasetOperation.Read o -> o.transfer().options().properties().get(TIMEOUT);
          case DatasetOperation.Write o -> o.transfer().options().properties().get(TIMEOUT);
          case DatasetOperation.Multi o -> o.options().properties().get(TIMEOUT);
          default -> null;
        };
    if (own == null) {
      return timeout;
    }
    try {
      return Duration.ofMillis(Math.clamp(Long.parseLong(own), 0, 1000L * LONGEST_SECONDS));
    } catch (NumberFormatException notANumber) {
      throw new InvalidUseException(
          "transfer property " + TIMEOUT + ": actual=" + own + ", expected=a whole number",
          notANumber);
    }
  }

  static ClientOptions of(ConnectorConfiguration configuration) {
    ConnectorOptions read = configuration.read();
    List<Address> servers = new ArrayList<>();
    for (String server : read.text("servers").orElse("").split(",")) {
      if (!server.isBlank()) {
        servers.add(Address.parse(server.trim()));
      }
    }
    ClientOptions options =
        new ClientOptions(
            servers,
            read.text("name").orElse("client"),
            read.text("tokenFile").map(ClientOptions::secret).orElse(""),
            security(read),
            Acknowledge.parse(read.text("acknowledge").orElse("applied")),
            read.bytes("window", 0, 0, Long.MAX_VALUE),
            Duration.ofSeconds(read.number("timeout", 0, 0, LONGEST_SECONDS)),
            Duration.ofSeconds(read.number("reconnect", 20, 0, LONGEST_SECONDS)),
            Duration.ofSeconds(read.number("reconnect", 0, 0, LONGEST_SECONDS)),
            read.bytes("stripe", 4 << 20, 0, Long.MAX_VALUE),
            read.flag("observe", false));
    read.rejectUnknownAndBelow();
    return options;
  }

  /**
   * The time for which a server tries to reconnect to another one. It is short, because closing a
   * file waits for it and because a server that has stopped has lost its sessions.
   */
  private static final Duration PEER_RECONNECT = Duration.ofSeconds(2);

  /** {@return the options with which a server connects to another one} */
  static ClientOptions peer(
      Address server, String name, Optional<String> token, Optional<Security> security) {
    return new ClientOptions(
        List.of(server),
        name,
        token.orElse(""),
        security,
        Acknowledge.APPLIED,
        1 << 20,
        Duration.ZERO,
        PEER_RECONNECT,
        Duration.ZERO,
        0,
        false);
  }

  private static String secret(String file) {
    try {
      return requireSecret(Files.readString(Path.of(file)).strip(), file);
    } catch (IOException e) {
      throw new StorageException("token: actual=" + e + ", expected=a file, at=" + file, e);
    }
  }

  private static String requireSecret(String secret, String file) {
    if (secret.isEmpty()) {
      throw new InvalidUseException("token: actual=empty, expected=a secret, at=" + file);
    }
    return secret;
  }

  private static Optional<Security> security(ConnectorOptions read) {
    Optional<String> certificate = read.text("certificate");
    Optional<String> key = read.text("key");
    Optional<String> trust = read.text("trust");
    if (certificate.isEmpty() && key.isEmpty() && trust.isEmpty()) {
      return Optional.empty();
    }
    if (certificate.isEmpty() || key.isEmpty() || trust.isEmpty()) {
      throw new InvalidUseException(
          "TLS options: actual=only some given, expected=certificate, key and trust together");
    }
    return Optional.of(
        new Security(Path.of(certificate.get()), Path.of(key.get()), Path.of(trust.get())));
  }
}
