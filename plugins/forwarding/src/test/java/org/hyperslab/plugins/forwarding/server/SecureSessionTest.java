package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.wire.TlsFiles;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the client and the server authenticate each other. */
@Timeout(300)
final class SecureSessionTest {

  private static TemporaryFolder secrets;
  private static Path token;
  private TemporaryFolder folder;
  private StageServer server;

  @BeforeAll
  static void makeSecrets() throws IOException, InterruptedException, GeneralSecurityException {
    secrets = TemporaryFolder.create("secrets");
    token = Files.writeString(secrets.file("token"), "a secret\n");
    makeKeys("ours");
    makeKeys("theirs");
  }

  @AfterAll
  static void removeSecrets() {
    secrets.close();
  }

  private static Security ours() {
    return new Security(pem("ours.crt"), pem("ours.key"), pem("ours.crt"));
  }

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("secure");
    Security keys = ours();
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                .withSecrets(Optional.of("a secret"), Optional.of(keys)));
  }

  @AfterEach
  void stop() {
    server.close();
    folder.close();
  }

  private static Path pem(String name) {
    return secrets.path().resolve(name);
  }

  private static void makeKeys(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    makeKeys(secrets.path(), name);
  }

  /** Makes NAME.crt and NAME.key in a folder. */
  static void makeKeys(Path folder, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "k",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes());
    assertThat(made.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    write(folder.resolve(name + ".crt"), "CERTIFICATE", keys.getCertificate("k").getEncoded());
    write(
        folder.resolve(name + ".key"),
        "PRIVATE KEY",
        keys.getKey("k", "changeit".toCharArray()).getEncoded());
  }

  private static void write(Path file, String kind, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
  }

  private void roundTrip(String options) {
    try (Session session =
            Hdf5.session("forwarding servers=" + server.address() + " reconnect=0 " + options);
        H5File file = session.create("secure.h5", CreateOptions.DEFAULT)) {
      double[] values = new double[100_000];
      Arrays.setAll(values, i -> i);
      assertThat(file.createDataset("d", values).read(double[].class)).isEqualTo(values);
    }
  }

  private String keys(String name, String trusted) {
    return "certificate="
        + pem(name + ".crt")
        + " key="
        + pem(name + ".key")
        + " trust="
        + pem(trusted + ".crt");
  }

  @Test
  void writesAndReadsWithKeysAndToken() {
    roundTrip(keys("ours", "ours") + " tokenFile=" + token);
  }

  @Test
  void refusesAClientWithoutToken() {
    assertThatThrownBy(() -> roundTrip(keys("ours", "ours")))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("token");
  }

  @Test
  void refusesAClientWithKeysOfSomebodyElse() {
    assertThatThrownBy(() -> roundTrip(keys("theirs", "ours") + " tokenFile=" + token))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("certificate");
  }

  @Test
  void refusesAServerWithKeysOfSomebodyElse() {
    assertThatThrownBy(() -> roundTrip(keys("ours", "theirs") + " tokenFile=" + token))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("TLS");
  }

  @Test
  void namesAFileThatIsMissing() {
    assertThatThrownBy(() -> roundTrip(keys("missing", "ours")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("no such file")
        .hasMessageContaining("missing.crt");
  }

  @Test
  void namesAKeyOfAnotherCertificate() {
    Security mixed = new Security(pem("ours.crt"), pem("theirs.key"), pem("ours.crt"));
    assertThatThrownBy(() -> TlsFiles.check(mixed, Instant.now()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("theirs.key");
    ServerOptions options =
        ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("mixed"))
            .withSecrets(Optional.empty(), Optional.of(mixed));
    assertThatThrownBy(() -> StageServer.start(options))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("theirs.key");
  }

  @Test
  void saysHowToConvertKeysOfOtherForms() throws IOException {
    for (String form : List.of("RSA", "EC", "DSA", "ENCRYPTED")) {
      Path old = folder.file("old.key");
      Files.writeString(
          old, Files.readString(pem("ours.key")).replace("PRIVATE", form + " PRIVATE"));
      Security keys = new Security(pem("ours.crt"), old, pem("ours.crt"));
      assertThatThrownBy(() -> TlsFiles.check(keys, Instant.now()))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=" + form + " PRIVATE KEY")
          .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt")
          .hasMessageContaining(old.toString());
    }
  }

  @Test
  void namesACertificateThatHasExpired() {
    assertThatThrownBy(() -> TlsFiles.check(ours(), Instant.now().plus(Duration.ofDays(365_000))))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("valid from")
        .hasMessageContaining("ours.crt");
    TlsFiles.check(ours(), Instant.now());
  }

  @Test
  void refusesPlainText() {
    assertThatThrownBy(() -> roundTrip("tokenFile=" + token))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("TLS");
  }

  /** Two servers that know each other's addresses beforehand. */
  private List<StageServer> ring() throws IOException {
    StorageException taken = null;
    for (int attempt = 0; attempt < 20; attempt++) {
      List<Address> addresses = free();
      List<StageServer> ring = new ArrayList<>();
      try {
        for (Address address : addresses) {
          ring.add(
              StageServer.start(
                  ServerOptions.of(address, folder.path().resolve("shared" + attempt))
                      .withSecrets(Optional.of("a secret"), Optional.of(ours()))
                      .withPeers(addresses)));
        }
        return ring;
      } catch (StorageException inUse) {
        // Another process on this machine was assigned the port meanwhile.
        ring.forEach(StageServer::close);
        taken = inUse;
      }
    }
    throw taken;
  }

  /** Two addresses without a listening server. */
  private static List<Address> free() throws IOException {
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket two = new ServerSocket(0)) {
      return List.of(
          new Address.Tcp("127.0.0.1", one.getLocalPort()),
          new Address.Tcp("127.0.0.1", two.getLocalPort()));
    }
  }

  @Test
  void serversShareAFileWithKeysAndTokenBetweenThem() throws IOException {
    List<StageServer> ring = ring();
    try {
      List<Address> addresses = ring.stream().map(StageServer::address).toList();
      String servers = addresses.stream().map(Address::toString).collect(Collectors.joining(","));
      String options = " stripe=1K reconnect=0 " + keys("ours", "ours") + " tokenFile=" + token;
      int[] values = new int[96 * 40];
      Arrays.setAll(values, i -> i);
      try (Session session = Hdf5.session("forwarding servers=" + servers + options);
          H5File file = session.create("ring.h5", CreateOptions.DEFAULT)) {
        Dataset dataset = file.createDataset("m", Datatypes.I32LE, Dataspace.simple(96, 40));
        dataset.write(values);
        assertThat(dataset.read(int[].class)).isEqualTo(values);
      }
      for (StageServer each : ring) {
        assertThat(each.status()).as("a part went over every server").doesNotContain("issued 0 w");
      }
      // The peers themselves use TLS: a server without their keys cannot be a peer.
      assertThatThrownBy(() ->
              Hdf5.session("forwarding reconnect=0 servers=" + addresses.get(1))
                  .create("x.h5", CreateOptions.DEFAULT))
          .isInstanceOf(RemoteException.class);
    } finally {
      ring.forEach(StageServer::close);
    }
  }
}
