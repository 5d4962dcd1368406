package org.hyperslab.web;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.StorageException;

/**
 * Handles the requests of one connection in turn: the next is read when the last byte of a reply
 * has been passed to the operating system.
 */
final class Exchanges extends SimpleChannelInboundHandler<FullHttpRequest> {

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

  private final HandlerSlot answers;
  private final Executor workers;

  /** Whether a request is being handled, during which the client need not send anything. */
  private volatile boolean busy;

  Exchanges(HandlerSlot answers, Executor workers) {
    this.answers = answers;
    this.workers = workers;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
    context.channel().config().setAutoRead(false);
    if (!message.decoderResult().isSuccess()) {
      end(
          context,
          ErrorReplies.reply(400, "request: actual=not HTTP/1.1, or too long"),
          false,
          true);
      return;
    }
    boolean keep = HttpUtil.isKeepAlive(message);
    boolean head = message.method().name().equals("HEAD");
    WebRequest request;
    try {
      request = parsed(message);
    } catch (IllegalArgumentException notUtf8) {
      end(
          context,
          ErrorReplies.reply(400, "address: actual=malformed escapes, expected=UTF-8"),
          keep,
          head);
      return;
    }
    try {
      busy = true;
      workers.execute(() -> end(context, answered(request), keep, head, request.header("range")));
    } catch (RejectedExecutionException full) {
      end(context, ErrorReplies.reply(503, "requests: actual=too many at once"), keep, head);
    }
  }

  private static WebRequest parsed(FullHttpRequest message) {
    QueryStringDecoder uri =
        QueryStringDecoder.builder().maxParams(PARAMETERS).build(message.uri());
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : message.headers().names()) {
      headers.put(name.toLowerCase(Locale.ROOT), message.headers().getAll(name));
    }
    return new WebRequest(message.method().name(), uri.path(), uri.parameters(), headers);
  }

  private WebReply answered(WebRequest request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return ErrorReplies.reply(405, "method: actual=another, expected=GET or HEAD")
          .with("allow", "GET, HEAD");
    }
    try {
      return answers.answer(request);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError unexpected) {
      return ErrorReplies.reply(unexpected);
    }
  }

  private void end(ChannelHandlerContext context, WebReply reply, boolean keep, boolean head) {
    end(context, reply, keep, head, Optional.empty());
  }

  private void end(
      ChannelHandlerContext context,
      WebReply reply,
      boolean keep,
      boolean head,
      Optional<String> asked) {
    long length = reply.body().length();
    Optional<ByteRange> range =
        reply.status() == 200
            ? asked.map(header -> ByteRange.parse(header, length)).orElse(whole(length))
            : whole(length);
    if (range.isEmpty()) {
      WebReply none =
          ErrorReplies.reply(
                  416, "range: actual=beyond the end, expected=within " + length + " bytes")
              .with("content-range", "bytes */" + length);
      send(context, none, ByteRange.all(none.body().length()), keep, head);
      return;
    }
    send(context, reply, range.get(), keep, head);
  }

  private static Optional<ByteRange> whole(long length) {
    return Optional.of(ByteRange.all(length));
  }

  private void send(
      ChannelHandlerContext context, WebReply reply, ByteRange range, boolean keep, boolean head) {
    Output output = new Output(context, head(reply, range, keep));
    try (WebBody body = reply.body()) {
      if (!head && range.endExclusive() > range.from()) {
        body.write(range.from(), range.endExclusive(), output);
      }
    } catch (RuntimeException | OutOfMemoryError failure) {
      if (output.begun) {
        context.close(); // the client notices by the length that data is missing
      } else {
        WebReply problem = ErrorReplies.reply(failure);
        send(context, problem, ByteRange.all(problem.body().length()), keep, head);
      }
      return;
    }
    output.begin();
    busy = false;
    ChannelFuture last = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    if (keep) {
      context.channel().config().setAutoRead(true);
    } else {
      last.addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Sends the content to the client; the head is sent before the first piece, when that is
   * available.
   */
  private static final class Output implements WebBody.Sink {
    private final ChannelHandlerContext context;
    private final HttpResponse head;
    private boolean begun;

    Output(ChannelHandlerContext context, HttpResponse head) {
      this.context = context;
      this.head = head;
    }

    void begin() {
      if (!begun) {
        begun = true;
        context.write(head);
      }
    }

    @Override
    public void accept(byte[] bytes, int offset, int count) {
      begin();
      ChannelFuture written =
          context.writeAndFlush(
              new DefaultHttpContent(Unpooled.wrappedBuffer(bytes, offset, count)));
      // A reply of any length thus takes the memory of one piece, and nothing is read for a client
      // that has left.
      if (!context.executor().inEventLoop()
          && (!written.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS)
              || !written.isSuccess())) {
        throw new StorageException(
            "reply: actual=the client stopped reading, expected=the whole " + "reply read");
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
    if (event instanceof IdleStateEvent && !busy) {
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
