package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.journal.SessionRequest;
import org.hyperslab.plugins.forwarding.journal.Underway;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;

/**
 * Carries out the operations of a session: decodes the client's requests, checks that the session
 * may make them, submits the operations, and encodes the results.
 *
 * <p>Thread rule: any thread.
 */
final class SessionOperations {

  /** The longest message without its elements, in bytes. */
  static final int MAX_CONTROL_BYTES = 16 << 20;

  private final SessionServices services;
  private final int number;
  private final long windowBytes;
  private final String client;
  private final Connector view;
  private final Connector inlineView;
  private final EncodingCache encodings = new EncodingCache();
  private final SessionHoldings holdings;

  /**
   * An operation of a request.
   *
   * @param asked the operation in the client's terms
   * @param operation the operation in the server's terms
   */
  record Decoded(Operation<?> asked, Operation<?> operation) {}

  /**
   * Creates the operations of a new session.
   *
   * @param services the parts of the server that sessions use
   * @param number the number of the session
   * @param windowBytes the session's window in bytes
   * @param client the client's name, in printable characters
   */
  SessionOperations(SessionServices services, int number, long windowBytes, String client) {
    this.client = client;
    this.services = services;
    this.number = number;
    this.windowBytes = windowBytes;
    this.view = services.compacting().as(number);
    this.inlineView = services.compacting().runningAs(number);
    this.holdings =
        new SessionHoldings(MemoryGrants.holdingsBytes(windowBytes), services.fileLimit());
  }

  /** {@return the open files and objects of the session} */
  SessionHoldings holdings() {
    return holdings;
  }

  /**
   * Decodes a request and checks that the session may make it.
   *
   * @param request the request
   * @param memory supplies memory for results
   * @return the operation
   * @throws org.hyperslab.error.CorruptFileException if the message is malformed
   * @throws org.hyperslab.error.HyperslabException if the session may not make the request
   */
  Decoded decode(Frame request, LongFunction<MemorySegment> memory) {
    DecodeLimits limits = new DecodeLimits(Integer.MAX_VALUE, Long.MAX_VALUE, windowBytes, memory);
    EncodedMessage encoded = new EncodedMessage(request.control(), request.payload());
    Operation<?> asked = OperationCodec.decode(encoded, limits, this::handle, encodings);
    holdings.checkRoom(asked);
    return new Decoded(asked, admitted(services.names().confined(asked), asked));
  }

  private long handle(long clients) {
    return SessionRequest.handle(number, clients);
  }

  /** Counts a file that is about to be opened, and limits its caches. */
  private Operation<?> admitted(Operation<?> confined, Operation<?> asked) {
    if (confined instanceof FileOperation.Open open) {
      OpenOptions options = admitted(open.file(), asked, open.name(), open.options());
      return new FileOperation.Open(open.file(), open.name(), options);
    }
    if (confined instanceof FileOperation.Create create) {
      OpenOptions options =
          admitted(create.file(), asked, create.name(), create.options().access());
      return new FileOperation.Create(
          create.file(), create.name(), create.options().withAccess(options));
    }
    return confined;
  }

  private OpenOptions admitted(Handle file, Operation<?> asked, String path, OpenOptions options) {
    String name =
        switch (asked) {
          case FileOperation.Open open -> open.name();
          case FileOperation.Create create -> create.name();
          default -> "";
        };
    return holdings.openFile(file, name, path, options, ConfinedNames.pageBufferBytes(options));
  }

  /**
   * Submits an operation.
   *
   * @param decoded the operation
   * @param request the request that it was decoded from
   * @param inline whether this thread may carry out a write
   * @param done receives the result or the failure, exactly once
   * @return a stage that completes when the session's next operation may be submitted
   */
  CompletionStage<?> carryOut(
      Decoded decoded, Frame request, boolean inline, BiConsumer<Object, Throwable> done) {
    Underway<?> underway = submit(decoded.operation, request, inline ? inlineView : view);
    underway
        .result()
        .whenComplete((result, failure) -> {
          if (failure == null) {
            holdings.succeeded(decoded.asked);
          } else {
            holdings.failed(decoded.asked).ifPresent(this::closeHandle);
          }
          done.accept(result, failure);
        });
    return underway.over();
  }

  /**
   * Submits an operation. Always returns its stages, even if the connector throws, because every
   * request must get its reply.
   */
  private Underway<?> submit(Operation<?> operation, Frame request, Connector by) {
    boolean durable = Acknowledge.of(request.flags()) == Acknowledge.DURABLE;
    EncodedMessage message = new EncodedMessage(request.control(), request.payload());
    try {
      if (operation instanceof FileOperation.Exists exists) {
        return services
            .journals()
            .onFile(exists.name(), exists, () -> Underway.holding(exists(exists, by)));
      }
      SessionRequest as = new SessionRequest(by, number, message, durable);
      if (operation instanceof StepOperation.Next next && next.waitMillis() > 0) {
        return Underway.passing(
            AwaitedStep.of(next, services, () -> services.journals().submit(next, as).result()));
      }
      return services.journals().submit(operation, as);
    } catch (RuntimeException | Error failed) {
      return Underway.failed(failed);
    }
  }

  /** Tests whether a file exists by opening it: unlike Exists, Open can be confined to the root. */
  private CompletionStage<Boolean> exists(FileOperation.Exists asked, Connector by) {
    Handle handle = Handle.fresh();
    FileOperation.Open open =
        services.names().opening(new FileOperation.Open(handle, asked.name(), OpenOptions.READ));
    return by.submit(open)
        .thenCompose(opened -> by.submit(new FileOperation.Close(handle)))
        .handle((closed, failure) -> {
          if (failure != null) {
            closeHandle(handle);
          }
          return failure == null;
        });
  }

  /** Closes a handle that could not be opened, so that its failure is not kept any longer. */
  private void closeHandle(Handle handle) {
    view.submit(new ObjectOperation.Close(handle)).exceptionally(alreadyClosed -> null);
  }

  /**
   * Encodes the result of an operation.
   *
   * @param decoded the operation
   * @param result its result
   * @return the message and its payload
   * @throws UnsupportedFeatureException if the message is too long
   */
  EncodedMessage encode(Decoded decoded, Object result) {
    Object shown =
        result instanceof FileInfo info
            ? ConfinedNames.shown(info, holdings.nameOf(decoded.asked.subject()))
            : result;
    EncodedMessage encoded = OperationCodec.encodeResult(decoded.asked, shown);
    if (encoded.control().length > MAX_CONTROL_BYTES) {
      throw new UnsupportedFeatureException(
          "reply: actual="
              + encoded.control().length
              + " bytes beside the elements, expected=at most "
              + MAX_CONTROL_BYTES
              + "; request it in parts");
    }
    return encoded;
  }

  /** {@return the message that reports a failure to the client} */
  byte[] encodeFailure(Throwable failure) {
    return OperationCodec.encodeError(failure, services.names()::shown);
  }

  /** Closes all files of the session. Blocks. */
  void closeAll() {
    Frame none = Frame.bare(FrameType.REQUEST, 0);
    for (Handle file : holdings.fileHandles()) {
      submit(new FileOperation.Close(file), none, view)
          .result()
          .toCompletableFuture()
          .exceptionally(failure -> {
            services.errors().failed(Connectors.causeOf(failure), client);
            return null;
          })
          .join();
    }
    holdings.clear().forEach(this::closeHandle);
  }
}
