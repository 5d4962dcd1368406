package org.hyperslab.plugins.forwarding.wire;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.hyperslab.error.InvalidUseException;

/**
 * The files with which client and server authenticate each other by TLS 1.3.
 *
 * @param certificate the certificate chain of this side, PEM
 * @param key the private key of this side, PEM, PKCS 8, without a password
 * @param trusted the certificates of the authorities that must have signed the other side's, PEM
 */
public record Security(Path certificate, Path key, Path trusted) {

  SslContext server() {
    return build(SslContextBuilder.forServer(certificate.toFile(), key.toFile()));
  }

  SslContext client() {
    return build(SslContextBuilder.forClient().keyManager(certificate.toFile(), key.toFile()));
  }

  private SslContext build(SslContextBuilder builder) {
    try {
      return builder
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3")
          .trustManager(trusted.toFile())
          .clientAuth(ClientAuth.REQUIRE)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new InvalidUseException(
          "keys for TLS: actual="
              + e.getMessage()
              + ", expected=PEM files, at="
              + certificate
              + ", "
              + key
              + ", "
              + trusted,
          e);
    }
  }

  /**
   * Requires keys unless only this machine can reach an address.
   *
   * @throws InvalidUseException if plain text would go over a network
   */
  static void require(Address address, Optional<Security> security) {
    if (security.isEmpty() && !address.isLocal()) {
      throw new InvalidUseException(
          "security: actual=plain text, expected=TLS on an address that others can reach, at="
              + address
              + "; give certificate, key and trust, or use a loopback address or a unix socket");
    }
  }
}
