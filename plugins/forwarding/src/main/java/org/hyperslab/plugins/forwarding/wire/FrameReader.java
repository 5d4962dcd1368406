package org.hyperslab.plugins.forwarding.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Assembles frames from bytes as they arrive. Payloads are copied from the network's buffer to
 * their memory, or received there directly; their CRC is computed at the same time.
 *
 * <p>Thread rule: confined to the connection's thread.
 */
final class FrameReader {

  /** The memory initially allocated for a control message, in bytes. */
  private static final int FIRST_CONTROL_BYTES = 4 << 10;

  /** The largest part of a payload that is viewed as one byte buffer. */
  private static final long VIEW_BYTES = 1L << 30;

  /** The shortest remainder of a payload that is received in place, in bytes. */
  private static final int IN_PLACE_BYTES = 32 << 10;

  private final Connection connection;
  private final FrameHandler handler;
  private WireLimits limits;
  private final byte[] head = new byte[FrameHeader.MAX_HEADER_BYTES];
  private final CRC32C crc = new CRC32C();
  private int headFilled;
  private FrameHeader header;
  private byte[] control;
  private int controlFilled;
  private boolean headChecked;
  private MemorySegment payload;
  private long payloadFilled;
  private ByteBuf inPlace;

  FrameReader(Connection connection, FrameHandler handler, WireLimits limits) {
    this.connection = connection;
    this.handler = handler;
    this.limits = limits;
  }

  /** Changes the limits, starting with the next frame. */
  void limits(WireLimits newLimits) {
    limits = newLimits;
  }

  /** Reads the bytes. Returns false, with bytes left over, if reading has to wait. */
  boolean read(ByteBuf in) {
    while (in.isReadable()) {
      if (header == null && headFilled == 0 && connection.mustWait()) {
        return false;
      }
      if (header == null && !readHead(in)) {
        return true;
      }
      if (!headChecked && !readControl(in)) {
        return true;
      }
      if (header.payloadBytes() > 0) {
        if (payload == null) {
          takeMemory();
        }
        if (!readPayload(in)) {
          return true;
        }
      }
      finish();
    }
    return true;
  }

  private boolean readHead(ByteBuf in) {
    int wanted = headFilled < FrameHeader.BYTES ? FrameHeader.BYTES : headFilled;
    int taken = Math.min(wanted - headFilled, in.readableBytes());
    in.readBytes(head, headFilled, taken);
    headFilled += taken;
    if (headFilled < FrameHeader.BYTES) {
      return false;
    }
    header = FrameHeader.decode(head, limits);
    control = new byte[Math.min(header.controlBytes(), FIRST_CONTROL_BYTES)];
    controlFilled = 0;
    return true;
  }

  private boolean readControl(ByteBuf in) {
    int rest = Math.min(header.headerBytes() - headFilled, in.readableBytes());
    in.readBytes(head, headFilled, rest);
    headFilled += rest;
    int taken = Math.min(header.controlBytes() - controlFilled, in.readableBytes());
    if (controlFilled + taken > control.length) {
      long twice = Math.max(2L * control.length, controlFilled + taken);
      control = Arrays.copyOf(control, (int) Math.min(twice, header.controlBytes()));
    }
    in.readBytes(control, controlFilled, taken);
    controlFilled += taken;
    if (headFilled < header.headerBytes() || controlFilled < header.controlBytes()) {
      return false;
    }
    header.checkHead(head, headFilled, control);
    headChecked = true;
    return true;
  }

  private void takeMemory() {
    payload = handler.memory(connection, frame(List.of()), header.payloadBytes());
    payloadFilled = 0;
    crc.reset();
  }

  private boolean readPayload(ByteBuf in) {
    long taken =
        Math.min(Math.min(header.payloadBytes() - payloadFilled, in.readableBytes()), VIEW_BYTES);
    if (taken > 0) {
      ByteBuffer view = payload.asSlice(payloadFilled, taken).asByteBuffer();
      in.readBytes(view);
      crc.update(view.flip());
      payloadFilled += taken;
    }
    if (payloadFilled < header.payloadBytes()) {
      return false;
    }
    checkPayload();
    return true;
  }

  private void checkPayload() {
    if ((int) crc.getValue() != header.payloadCrc()) {
      throw FrameHeader.corrupt(
          "payload CRC32C actual=0x"
              + Integer.toHexString((int) crc.getValue())
              + ", expected=0x"
              + Integer.toHexString(header.payloadCrc()));
    }
  }

  /**
   * Finds the memory in which the next bytes can be received directly.
   *
   * @return the remaining memory of the current payload, or null if it is short
   */
  ByteBuf place() {
    if (payload == null || header.payloadBytes() - payloadFilled < IN_PLACE_BYTES) {
      return null;
    }
    long rest = Math.min(header.payloadBytes() - payloadFilled, VIEW_BYTES);
    inPlace = Unpooled.wrappedBuffer(payload.asSlice(payloadFilled, rest).asByteBuffer()).clear();
    return inPlace;
  }

  /** Accounts for bytes that have been received in place, and returns whether they have been. */
  boolean tookInPlace(ByteBuf in) {
    if (in != inPlace) {
      return false;
    }
    inPlace = null;
    int taken = in.readableBytes();
    crc.update(payload.asSlice(payloadFilled, taken).asByteBuffer());
    payloadFilled += taken;
    return true;
  }

  /** Finishes the frame if its payload is complete. */
  void finishInPlace() {
    if (payloadFilled == header.payloadBytes()) {
      checkPayload();
      finish();
    }
  }

  /** Stops using the memory of a payload, because the connection has ended. */
  void end() {
    payload = null;
  }

  private Frame frame(List<MemorySegment> parts) {
    return new Frame(
        FrameType.of(header.type()),
        header.flags(),
        header.id(),
        header.acknowledged(),
        control,
        parts);
  }

  private void finish() {
    Frame frame = frame(payload == null ? List.of() : List.of(payload));
    header = null;
    headFilled = 0;
    headChecked = false;
    payload = null;
    handler.frame(connection, frame);
  }
}
