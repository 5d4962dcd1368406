package org.hyperslab.plugins.forwarding.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.forwarding.Security;

/**
 * Checks the files of a {@link Security} before they are used: in a handshake, the other side would
 * only say that it failed.
 *
 * <p>Thread rule: stateless.
 */
public final class TlsFiles {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);

  private static final Pattern OTHER_KEY =
      Pattern.compile("-----BEGIN ([A-Z]{1,20} PRIVATE KEY)-----");

  private TlsFiles() {}

  /**
   * Checks that the files can be read, that the certificate is valid at a time, and that the key
   * belongs to it. Files of a kind that is not known here are left to TLS.
   *
   * @param security the files
   * @param now the time
   * @throws InvalidUseException if a check fails; it names the file
   */
  public static void check(Security security, Instant now) {
    for (Path each : List.of(security.certificate(), security.key(), security.trusted())) {
      if (!Files.isReadable(each) || Files.isDirectory(each)) {
        throw new InvalidUseException(
            "keys for TLS: actual="
                + (Files.exists(each) ? "not readable" : "no such file")
                + ", expected=a PEM file, at="
                + each);
      }
    }
    checkForm(security.key());
    Optional<X509Certificate> own = certificate(security.certificate());
    own.ifPresent(certificate -> {
      checkTime(certificate, now, security.certificate());
      checkKey(certificate.getPublicKey(), security);
    });
  }

  /** Refuses keys of OpenSSL's older forms, and encrypted ones, which TLS would call no keys. */
  private static void checkForm(Path key) {
    try {
      Matcher other = OTHER_KEY.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
      if (other.find()) {
        throw new InvalidUseException(
            "key: actual="
                + other.group(1)
                + ", expected=PRIVATE KEY, which is PKCS 8 without a password; convert it with"
                + " openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW, at="
                + key);
      }
    } catch (IOException unreadable) {
      return; // TLS reports what is wrong with it
    }
  }

  /** Returns the first certificate in a file, if there is any that can be decoded. */
  private static Optional<X509Certificate> certificate(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> chain =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      return chain.stream().map(X509Certificate.class::cast).findFirst();
    } catch (IOException | CertificateException unknown) {
      return Optional.empty();
    }
  }

  private static void checkTime(X509Certificate certificate, Instant now, Path file) {
    try {
      certificate.checkValidity(Date.from(now));
    } catch (CertificateException outside) {
      throw new InvalidUseException(
          "certificate: actual=valid from "
              + certificate.getNotBefore().toInstant()
              + " to "
              + certificate.getNotAfter().toInstant()
              + ", expected=valid at "
              + now
              + ", at="
              + file,
          outside);
    }
  }

  private static void checkKey(PublicKey open, Security security) {
    String method =
        switch (open.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          case "EdDSA" -> "EdDSA";
          default -> "";
        };
    try {
      Matcher text = KEY.matcher(Files.readString(security.key(), StandardCharsets.ISO_8859_1));
      if (!method.isEmpty() && text.find() && !isPair(decode(text.group(1), open), open, method)) {
        throw otherKey(security, null);
      }
    } catch (InvalidKeySpecException otherKind) {
      throw otherKey(security, otherKind);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unknown) {
      return; // TLS reports what is wrong with it
    }
  }

  private static PrivateKey decode(String base64, PublicKey open) throws GeneralSecurityException {
    byte[] bytes = Base64.getMimeDecoder().decode(base64.strip());
    return KeyFactory.getInstance(open.getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(bytes));
  }

  private static boolean isPair(PrivateKey secret, PublicKey open, String method)
      throws GeneralSecurityException {
    byte[] message = {1, 2, 3};
    Signature signature = Signature.getInstance(method);
    signature.initSign(secret);
    signature.update(message);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update(message);
    return signature.verify(signed);
  }

  private static InvalidUseException otherKey(Security security, Exception cause) {
    return new InvalidUseException(
        "key: actual=another one than the certificate's, expected=the key of "
            + security.certificate()
            + ", at="
            + security.key(),
        cause);
  }
}
