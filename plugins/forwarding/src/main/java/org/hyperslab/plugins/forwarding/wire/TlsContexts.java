package org.hyperslab.plugins.forwarding.wire;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;

/**
 * Creates Netty's TLS contexts from keys. Both sides must present a certificate.
 *
 * <p>Thread rule: stateless.
 */
final class TlsContexts {

  private TlsContexts() {}

  static SslContext server(Security security) {
    return build(
        security,
        () ->
            SslContextBuilder.forServer(security.certificate().toFile(), security.key().toFile()));
  }

  static SslContext client(Security security) {
    return build(
        security,
        () ->
            SslContextBuilder.forClient()
                .keyManager(security.certificate().toFile(), security.key().toFile()));
  }

  private static SslContext build(Security security, Supplier<SslContextBuilder> keys) {
    TlsFiles.check(security, Instant.now());
    try {
      return keys.get()
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3")
          .trustManager(security.trusted().toFile())
          .clientAuth(ClientAuth.REQUIRE)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new InvalidUseException(
          "keys for TLS: actual="
              + e.getMessage()
              + ", expected=PEM files, at="
              + security.certificate()
              + ", "
              + security.key()
              + ", "
              + security.trusted(),
          e);
    }
  }

  /**
   * Requires keys, unless the address can be reached only from this machine.
   *
   * @throws InvalidUseException if the connection would not be encrypted
   */
  static void require(Address address, Optional<Security> security) {
    if (security.isEmpty() && !address.isLocal()) {
      throw new InvalidUseException(
          "security: actual=plain text, expected=TLS for an address that is not a loopback "
              + "address, at="
              + address
              + "; give certificate, key and trust, or use a loopback address or a unix socket");
    }
  }
}
