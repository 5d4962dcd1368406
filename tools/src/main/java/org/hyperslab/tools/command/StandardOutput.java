package org.hyperslab.tools.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The standard output of the process. A failure to write throws a {@link Failure}, which ends the
 * command; {@code System.out} hides it, so that a command would go on for a reader that has ended,
 * and report success though its output is incomplete.
 *
 * <p>Thread rule: any thread may write.
 */
public final class StandardOutput extends OutputStream {

  private static final int BUFFER_BYTES = 8192;

  /** What a shell reports of a program that SIGPIPE ended, as it does programs in C. */
  private static final int ENDED_BY_SIGPIPE = 128 + 13;

  private final OutputStream out;

  /** Standard output cannot be written. */
  public static final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Failure(IOException cause) {
      super(
          "standard output: actual=" + cause.getMessage() + ", expected=everything written", cause);
    }

    /** {@return whether the program that reads the output has ended} */
    boolean isReaderGone() {
      return getCause().getMessage() != null && getCause().getMessage().contains("Broken pipe");
    }

    /**
     * Tells the user, unless the reader has ended, such as {@code head} after its last line.
     *
     * @param command the name of the command
     * @param err receives the message
     * @return the exit code
     */
    public int report(String command, PrintWriter err) {
      if (isReaderGone()) {
        return ENDED_BY_SIGPIPE;
      }
      err.println(command + ": " + getMessage());
      return 1;
    }
  }

  /**
   * Creates a stream that writes elsewhere.
   *
   * @param out receives the bytes
   */
  StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** {@return the standard output, flushed after each line} */
  static PrintStream ofProcess() {
    return stream(new FileOutputStream(FileDescriptor.out));
  }

  /**
   * Returns a stream of characters, flushed after each line.
   *
   * @param out receives the bytes
   * @return the stream
   */
  public static PrintStream stream(OutputStream out) {
    return new PrintStream(new LineStream(new StandardOutput(out)), false, System.out.charset());
  }

  /** Writes whole lines at once, so that those of the ranks of a job do not get mixed. */
  private static final class LineStream extends BufferedOutputStream {

    LineStream(OutputStream out) {
      super(out, BUFFER_BYTES);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      super.write(bytes, offset, count);
      if (count > 0 && bytes[offset + count - 1] == '\n') {
        flush();
      }
    }
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    try {
      out.write(bytes, offset, count);
    } catch (IOException failure) {
      // A program that is started without a standard output wants none.
      if (failure.getMessage() == null || !failure.getMessage().contains("Bad file descriptor")) {
        throw new Failure(failure);
      }
    }
  }
}
