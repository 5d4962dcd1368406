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
import java.util.function.Function;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.web.limit.MemoryShare;
import org.hyperslab.web.limit.MemoryShortage;
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
      current.left();
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
      started.execute(started::start);
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

  /**
   * One request and its reply. No thread waits while the client receives a piece, or while other
   * requests use the memory.
   */
  private final class Exchange {
    private final RequestBudget budget = server.budget();
    private final ChannelHandlerContext context;
    private final WebRequest request;
    private final boolean keep;
    private WebReply reply;
    private ByteRange range;
    private boolean hasFailed;
    private HttpResponse head;
    private Iterator<ByteBuffer> pieces;
    private volatile MemoryShare.Waiter waiter;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Exchange(ChannelHandlerContext context, WebRequest request, boolean keep) {
      this.context = context;
      this.request = request;
      this.keep = keep;
    }

    /** Does something on a thread of the server; whatever fails ends the connection. */
    private void execute(Runnable part) {
      server
          .threads(request)
          .execute(() -> {
            budget.resume();
            try {
              part.run();
            } catch (RuntimeException | Error unexpected) {
              giveUp();
              throw unexpected;
            }
          });
    }

    private void start() {
      try {
        use(answered());
      } catch (MemoryShortage shortage) {
        await(shortage, again -> budget.beginAgain(shortage, again), this::start);
        return;
      }
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
      } catch (MemoryShortage shortage) {
        throw shortage;
      } catch (RuntimeException | OutOfMemoryError | StackOverflowError unexpected) {
        hasFailed = true;
        return server.handler().failed(unexpected);
      }
    }

    /**
     * Lets a part of the request wait for memory, without a thread.
     *
     * @param shortage what is missing
     * @param begin begins to wait, and is told what to do then
     * @param part the part
     */
    private void await(
        MemoryShortage shortage, Function<Runnable, MemoryShare.Waiter> begin, Runnable part) {
      budget.pause();
      MemoryShare.Waiter begun;
      try {
        begun = begin.apply(() -> handOver(part));
      } catch (LimitExceededException never) {
        failAndStep(never);
        return;
      }
      waiter = begun;
      Runnable impatient =
          () -> {
            if (begun.cancel()) {
              handOver(() -> failAndStep(shortage.refusal()));
            }
          };
      try {
        context.executor().schedule(impatient, server.patience().toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException serverCloses) {
        impatient.run();
      }
    }

    /** Does something on a thread of the server, if that has not ended. */
    private void handOver(Runnable part) {
      try {
        execute(part);
      } catch (RejectedExecutionException stopping) {
        giveUp();
      }
    }

    private boolean isHead() {
      return request.method().equals("HEAD");
    }

    private void use(WebReply made) {
      reply = made;
      pieces = null;
      long length = made.body().length();
      Optional<ByteRange> asked =
          Optional.of(made.status())
              .filter(status -> status == 200)
              .flatMap(_ -> request.header("range"))
              // No reply has a validator, so that none in If-Range can match (RFC 9110, 13.1.5).
              .filter(_ -> request.header("if-range").isEmpty())
              .map(header -> ByteRange.parse(header, length))
              .orElse(Optional.of(ByteRange.all(length)));
      if (asked.isEmpty()) {
        made.body().close();
        use(
            ErrorReplies.reply(
                    416, "range: actual=beyond the end, expected=within " + length + " bytes")
                .with("content-range", "bytes */" + length));
        return;
      }
      range = asked.get();
      head = head(made, range, keep);
    }

    /** Replies with a failure, for which the budget no longer counts. */
    private void failAndStep(Throwable failure) {
      if (reply != null && (head == null || hasFailed)) {
        giveUp(); // the client notices by the length that data is missing
        return;
      }
      if (reply != null) {
        reply.body().close();
      }
      hasFailed = true;
      use(server.handler().failed(failure));
      step();
    }

    /** Produces the next piece, on a thread of the server. */
    private void step() {
      ByteBuffer piece;
      try {
        if (!hasFailed) {
          budget.check();
        }
        piece = nextPiece();
      } catch (MemoryShortage shortage) {
        await(shortage, again -> budget.goOn(shortage, again), this::step);
        return;
      } catch (RuntimeException | OutOfMemoryError failure) {
        failAndStep(failure);
        return;
      }
      budget.pause();
      send(piece);
    }

    private ByteBuffer nextPiece() {
      if (pieces == null) {
        pieces =
            isHead()
                ? Collections.emptyIterator()
                : reply.body().pieces(range.from(), range.endExclusive());
      }
      return pieces.hasNext() ? pieces.next() : null;
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

    /** Goes on when a piece was sent; its memory is free before a thread of the server is. */
    private void written(boolean isSent) {
      budget.sent();
      try {
        if (isSent) {
          execute(this::step);
          return;
        }
      } catch (RejectedExecutionException stopping) {
        // Given up below.
      }
      close();
      context.close();
    }

    /** The client has left. */
    private void left() {
      budget.cancel();
      MemoryShare.Waiter waits = waiter;
      if (waits != null && waits.cancel()) {
        close();
      }
    }

    private void giveUp() {
      budget.cancel();
      context.close().addListener(closed -> close());
    }

    /** Releases what the reply has used. */
    private void close() {
      if (!isClosed.getAndSet(true)) {
        if (reply != null) {
          reply.body().close();
        }
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
