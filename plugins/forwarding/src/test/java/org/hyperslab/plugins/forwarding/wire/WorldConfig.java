package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;

/** The options of a socket in a world, which accepts those that only sockets of a system have. */
final class WorldConfig extends DefaultChannelConfig {

  WorldConfig(Channel channel) {
    super(channel);
  }

  @Override
  public <T> boolean setOption(ChannelOption<T> option, T value) {
    super.setOption(option, value);
    return true;
  }
}
