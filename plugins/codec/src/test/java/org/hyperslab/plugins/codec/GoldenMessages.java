package org.hyperslab.plugins.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.vol.Operation;

/**
 * Messages that a released version wrote, which every later version reads: for each, its length,
 * its bytes, and the number, lengths and bytes of its payloads, big-endian.
 *
 * <p>{@code main} writes them once for a version: {@code GoldenMessages FILE}.
 */
final class GoldenMessages {

  private static final int OF_EACH_KIND = 3;

  private GoldenMessages() {}

  /** Reads the messages of a version. */
  static List<EncodedMessage> of(String version) {
    List<EncodedMessage> all = new ArrayList<>();
    String name = "messages-" + version + ".bin";
    try (InputStream in = GoldenMessages.class.getResourceAsStream(name);
        DataInputStream data = new DataInputStream(in)) {
      int count = data.readInt();
      for (int i = 0; i < count; i++) {
        byte[] control = data.readNBytes(data.readInt());
        List<MemorySegment> payload = new ArrayList<>();
        int parts = data.readInt();
        for (int part = 0; part < parts; part++) {
          payload.add(MemorySegment.ofArray(data.readNBytes(data.readInt())));
        }
        all.add(new EncodedMessage(control, payload));
      }
      return all;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Returns the bytes of a message and of its payloads in ascending order, because properties have
   * no order, and the division of a payload has no meaning.
   */
  static byte[] bytes(EncodedMessage message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(message.control());
    for (MemorySegment part : message.payload()) {
      bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE));
    }
    byte[] all = bytes.toByteArray();
    Arrays.sort(all);
    return all;
  }

  private static void write(EncodedMessage message, DataOutputStream out) throws IOException {
    out.writeInt(message.control().length);
    out.write(message.control());
    out.writeInt(message.payload().size());
    for (MemorySegment part : message.payload()) {
      byte[] bytes = part.toArray(ValueLayout.JAVA_BYTE);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  /**
   * Writes messages of every kind of operation.
   *
   * @param arguments the file to write
   * @throws IOException if it cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    List<Class<?>> kinds = OperationCodecRandomTest.operations();
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(Path.of(arguments[0])))) {
      out.writeInt(kinds.size() * OF_EACH_KIND);
      for (int i = 0; i < kinds.size() * OF_EACH_KIND; i++) {
        Random random = Seeds.random(1, i);
        write(
            OperationCodec.encode(
                (Operation<?>) new RandomValues(random).of(kinds.get(i / OF_EACH_KIND))),
            out);
      }
    }
  }
}
