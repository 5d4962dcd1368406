package org.hyperslab.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.web.limit.MemoryShare;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.options.WebOptions;
import org.hyperslab.web.request.ErrorReplies;
import org.hyperslab.web.request.WebBody;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;
import org.junit.jupiter.api.Test;

/** Tests that requests which wait for the memory of others need no thread, and all are answered. */
final class MemoryOfRequestsTest {

  private static final int SHARE = 1 << 20;
  private static final int PIECE = SHARE / 2;
  private static final int PIECES = 4;
  private static final int CLIENTS = 32;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_LARGE = 422;

  /** A reply of some pieces. */
  private record Pieces(RequestBudget budget, boolean holdsPieces) implements WebBody {
    @Override
    public long length() {
      return (long) PIECES * PIECE;
    }

    @Override
    public Iterator<ByteBuffer> pieces(long from, long endExclusive) {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < PIECES;
        }

        @Override
        public ByteBuffer next() {
          if (holdsPieces) {
            budget.holdPiece(PIECE);
          }
          next++;
          return ByteBuffer.wrap(new byte[PIECE]);
        }
      };
    }
  }

  private static HttpServer server(Duration patience) {
    HttpServer server =
        HttpServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            WebOptions.Limits.DEFAULT,
            new MemoryShare(SHARE, patience));
    server.answer(new Answers());
    return server;
  }

  /** Answers with pieces that are held one by one, or as a whole, or with too much. */
  private static final class Answers implements HandlerSlot.Handler {
    @Override
    public WebReply answer(WebRequest request, RequestBudget budget) {
      switch (request.path()) {
        case "/whole" -> {
          budget.hold(PIECE);
          budget.hold(PIECE / 2);
        }
        case "/never" -> {
          budget.hold(SHARE);
          budget.hold(SHARE);
        }
        default -> {}
      }
      return WebReply.ok(
          "application/octet-stream", new Pieces(budget, request.path().equals("/pieces")));
    }

    @Override
    public WebReply failed(Throwable failure) {
      return ErrorReplies.reply(
          failure.getMessage().contains("try again") ? UNAVAILABLE : TOO_LARGE,
          failure.getMessage());
    }
  }

  private static HttpResponse<byte[]> get(HttpClient client, HttpServer server, String path) {
    return started(client, server, path).join();
  }

  private static CompletableFuture<HttpResponse<byte[]>> started(
      HttpClient client, HttpServer server, String path) {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    return client.sendAsync(
        HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(2)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static void allAreAnswered(String path) {
    try (HttpServer server = server(Duration.ofMinutes(10));
        HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<HttpResponse<byte[]>>> replies = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        replies.add(started(client, server, path));
      }
      for (CompletableFuture<HttpResponse<byte[]>> reply : replies) {
        assertThat(reply.join().statusCode()).isEqualTo(OK);
        assertThat(reply.join().body()).hasSize(PIECES * PIECE);
      }
    }
  }

  @Test
  void repliesWhoseSourcesTakeTurnsAreAllSent() {
    allAreAnswered("/pieces");
  }

  @Test
  void repliesThatHoldMemoryToTheirEndAreAllSent() {
    allAreAnswered("/whole");
  }

  @Test
  void aRequestForMoreThanThereIsIsRefused() {
    try (HttpServer server = server(Duration.ofMinutes(10));
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(get(client, server, "/never").statusCode()).isEqualTo(TOO_LARGE);
      assertThat(get(client, server, "/whole").statusCode()).isEqualTo(OK);
    }
  }

  @Test
  void aRequestThatWaitsTooLongIsRefused() {
    try (HttpServer server = server(Duration.ofMillis(1));
        HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<HttpResponse<byte[]>>> replies = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        replies.add(started(client, server, "/whole"));
      }
      for (CompletableFuture<HttpResponse<byte[]>> reply : replies) {
        assertThat(reply.join().statusCode()).isIn(OK, UNAVAILABLE);
      }
      assertThat(get(client, server, "/whole").statusCode()).isEqualTo(OK);
    }
  }
}
