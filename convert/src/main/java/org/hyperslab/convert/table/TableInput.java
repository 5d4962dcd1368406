package org.hyperslab.convert.table;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.foreign.MemorySegment;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.ZipException;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.ZlibStreams;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Opens a table as UTF-8 that can be read at any position. A table that is compressed with gzip, or
 * in another encoding, becomes a temporary file without a name.
 *
 * <p>Thread rule: stateless.
 */
final class TableInput {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int[] GZIP = {0x1F, 0x8B};

  private static final int MARK_BYTES = 2;

  private TableInput() {}

  /**
   * Opens a table.
   *
   * @param path the file
   * @param options has the encoding
   * @param expandedBytes the maximum size of the temporary file
   * @throws UnsupportedFeatureException if it would be larger
   * @throws CorruptFileException if the file is damaged, or not in the encoding
   */
  static FileBytes open(Path path, TableOptions options, long expandedBytes) {
    FileBytes file = FileBytes.open(path);
    boolean isGzip = isGzip(file);
    if (!isGzip && charset(options, beginning(file)).equals(StandardCharsets.UTF_8)) {
      return file;
    }
    Charset charset = options.charset();
    file.close();
    FileBytes temporary = FileBytes.temporary(path.toString());
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES);
        InputStream bytes =
            isGzip ? new BufferedInputStream(ZlibStreams.here().gunzip(raw), BUFFER_BYTES) : raw) {
      charset = charset(options, beginning(bytes));
      Sink sink = new Sink(temporary, expandedBytes);
      if (charset.equals(StandardCharsets.UTF_8)) {
        copy(bytes, sink);
      } else {
        decode(bytes, charset, sink);
      }
      return temporary;
    } catch (EOFException | ZipException damaged) {
      temporary.close();
      throw new CorruptFileException(
          path.toString(),
          "gzip",
          CorruptFileException.NO_OFFSET,
          "actual=" + damaged.getMessage() + ", expected=a whole gzip file",
          damaged);
    } catch (CharacterCodingException wrong) {
      temporary.close();
      throw new CorruptFileException(
          path.toString(),
          "table",
          CorruptFileException.NO_OFFSET,
          "actual=" + wrong + ", expected=text in the encoding " + charset.name(),
          wrong);
    } catch (IOException failure) {
      temporary.close();
      throw FileBytes.failed("read", path, failure);
    } catch (RuntimeException | Error failure) {
      temporary.close();
      throw failure;
    }
  }

  /** Returns whether the name of an output says that it is compressed. */
  static boolean isNamedGzip(Path path) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
  }

  private static boolean isGzip(FileBytes file) {
    if (file.size() < GZIP.length) {
      return false;
    }
    byte[] magic = file.read(0, GZIP.length);
    return (magic[0] & 0xFF) == GZIP[0] && (magic[1] & 0xFF) == GZIP[1];
  }

  private static byte[] beginning(FileBytes file) {
    return file.read(0, (int) Math.min(MARK_BYTES, file.size()));
  }

  /** Returns the first bytes, which are read once more by the caller. */
  private static byte[] beginning(InputStream bytes) throws IOException {
    bytes.mark(MARK_BYTES);
    byte[] beginning = bytes.readNBytes(MARK_BYTES);
    bytes.reset();
    return beginning;
  }

  /** The byte order mark of UTF-16 names the encoding, for no UTF-8 begins with it. */
  private static Charset charset(TableOptions options, byte[] beginning) {
    if (options.encoding().isPresent() || beginning.length < MARK_BYTES) {
      return options.charset();
    }
    int mark = (beginning[0] & 0xFF) << 8 | (beginning[1] & 0xFF);
    return mark == 0xFEFF || mark == 0xFFFE ? StandardCharsets.UTF_16 : options.charset();
  }

  private static void copy(InputStream bytes, Sink sink) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
      sink.add(MemorySegment.ofArray(buffer).asSlice(0, count));
    }
  }

  private static void decode(InputStream bytes, Charset charset, Sink sink) throws IOException {
    Reader reader =
        new InputStreamReader(
            bytes,
            charset
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    char[] buffer = new char[BUFFER_BYTES];
    int kept = 0; // the first half of a character may be the last one of a block
    for (int count = reader.read(buffer); count >= 0; ) {
      int length = kept + count;
      int whole = Character.isHighSurrogate(buffer[length - 1]) ? length - 1 : length;
      sink.add(
          MemorySegment.ofBuffer(
              StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(buffer, 0, whole))));
      kept = length - whole;
      buffer[0] = buffer[length - 1];
      count = reader.read(buffer, kept, buffer.length - kept);
    }
  }

  /** Adds to a file, up to a limit. */
  private static final class Sink {
    private final FileBytes file;
    private final long limit;
    private long size;

    Sink(FileBytes file, long limit) {
      this.file = file;
      this.limit = limit;
    }

    void add(MemorySegment bytes) {
      if (bytes.byteSize() > limit - size) {
        throw new UnsupportedFeatureException(
            "table: actual=expands to more bytes, expected<="
                + limit
                + "; --max-expanded raises the limit, at="
                + file.name());
      }
      file.write(size, bytes);
      size += bytes.byteSize();
    }
  }
}
