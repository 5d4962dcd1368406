package org.hyperslab.convert.table.cell;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.error.CorruptFileException;

/**
 * Reads a range of a table in pieces of whole rows. A piece has its own array.
 *
 * <p>Thread rule: confined to one thread at a time.
 */
public final class TablePieces implements Iterator<TablePieces.Piece> {

  /** The maximum size of a row, in bytes. */
  static final int MAX_ROW_BYTES = 64 << 20;

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long QUOTES = 0x2222222222222222L;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final InputBytes file;
  private final byte separator;
  private final long end;
  private final int pieceBytes;
  private long position;
  private int number;

  /**
   * A piece of a table.
   *
   * @param number how many pieces are before it
   * @param bytes begins with its bytes
   * @param length the number of its bytes
   * @param position the position of the first byte in the file
   */
  public record Piece(int number, byte[] bytes, int length, long position) {}

  /**
   * Begins to read.
   *
   * @param file the table
   * @param separator what separates cells
   * @param from the position of a row
   * @param to the position of a row or the end of the file
   * @param pieceBytes the size of a piece; a piece with a larger row is larger
   */
  public TablePieces(InputBytes file, char separator, long from, long to, int pieceBytes) {
    this.file = file;
    this.separator = (byte) separator;
    this.position = from;
    this.end = to;
    this.pieceBytes = pieceBytes;
  }

  @Override
  public boolean hasNext() {
    return position < end;
  }

  @Override
  public Piece next() {
    if (position >= end) {
      throw new NoSuchElementException();
    }
    for (long wanted = pieceBytes; ; wanted *= 2) {
      int size = (int) Math.min(Math.min(wanted, MAX_ROW_BYTES), end - position);
      byte[] bytes = new byte[size];
      file.read(position, MemorySegment.ofArray(bytes));
      int length = size == end - position ? size : rowsEnd(bytes);
      if (length > 0) {
        Piece piece = new Piece(number++, bytes, length, position);
        position += length;
        return piece;
      }
      if (size == MAX_ROW_BYTES) {
        throw new CorruptFileException(
            file.name(),
            "table",
            position,
            "actual=a longer row, perhaps for want of a closing quote, expected<="
                + MAX_ROW_BYTES
                + " bytes");
      }
    }
  }

  /** Returns where the last whole row ends; 0 if there is none. */
  private int rowsEnd(byte[] bytes) {
    if (hasQuote(bytes)) {
      return rowsEndAmongQuotes(bytes);
    }
    int end = lastOf(bytes, '\n');
    return end > 0 ? end : lastOf(bytes, '\r');
  }

  private static int lastOf(byte[] bytes, char terminator) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != terminator) {
      end--;
    }
    return end;
  }

  private static boolean hasQuote(byte[] bytes) {
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      long difference = (long) EIGHT.get(bytes, at) ^ QUOTES;
      if (((difference - LOW_BITS) & ~difference & HIGH_BITS) != 0) {
        return true; // one of the eight bytes is a quote
      }
    }
    for (; at < bytes.length; at++) {
      if (bytes[at] == '"') {
        return true;
      }
    }
    return false;
  }

  /** Terminators between quotes do not end a row; only a quote that begins a cell opens them. */
  private int rowsEndAmongQuotes(byte[] bytes) {
    int rowsEnd = 0;
    boolean isCellStart = true;
    for (int at = 0; at < bytes.length; at++) {
      byte b = bytes[at];
      if (isCellStart && b == '"') {
        at = closingQuote(bytes, at + 1);
        isCellStart = false;
      } else if (b == '\n' || b == '\r') {
        rowsEnd = at + 1;
        isCellStart = true;
      } else {
        isCellStart = b == separator;
      }
    }
    return rowsEnd;
  }

  /** Returns where a closing quote is, or the end if more bytes must be known. */
  private static int closingQuote(byte[] bytes, int from) {
    for (int at = from; at < bytes.length; at++) {
      if (bytes[at] == '"') {
        if (at + 1 == bytes.length || bytes[at + 1] != '"') {
          return at; // at the end, no row ends behind it in any case
        }
        at++;
      }
    }
    return bytes.length;
  }
}
