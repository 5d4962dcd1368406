package org.hyperslab.web.http;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.request.ByteRange;
import org.hyperslab.web.request.ErrorReplies;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;

/**
 * Handles the requests of one connection in turn: the next is read when the last byte of a reply
 * has been passed to the operating system.
 */
final class Exchanges extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final String ABSOLUTE = "http://";

  /** The maximum number of query parameters that are parsed. */
  private static final int PARAMETERS = 256;

  /** The time limit for sending one piece of a reply. */
  private static final int PATIENCE_SECONDS = 60;

  private static final Map<String, String> SAFETY =
      Map.of(
          "x-content-type-options",
          "nosniff",
          "referrer-policy",
          "no-referrer",
          "cross-origin-resource-policy",
          "same-origin",
          "x-frame-options",
          "DENY",
          "content-security-policy",
          // ndarray, which h5web uses for arrays, compiles its loops from text.
          "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline';"
              + " img-src 'self' data: blob:; worker-src 'self' blob:; frame-ancestors 'none';"
              + " base-uri 'none'; form-action 'none'");

  private final HttpServer server;
  private final ReadAhead ahead;

  /** The request that is handled; null while the next is awaited. */
  private Exchange current;

  /** Whether the connection is closed after the reply. */
  private boolean ending;

  Exchanges(HttpServer server, ReadAhead ahead) {
    this.server = server;
    this.ahead = ahead;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.read();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (current == null && !ending) {
      context.read(); // a request has arrived in part
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (current != null) {
      current.budget.cancel();
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
    ahead.stopLimit();
    if (!message.decoderResult().isSuccess()) {
      refuse(context, 400, "request: actual=not HTTP/1.1, or too long");
      return;
    }
    try {
      begin(context, parsed(message), HttpUtil.isKeepAlive(message));
    } catch (IllegalArgumentException notUtf8) {
      refuse(context, 400, "address: actual=malformed escapes, expected=UTF-8");
    }
  }

  private void begin(ChannelHandlerContext context, WebRequest request, boolean keep) {
    server.busy(context.channel());
    current = new Exchange(context, request, keep);
    Exchange started = current;
    try {
      server.threads(request).execute(started::start);
    } catch (RejectedExecutionException full) {
      current = null;
      started.budget.end();
      refuse(context, 503, "requests: actual=too many at once");
    }
  }

  /** Refuses what cannot be handled, and closes the connection. */
  private void refuse(ChannelHandlerContext context, int status, String message) {
    ending = true;
    WebReply reply = ErrorReplies.reply(status, message);
    long length = reply.body().length();
    context.write(head(reply, ByteRange.all(length), false));
    reply
        .body()
        .pieces(0, length)
        .forEachRemaining(
            piece -> context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(piece))));
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(ChannelFutureListener.CLOSE);
  }

  private static WebRequest parsed(FullHttpRequest message) {
    ListMultimap<String, String> headers = LinkedListMultimap.create();
    message
        .headers()
        .forEach(each -> headers.put(each.getKey().toLowerCase(Locale.ROOT), each.getValue()));
    String target = message.uri();
    if (target.regionMatches(true, 0, ABSOLUTE, 0, ABSOLUTE.length())) {
      // The absolute form of proxies (RFC 9112, section 3.2.2): its host counts, not the header's.
      int slash = (target + "/").indexOf('/', ABSOLUTE.length());
      int end = target.indexOf('?') < 0 ? slash : Math.min(slash, target.indexOf('?'));
      headers.replaceValues("host", List.of(target.substring(ABSOLUTE.length(), end)));
      target = end == target.length() ? "/" : target.substring(end);
    }
    QueryStringDecoder uri =
        QueryStringDecoder.builder()
            .charset(StandardCharsets.ISO_8859_1)
            .maxParams(PARAMETERS)
            .build(target);
    ImmutableListMultimap.Builder<String, String> query = ImmutableListMultimap.builder();
    uri.parameters()
        .forEach((name, values) -> values.forEach(value -> query.put(text(name), text(value))));
    String path = uri.path().isEmpty() ? "/" : text(uri.path());
    return new WebRequest(
        message.method().name(), path, query.build(), ImmutableListMultimap.copyOf(headers));
  }

  /** Returns the text of decoded bytes, each a character; names need not be UTF-8. */
  private static String text(String bytes) {
    return NameBytes.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** One request and its reply. No thread waits while the client receives a piece. */
  private final class Exchange {
    private final RequestBudget budget = server.budget();
    private final ChannelHandlerContext context;
    private final WebRequest request;
    private final boolean keep;
    private WebReply reply;
    private boolean hasFailed;
    private HttpResponse head;
    private Iterator<ByteBuffer> pieces;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Exchange(ChannelHandlerContext context, WebRequest request, boolean keep) {
      this.context = context;
      this.request = request;
      this.keep = keep;
    }

    private void start() {
      budget.resume();
      use(answered());
      step();
    }

    private WebReply answered() {
      if (!request.method().equals("GET") && !isHead()) {
        return ErrorReplies.reply(405, "method: actual=another, expected=GET or HEAD")
            .with("allow", "GET, HEAD");
      }
      try {
        budget.check(); // it may have waited long for a thread
        return server.handler().answer(request, budget);
      } catch (RuntimeException | OutOfMemoryError | StackOverflowError unexpected) {
        hasFailed = true;
        return server.handler().failed(unexpected);
      }
    }

    private boolean isHead() {
      return request.method().equals("HEAD");
    }

    private void use(WebReply made) {
      reply = made;
      long length = made.body().length();
      Optional<ByteRange> range =
          Optional.of(made.status())
              .filter(status -> status == 200)
              .flatMap(_ -> request.header("range"))
              // No reply has a validator, so that none in If-Range can match (RFC 9110, 13.1.5).
              .filter(_ -> request.header("if-range").isEmpty())
              .map(header -> ByteRange.parse(header, length))
              .orElse(Optional.of(ByteRange.all(length)));
      if (range.isEmpty()) {
        made.body().close();
        use(
            ErrorReplies.reply(
                    416, "range: actual=beyond the end, expected=within " + length + " bytes")
                .with("content-range", "bytes */" + length));
        return;
      }
      head = head(made, range.get(), keep);
      try {
        pieces =
            isHead()
                ? Collections.emptyIterator()
                : made.body().pieces(range.get().from(), range.get().endExclusive());
      } catch (RuntimeException | OutOfMemoryError failure) {
        made.body().close();
        fail(failure);
      }
    }

    /** Replies with a failure, for which the budget no longer counts. */
    private void fail(Throwable failure) {
      hasFailed = true;
      use(server.handler().failed(failure));
    }

    /** Produces the next piece, on a thread of the server. */
    private void next() {
      budget.resume();
      step();
    }

    private void step() {
      ByteBuffer piece;
      try {
        if (!hasFailed) {
          budget.check();
        }
        piece = pieces.hasNext() ? pieces.next() : null;
      } catch (RuntimeException | OutOfMemoryError failure) {
        if (head == null || hasFailed) {
          giveUp(); // the client notices by the length that data is missing
        } else {
          reply.body().close();
          fail(failure);
          step();
        }
        return;
      }
      budget.pause();
      send(piece);
    }

    private void send(ByteBuffer piece) {
      if (head != null) {
        context.write(head);
        head = null;
      }
      if (piece == null) {
        close();
        context
            .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
            .addListener(sent -> end(sent.isSuccess()));
        return;
      }
      ChannelFuture written =
          context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)));
      try {
        var patience =
            context.executor().schedule(this::giveUp, PATIENCE_SECONDS, TimeUnit.SECONDS);
        written.addListener(sent -> {
          patience.cancel(false);
          written(sent.isSuccess());
        });
      } catch (RejectedExecutionException serverCloses) {
        close();
      }
    }

    private void written(boolean isSent) {
      try {
        if (isSent) {
          server.threads(request).execute(this::next);
          return;
        }
      } catch (RejectedExecutionException stopping) {
        // Given up below.
      }
      close();
      context.close();
    }

    private void giveUp() {
      budget.cancel();
      context.close().addListener(closed -> close());
    }

    /** Releases what the reply has used. */
    private void close() {
      if (!isClosed.getAndSet(true)) {
        reply.body().close();
        budget.end();
      }
    }

    private void end(boolean isSent) {
      current = null;
      server.waiting(context.channel());
      if (keep && isSent) {
        context.read();
      } else {
        ending = true;
        context.close();
      }
    }
  }

  private static HttpResponse head(WebReply reply, ByteRange range, boolean keep) {
    long length = reply.body().length();
    boolean partial = reply.status() == 200 && !range.isWhole(length);
    HttpResponse response =
        new DefaultHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(partial ? 206 : reply.status()));
    SAFETY.forEach(response.headers()::set);
    response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    reply.headers().forEach(response.headers()::set);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, range.endExclusive() - range.from());
    if (reply.status() == 200) {
      response.headers().set(HttpHeaderNames.ACCEPT_RANGES, "bytes");
    }
    if (partial) {
      response
          .headers()
          .set(
              HttpHeaderNames.CONTENT_RANGE,
              "bytes " + range.from() + "-" + (range.endExclusive() - 1) + "/" + length);
    }
    HttpUtil.setKeepAlive(response, keep);
    return response;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ReadAhead.TOO_SLOW && current == null && !ending) {
      refuse(context, 408, "request: actual=incomplete, expected=complete within some seconds");
    } else if (event instanceof IdleStateEvent && current == null) {
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
