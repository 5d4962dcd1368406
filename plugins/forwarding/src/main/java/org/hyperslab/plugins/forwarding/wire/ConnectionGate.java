package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes connections at once when there are so many that the process would run out of handles:
 * without any, classes can no longer be loaded, and whatever needs one fails for good.
 *
 * <p>Thread rule: connections come in the thread that accepts; they end in any.
 */
final class ConnectionGate extends ChannelInboundHandlerAdapter {

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";
  private static final int USUAL_HANDLES = 1024;

  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionGate() {
    this.most = Math.max(8, handles() / 3);
  }

  /** How many handles this process may have, as Linux tells; elsewhere what is usual. */
  private static int handles() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).trim().split(" ", 2)[0];
          return (int) Math.min(1 << 20, Long.parseLong(soft));
        }
      }
      return USUAL_HANDLES;
    } catch (IOException | NumberFormatException unknown) {
      return USUAL_HANDLES;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.closeFuture().addListener(closed -> open.decrementAndGet());
    context.fireChannelRead(message);
  }
}
