package org.hyperslab.plugins.forwarding;

import java.nio.file.Path;

/**
 * The files by which client and server authenticate each other in TLS 1.3.
 *
 * @param certificate the certificate chain of this side, PEM
 * @param key the private key of this side, PEM, PKCS 8, without a password
 * @param trusted the certificates of the authorities that must have signed the other side's, PEM
 */
public record Security(Path certificate, Path key, Path trusted) {}
