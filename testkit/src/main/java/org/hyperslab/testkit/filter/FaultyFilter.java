package org.hyperslab.testkit.filter;

import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * A filter that copies bytes, with a fault: its client data value is one of the constants. The
 * service loader finds it.
 *
 * <p>Thread rule: any thread.
 */
public final class FaultyFilter extends ArrayFilter {

  /** The number of the filter, one for private use. */
  public static final int ID = 40_123;

  /** Changes a byte of every chunk, without saying that it loses anything. */
  public static final int ALWAYS = 0;

  /** Changes a byte of the next chunk after {@link #arm}. */
  public static final int ONCE = 1;

  /** Clears the lowest bit of every byte, and says that it loses something. */
  public static final int LOSES_BITS = 2;

  private static final AtomicInteger ARMED = new AtomicInteger();

  /** Creates the filter; called by the service loader. */
  public FaultyFilter() {}

  /** Lets the next chunk that is encoded with {@link #ONCE} be damaged. */
  public static void arm() {
    ARMED.set(1);
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public boolean isLossless(int[] clientData) {
    return clientData[0] != LOSES_BITS;
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    copy(source, out);
    byte[] made = out.array(source.length());
    int at = out.arrayOffset();
    if (clientData[0] == LOSES_BITS) {
      for (int i = 0; i < source.length(); i++) {
        made[at + i] &= (byte) ~1;
      }
    } else if (clientData[0] == ALWAYS || ARMED.getAndSet(0) == 1) {
      made[at + source.length() / 2] ^= 0x40;
    }
    return source.length();
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    copy(source, out);
    return source.length();
  }

  private static void copy(Span source, FilterOutput out) throws MalformedDataException {
    System.arraycopy(
        source.array(),
        source.offset(),
        out.array(source.length()),
        out.arrayOffset(),
        source.length());
  }
}
