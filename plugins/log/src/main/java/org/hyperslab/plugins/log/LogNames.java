package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The files that belong to one logged file.
 *
 * @param file the canonical file
 * @param part the file that will replace it, beside it
 * @param note the text that says where the log is, beside it
 */
record LogNames(Path file, Path part, Path note) {

  /** {@return the names that belong to a file, which need not exist; its folder must} */
  static LogNames of(Path name) throws IOException {
    Path absolute = name.toAbsolutePath().normalize();
    Path file =
        Files.exists(absolute)
            ? absolute.toRealPath()
            : absolute.getParent().toRealPath().resolve(absolute.getFileName());
    String hidden = "." + file.getFileName();
    return new LogNames(
        file,
        file.resolveSibling(hidden + ".hyperslab-part"),
        file.resolveSibling(hidden + ".hyperslab-log"));
  }

  /** {@return the path of the log of this file in a folder} */
  Path logIn(Path folder, byte[] nonce) {
    CRC32C crc = new CRC32C();
    crc.update(file.toString().getBytes(StandardCharsets.UTF_8));
    HexFormat hex = HexFormat.of();
    return folder.resolve(
        file.getFileName()
            + "-"
            + hex.toHexDigits((int) crc.getValue())
            + "-"
            + hex.formatHex(nonce, 0, 4)
            + ".hyperslab-log");
  }
}
