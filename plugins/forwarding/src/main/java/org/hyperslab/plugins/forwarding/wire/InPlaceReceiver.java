package org.hyperslab.plugins.forwarding.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.Supplier;

/**
 * Receives long payloads directly in the memory that the handler has allocated.
 *
 * <p>Thread rule: confined to the connection's thread.
 */
final class InPlaceReceiver implements RecvByteBufAllocator {

  private final Supplier<ByteBuf> places;
  private final RecvByteBufAllocator others =
      new AdaptiveRecvByteBufAllocator(2048, 16_384, 65_536);

  /**
   * Creates a receiver.
   *
   * @param places supplies the memory for the next bytes; null where the channel's own serves
   */
  InPlaceReceiver(Supplier<ByteBuf> places) {
    this.places = places;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own interface extends the deprecated one
  public Handle newHandle() {
    return new InPlaceHandle((ExtendedHandle) others.newHandle());
  }

  private final class InPlaceHandle extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle delegate;

    InPlaceHandle(ExtendedHandle delegate) {
      super(delegate);
      this.delegate = delegate;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf place = places.get();
      return place == null ? super.allocate(allocator) : place;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier supplier) {
      return delegate.continueReading(supplier);
    }
  }
}
