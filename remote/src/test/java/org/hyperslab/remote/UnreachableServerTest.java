package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;
import org.junit.jupiter.api.Test;

/** Tests that errors about servers that cannot be reached say in words what to do. */
final class UnreachableServerTest {

  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static void fails(String uri, String... words) {
    assertThatThrownBy(() -> HttpStores.open(uri, Map.of(), new FakeSurroundings()))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining(uri)
        .hasMessageContainingAll(words)
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("Exception", "java.", "\n");
  }

  @Test
  void namesTheServerThatRefusesConnections() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, HERE)) {
      port = socket.getLocalPort();
    }
    String server = HERE.getHostAddress() + ":" + port;
    fails(
        "http://" + server + "/x.h5",
        "actual=no connection to " + server,
        "expected=a server that accepts it",
        "check the host and port");
  }

  @Test
  void namesTheHostThatDoesNotExist() {
    fails(
        "https://host.invalid/x.h5", "actual=no host has the name host.invalid", "check the name");
  }

  @Test
  void saysThatAServerDoesNotEncrypt() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 8, HERE)) {
      Thread.ofVirtual().start(() -> answerInPlainText(socket));
      String server = HERE.getHostAddress() + ":" + socket.getLocalPort();
      fails("https://" + server + "/x.h5", "actual=no secure connection to " + server);
    }
  }

  private static void answerInPlainText(ServerSocket socket) {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        if (client.getInputStream().read(new byte[1 << 16]) > 0) {
          client.getOutputStream().write("no TLS here\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException ended) {
        // The client, or the test.
      }
    }
  }

  @Test
  void countsTheRequestsOfAServerThatIsOverloaded() throws IOException {
    try (RangeServer server = new RangeServer()) {
      server.content = new byte[1];
      server.lie =
          (out, a, b) ->
              out.write(
                  "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
      fails(server.uri("/x.h5").toString(), "actual=HTTP status 503 to 5 requests", "try again");
    }
  }

  @Test
  void tellsHowToReachABucketOfAnotherServer() {
    URI amazon =
        S3Settings.find(Map.of(), Map.of(), Path.of("none"))
            .uri(S3Address.parse("s3://bucket/key"));
    for (IOException cause :
        new IOException[] {new ConnectException(), new HttpConnectTimeoutException("late")}) {
      assertThat(RemoteFailure.of("read", amazon, "s3://bucket/key", cause))
          .hasMessageContainingAll(
              "no connection to bucket.s3.us-east-1.amazonaws.com",
              "at=s3://bucket/key",
              "set s3.endpoint or AWS_ENDPOINT_URL");
    }
    assertThat(
            RemoteFailure.of("read", URI.create("http://localhost/x"), "x", new ConnectException()))
        .message()
        .doesNotContain("s3.endpoint");
  }

  @Test
  void refusesPortsThatDoNotExist() {
    assertThatThrownBy(() -> RemoteStores.open("http://localhost:99999/x.h5", Map.of()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("no port above 65535");
  }
}
