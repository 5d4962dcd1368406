package org.hyperslab.format.index.dense;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Oracle;

/**
 * A file that h5py wrote with libver latest, whose dense storage tests edit in place. It reads the
 * superblock and object headers just far enough to find the addresses, and to keep end of file,
 * creation order and checksums correct.
 */
public final class LatestFile {

  /** A Link Info (2) or Attribute Info (0x15) message in the first chunk of an object header. */
  public record Info(int header, int chunkEnd, int body, int flags, int counterBytes) {}

  private final Path path;
  private final byte[] content;
  private final ByteBuffer bytes;

  /** The file's blocks. */
  public final MemoryMetadataSpace space;

  /** Reads a file whole. */
  public LatestFile(Path path) throws IOException {
    this.path = path;
    this.content = Files.readAllBytes(path);
    this.bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    this.space = new MemoryMetadataSpace(FileGeometry.standard(path.toString()), content);
  }

  /** Every info message of a type whose storage is dense, in file order. */
  public List<Info> infos(int messageType) {
    List<Info> infos = new ArrayList<>();
    for (int at = 0; at < bytes.limit() - 8; at++) {
      if (bytes.getInt(at) == 0x5244484F) {
        addInfos(at, messageType, infos);
      }
    }
    return infos;
  }

  private void addInfos(int header, int messageType, List<Info> infos) {
    int flags = bytes.get(header + 5);
    int at = header + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
    int sizeBytes = 1 << (flags & 3);
    int size = 0;
    for (int i = 0; i < sizeBytes; i++) {
      size |= (bytes.get(at + i) & 0xFF) << (8 * i);
    }
    at += sizeBytes;
    int end = at + size;
    int prefix = (flags & 4) != 0 ? 6 : 4;
    while (at + prefix <= end) {
      int length = bytes.getShort(at + 1) & 0xFFFF;
      int body = at + prefix;
      if (bytes.get(at) == messageType) {
        int infoFlags = bytes.get(body + 1);
        int counter = (infoFlags & 1) == 0 ? 0 : messageType == 2 ? 8 : 2;
        if (bytes.getLong(body + 2 + counter) != -1) {
          infos.add(new Info(header, end, body, infoFlags, counter));
        }
      }
      at = body + length;
    }
  }

  /** The addresses that an info message names. */
  public DenseAddresses addresses(Info info) {
    int at = info.body + 2 + info.counterBytes;
    return new DenseAddresses(
        bytes.getLong(at),
        bytes.getLong(at + 8),
        (info.flags & 2) == 0 ? FileGeometry.UNDEFINED : bytes.getLong(at + 16));
  }

  long nextOrder(Info info) {
    return info.counterBytes == 8
        ? bytes.getLong(info.body + 2)
        : bytes.getShort(info.body + 2) & 0xFFFF;
  }

  /** Writes the file back, with the next creation order of one object. */
  void save(Info info, long nextOrder) throws IOException {
    byte[] finished = finished();
    ByteBuffer out = ByteBuffer.wrap(finished).order(ByteOrder.LITTLE_ENDIAN);
    if (info.counterBytes == 8) {
      out.putLong(info.body + 2, nextOrder);
    } else if (info.counterBytes == 2) {
      out.putShort(info.body + 2, (short) nextOrder);
    }
    int length = info.chunkEnd - info.header;
    out.putInt(info.chunkEnd, Lookup3.hash(finished, info.header, length, 0));
    Files.write(path, finished);
  }

  /** The offset of the first occurrence of a four-letter signature. */
  public long find(String signature) {
    byte[] sought = signature.getBytes(StandardCharsets.US_ASCII);
    for (int at = 0; at <= bytes.limit() - sought.length; at++) {
      if (Arrays.equals(sought, Arrays.copyOfRange(content, at, at + sought.length))) {
        return at;
      }
    }
    throw new AssertionError("no " + signature);
  }

  /** Writes the file back. */
  public void save() throws IOException {
    Files.write(path, finished());
  }

  private byte[] finished() {
    byte[] finished = space.toByteArray();
    ByteBuffer out = ByteBuffer.wrap(finished).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(28, out.limit());
    out.putInt(44, Lookup3.hash(finished, 0, 44, 0));
    return finished;
  }

  /** Runs a Python script; its output. */
  public static String python(String script, String... arguments) {
    List<String> words = new ArrayList<>(List.of(script));
    words.addAll(List.of(arguments));
    return Oracle.h5py().run(words.toArray(String[]::new)).orFail().output();
  }
}
