package org.hyperslab.remote;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Receives the body of an answer in an array, and stops the transfer when the server sends more
 * bytes than are wanted.
 *
 * <p>Thread rule: called by one thread at a time of the client; {@link #getBody} by any.
 */
final class RangeBody implements HttpResponse.BodySubscriber<byte[]> {

  private static final int FIRST_BYTES = 1 << 16;

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final int mostBytes;
  private final boolean truncates;
  private final AtomicLong progress;
  private byte[] bytes;
  private int length;
  private Flow.Subscription subscription;

  /**
   * Creates a receiver.
   *
   * @param mostBytes the greatest length to accept; 0 ignores the body
   * @param truncates whether a longer body is cut off; otherwise it is a failure
   * @param progress is increased by the number of bytes that arrive
   */
  RangeBody(int mostBytes, boolean truncates, AtomicLong progress) {
    this.mostBytes = mostBytes;
    this.truncates = truncates;
    this.progress = progress;
    this.bytes = new byte[Math.min(mostBytes, FIRST_BYTES)];
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription made) {
    subscription = made;
    if (mostBytes == 0) {
      made.cancel();
      body.complete(bytes);
    } else {
      made.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      int count = Math.min(buffer.remaining(), mostBytes - length);
      boolean tooLong = count < buffer.remaining();
      if (tooLong && !truncates) {
        subscription.cancel();
        body.completeExceptionally(
            new IOException("body: actual=more than " + mostBytes + " bytes"));
        return;
      }
      append(buffer, count);
      if (tooLong) {
        subscription.cancel();
        onComplete();
        return;
      }
    }
  }

  private void append(ByteBuffer buffer, int count) {
    if (count > bytes.length - length) {
      long doubled = Math.max(length + (long) count, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(mostBytes, doubled));
    }
    buffer.get(bytes, length, count);
    length += count;
    progress.addAndGet(count);
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
  }
}
