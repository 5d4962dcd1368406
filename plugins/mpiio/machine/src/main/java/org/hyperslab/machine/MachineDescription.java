package org.hyperslab.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * Reads machines from plain text. A line has a keyword and fields {@code key=value}; {@code #}
 * begins a comment.
 *
 * <pre>
 * machine name=W
 * network kind=torus     extents=NxNx…  bandwidth=B [latency=T]
 * network kind=dragonfly groups=N routers=RxC nodes=N local=B global=B [links=N] [latency=T]
 * network kind=tree      [nodes=N] [latency=T]
 * tier    name=W arity=N bandwidth=B [cables=N]         of a tree, from the nodes upwards
 * node    [hops=0|1]                                    distance within a node
 * share   name=W arity=N bandwidth=B [latency=T]        in a node, from the processors outwards
 * messages overhead=T gap=T                            o and g of LogGP; 0 without the line
 * pset    nodes=N bridges=N bandwidth=B [latency=T] [forward=B]   an I/O node for every N nodes
 * ionode  nodes=A-B bridges=N,N,… bandwidth=B [latency=T] [forward=B]
 * storage servers=N stripe=S [bandwidth=B] [client=B] [request=T] [seek=T] [lock=T] [block=S]
 * </pre>
 *
 * <p>{@code client} is the bandwidth with which a node reaches the servers; the times are those of
 * {@link ServerCosts}, and {@code forward} is what an I/O node passes on. If there are I/O nodes,
 * each node has exactly one.
 *
 * <p>{@code machine}, {@code network} and at least one {@code share} are required. Examples of
 * bandwidths are {@code 1.8GB/s}, {@code 40Gb/s} and {@code 512MiB/s}, of times {@code 40ns} and
 * {@code 2.5us}, of sizes {@code 8MiB}. The latency of a network is that of one hop.
 *
 * <p>A text has at most 1 MiB and 10,000 lines. Invalid text is rejected with an {@link
 * InvalidUseException} that names source, line and field.
 */
public final class MachineDescription {

  /** The names of the descriptions that come with the library. */
  public static final List<String> READY =
      List.of(
          "mira",
          "theta",
          "crill",
          "crill-ethernet",
          "atlas",
          "inspur",
          "bluelight",
          "paragon",
          "frontier");

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_LINES = 10_000;
  private static final int MAX_LINE = 1000;

  private MachineDescription() {}

  /**
   * Reads a description from a file.
   *
   * @param file the file
   * @return the machine
   * @throws InvalidUseException if the text is not a description; it names line and field
   * @throws StorageException if the file cannot be read
   */
  public static Machine read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return parse(file.toString(), text(file.toString(), in));
    } catch (IOException failure) {
      throw new StorageException(
          "machine description: actual="
              + failure.getMessage()
              + ", expected=a text file, "
              + "at="
              + file,
          failure);
    }
  }

  private static String text(String source, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new InvalidUseException(
          "machine description: actual=more than "
              + MAX_BYTES
              + " bytes, expected=at most that"
              + ", at="
              + source);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Returns a machine that comes with the library.
   *
   * @param name one of {@link #READY}
   * @return the machine
   * @throws NotFoundException if no machine has that name
   */
  public static Machine ready(String name) {
    if (!READY.contains(name)) {
      throw new NotFoundException(
          "machine: actual=" + name + ", expected=a file or one of " + String.join(", ", READY));
    }
    try (InputStream in = MachineDescription.class.getResourceAsStream(name + ".machine")) {
      return parse(name + ".machine", text(name, in));
    } catch (IOException failure) {
      throw new StorageException("machine description: actual=unreadable, at=" + name, failure);
    }
  }

  /**
   * Finds a machine: {@code this} is the one that this program runs on, a name of {@link #READY} is
   * that machine, and anything else is the path of a description.
   *
   * @param name the name or path
   * @return the machine
   * @throws NotFoundException if it is neither a name nor a file
   */
  public static Machine find(String name) {
    if (name.equals("this")) {
      return ThisMachine.detect();
    }
    if (READY.contains(name)) {
      return ready(name);
    }
    try {
      Path file = Path.of(name);
      return Files.exists(file) ? read(file) : ready(name);
    } catch (InvalidPathException noPath) {
      return ready(name); // throws an exception that lists the names
    }
  }

  /**
   * Parses a description.
   *
   * @param source the origin of the text, for messages
   * @param text the description
   * @return the machine
   * @throws InvalidUseException if the text is not a description; it names line and field
   */
  public static Machine parse(String source, String text) {
    String[] lines = text.split("\\R", MAX_LINES + 2);
    if (lines.length > MAX_LINES + 1) {
      throw new InvalidUseException(
          "machine description: actual=more than "
              + MAX_LINES
              + " lines, expected=at most that"
              + ", at="
              + source);
    }
    DescriptionBuilder builder = new DescriptionBuilder(source);
    for (int i = 0; i < lines.length; i++) {
      int hash = lines[i].indexOf('#');
      String line = (hash < 0 ? lines[i] : lines[i].substring(0, hash)).strip();
      if (lines[i].length() > MAX_LINE) {
        throw new InvalidUseException(
            "machine description: actual=%d characters, expected=at most %d, at=%s, line %d"
                .formatted(lines[i].length(), MAX_LINE, source, i + 1));
      }
      if (!line.isEmpty()) {
        builder.add(DescriptionLine.parse(line, source, i + 1));
      }
    }
    return builder.build();
  }
}
