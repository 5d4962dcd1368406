package org.hyperslab.mpiio.hint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/**
 * The hints for accessing a file: the info keys of MPI, ROMIO and OMPIO with ROMIO's defaults, and
 * keys of this library. Unknown keys are kept and returned.
 *
 * <p>Keys: {@code cb_buffer_size}, {@code cb_nodes}, {@code romio_cb_read}, {@code romio_cb_write},
 * {@code collective_buffering}, {@code romio_min_fdomain_size}, {@code romio_no_indep_rw}, {@code
 * romio_ds_read}, {@code romio_ds_write}, {@code ind_rd_buffer_size}, {@code ind_wr_buffer_size},
 * {@code striping_factor}, {@code striping_unit}, {@code romio_synchronized_flush}, and those of
 * this library: {@code hyperslab_collective}, {@code hyperslab_domains}, {@code hyperslab_block},
 * {@code hyperslab_transfer}, {@code hyperslab_aggregators}, {@code hyperslab_shared_memory},
 * {@code hyperslab_saturation}, {@code hyperslab_assignment}, {@code hyperslab_machine}, {@code
 * hyperslab_selection}, {@code hyperslab_messages}, {@code hyperslab_group}, {@code
 * hyperslab_in_flight}, {@code hyperslab_record_views}, {@code hyperslab_schedules}, {@code
 * hyperslab_deadline}, {@code hyperslab_declared}, {@code hyperslab_requests}. Kept among the
 * {@link #others}, but honoured: {@code access_style}, {@code cb_config_list}, {@code file_perm} of
 * MPI and ROMIO, {@code sharedfp} and {@code progress}. {@link #unknown} lists the keys that
 * nothing honours.
 *
 * <p>Thread rule: immutable.
 *
 * @param buffering collective buffering
 * @param sieving data sieving
 * @param striping the striping of a new file over servers
 * @param choice components requested by name
 * @param variant options of the components
 * @param synchronizedFlush whether a sync by one rank flushes for all
 * @param others keys that this library does not know, sorted
 */
public record Hints(
    Buffering buffering,
    Sieving sieving,
    Striping striping,
    Choice choice,
    Variant variant,
    boolean synchronizedFlush,
    Map<String, String> others) {

  /**
   * The key that names a file for the application matrix of the views that ranks set; among {@link
   * #others}.
   */
  public static final String RECORD_VIEWS = "hyperslab_record_views";

  /** The key that describes the order of accesses (MPI 4.1, section 14.2.8). */
  public static final String ACCESS_STYLE = "access_style";

  /** The key that limits the number of aggregators on each node (ROMIO). */
  public static final String CB_CONFIG_LIST = "cb_config_list";

  /** The key that gives a new file's permissions, in octal (MPI 4.1, section 14.2.8). */
  public static final String FILE_PERM = "file_perm";

  /** The environment variable that names a file of hints. */
  public static final String ENVIRONMENT = "HYPERSLAB_HINTS";

  private static final String PROPERTY = "hyperslab.hints";

  private static final int MAX_FILE_BYTES = 1 << 16;

  private static final Set<String> STYLES =
      Set.of(
          "read_once",
          "write_once",
          "read_mostly",
          "write_mostly",
          "sequential",
          "reverse_sequential",
          "random");

  /**
   * The key that determines whether the schedules of collective accesses are kept for equal
   * accesses: {@code enable}, the default, or {@code disable}.
   */
  public static final String KEPT_SCHEDULES = "hyperslab_schedules";

  /**
   * The key with the seconds for which a rank waits for ranks that do not come to a collective
   * call, or for started transfers without progress. Afterwards it fails with an error that names
   * the ranks it waits for; 60 by default, 0 for ever.
   */
  public static final String DEADLINE = "hyperslab_deadline";

  private static final String DEFAULT_DEADLINE = "60";

  /** The key that determines how declared writes travel; see {@link DeclaredTransport}. */
  public static final String DECLARED = "hyperslab_declared";

  /** The transport of declared writes to the ranks that collect them. */
  public enum DeclaredTransport {
    /** {@code automatic}, the default: by {@link #MEMORY}. */
    AUTOMATIC,
    /** {@code messages}: always by messages. */
    MESSAGES,
    /** {@code memory}: by puts where all ranks reach each other's memory, else by messages. */
    MEMORY,
    /**
     * {@code window}: by one-sided calls of the MPI library where there is one and it has them,
     * else by messages.
     */
    WINDOW;

    private static final Set<String> WORDS =
        Arrays.stream(values()).map(DeclaredTransport::word).collect(Collectors.toSet());

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@return how declared writes travel} */
  public DeclaredTransport declaredTransport() {
    String word = others.getOrDefault(DECLARED, DeclaredTransport.AUTOMATIC.word());
    return DeclaredTransport.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /**
   * The key that says what executes the requests of started accesses to a file of this machine:
   * {@code threads} of the process, the default, or {@code io_uring}, by which Linux executes them
   * itself. The memory of such accesses must stay alive until they have ended.
   */
  public static final String REQUESTS = "hyperslab_requests";

  private static final String IO_URING = "io_uring";

  private static final Set<String> REQUEST_WORDS = Set.of("threads", IO_URING);

  /** {@return whether the kernel shall execute the requests of started accesses} */
  public boolean startsRequestsInKernel() {
    return others.getOrDefault(REQUESTS, "").equals(IO_URING);
  }

  private static final Set<String> SWITCHES = Set.of("enable", "disable");

  private static final Set<String> UNDERSTOOD =
      Set.of(
          RECORD_VIEWS,
          ACCESS_STYLE,
          CB_CONFIG_LIST,
          FILE_PERM,
          KEPT_SCHEDULES,
          DEADLINE,
          DECLARED,
          REQUESTS,
          "sharedfp",
          "progress",
          "io");

  private static final Pattern SEPARATOR =
      Pattern.compile("[\\s,;]*([\\s;]|,(?=[\\w.-]+=)|,$)[\\s,;]*");

  private static final String AUTO = "auto";
  private static final String MEASURED = "measured";
  private static final String PACKED = "packed";
  private static final String UNPACKED = "unpacked";

  /**
   * {@return the time for which a rank waits without progress, in nanoseconds; {@link
   * Long#MAX_VALUE} for ever}
   */
  public long deadlineNanos() {
    double seconds = Double.parseDouble(others.getOrDefault(DEADLINE, DEFAULT_DEADLINE));
    return seconds == 0 ? Long.MAX_VALUE : (long) (seconds * 1e9);
  }

  private static boolean isSeconds(String text) {
    return text.matches("\\d{1,6}(\\.\\d{1,3})?");
  }

  /** {@return whether schedules of collective accesses are kept for equal accesses} */
  public boolean keepsSchedules() {
    return !others.getOrDefault(KEPT_SCHEDULES, "enable").equals("disable");
  }

  /** Makes a sorted copy of the other keys. */
  public Hints {
    others = Collections.unmodifiableMap(new TreeMap<>(others));
  }

  /**
   * Hints for collective buffering.
   *
   * @param read whether collective reads are aggregated
   * @param write whether collective writes are aggregated
   * @param bufferBytes the most memory that an aggregator uses for it, in bytes
   * @param nodes the number of aggregators; 0 leaves it to the aggregator rule
   * @param minDomainBytes the least length of a file domain
   * @param neverIndependent whether the caller promises not to make independent accesses
   */
  public record Buffering(
      Toggle read,
      Toggle write,
      long bufferBytes,
      int nodes,
      long minDomainBytes,
      boolean neverIndependent) {}

  /**
   * Hints for data sieving.
   *
   * @param read whether independent reads fetch holes too
   * @param write whether independent writes read, modify and write back
   * @param readBufferBytes the sieve buffer of a read
   * @param writeBufferBytes the sieve buffer of a write
   */
  public record Sieving(Toggle read, Toggle write, long readBufferBytes, long writeBufferBytes) {}

  /**
   * Hints for striping.
   *
   * @param factor the number of servers; 0 if not given
   * @param unitBytes the length of a stripe; 0 if not given
   */
  public record Striping(int factor, long unitBytes) {}

  /**
   * Names of components; {@code auto} leaves the choice to the selection rule.
   *
   * @param collective the collective algorithm
   * @param domains the division of the file into domains by two-phase I/O
   * @param blockBytes the block of cyclic domains; 0 for the stripe or buffer size
   * @param transfer the method of independent accesses
   * @param aggregators the aggregator rule
   * @param sharedMemory whether ranks of one address space reach each other's memory
   * @param saturation the bytes at which one writer saturates the file system: a number, {@code
   *     measured} (measured once and stored), or {@code auto} for the default of this kind of file
   *     system
   * @param assignment the rule that assigns file domains to ranks: {@code romio}, {@code latp},
   *     {@code tatp}, {@code tapioca}; {@code auto} is {@code romio} without its figures
   * @param machine the machine of the job: {@code auto} for nodes connected by one switch, or a
   *     name that {@code hyperslab place} accepts
   */
  public record Choice(
      String collective,
      String domains,
      long blockBytes,
      String transfer,
      String aggregators,
      Toggle sharedMemory,
      String saturation,
      String assignment,
      String machine) {}

  /**
   * Options of components.
   *
   * @param selection the table by which the collective algorithm is chosen: {@code ompio} and
   *     {@code published} for OMPIO's later and published tables, {@code auto} for this library's
   * @param messages {@code packed}: a rank sends another one message in a cycle; {@code unpacked}:
   *     one message for each extent of the file
   * @param groupRanks the number of ranks that access the file at a time under {@code grouping}; 0
   *     for the number of aggregators
   * @param inFlightBytes the number of bytes in flight at a time under {@code data-grouping}; 0 for
   *     the sum of all aggregators' buffers
   */
  public record Variant(String selection, String messages, int groupRanks, long inFlightBytes) {

    /** {@return whether each extent is sent as a message} */
    public boolean unpacked() {
      return messages.equals(UNPACKED);
    }
  }

  /** {@return ROMIO's defaults} */
  public static Hints defaults() {
    return new Hints(
        new Buffering(Toggle.AUTOMATIC, Toggle.AUTOMATIC, 16 << 20, 0, 0, false),
        new Sieving(Toggle.AUTOMATIC, Toggle.AUTOMATIC, 4 << 20, 512 << 10),
        new Striping(0, 0),
        new Choice(AUTO, AUTO, 0, AUTO, AUTO, Toggle.AUTOMATIC, AUTO, AUTO, AUTO),
        new Variant(AUTO, PACKED, 0, 0),
        false,
        Map.of());
  }

  /**
   * {@return the defaults, overridden by {@code info}}
   *
   * @param info hints by name
   */
  public static Hints of(Map<String, String> info) {
    return defaults().with(info);
  }

  /**
   * {@return the defaults, overridden by the file that the system property {@code hyperslab.hints}
   * names, otherwise the environment variable {@code HYPERSLAB_HINTS}; the defaults if neither is
   * set}
   *
   * @throws InvalidUseException as {@link #read} does
   */
  public static Hints ofEnvironment() {
    String named = System.getProperty(PROPERTY, System.getenv(ENVIRONMENT));
    return named == null || named.isEmpty() ? defaults() : read(Path.of(named));
  }

  /**
   * Reads a file of hints in ROMIO's format, which {@code hyperslab tune} writes too: a key and its
   * value on a line, with {@code =} or blanks between them. Lines that begin with {@code #} are
   * comments.
   *
   * @param file the file, of 64 KiB at most
   * @return the defaults, overridden by the file
   * @throws InvalidUseException if the file cannot be read, is too long, or has a line that is not
   *     a hint; it names the line
   */
  public static Hints read(Path file) {
    Hints hints = defaults();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      String[] pair = text.split("\\s*=\\s*|\\s+", 2);
      try {
        if (pair.length < 2 || pair[0].isEmpty()) {
          throw new InvalidUseException("hint: actual=" + text + ", expected=key=value");
        }
        hints = hints.with(pair[0], pair[1]);
      } catch (InvalidUseException wrong) {
        throw new InvalidUseException(
            wrong.getMessage() + ", at=" + file + " line " + number, wrong);
      }
    }
    return hints;
  }

  private static List<String> lines(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new InvalidUseException(
            "hints file: actual="
                + Files.size(file)
                + " bytes, expected=at most "
                + MAX_FILE_BYTES
                + ", at="
                + file);
      }
      return Files.readAllLines(file);
    } catch (IOException unreadable) {
      throw new InvalidUseException(
          "hints file: actual=" + unreadable + ", expected=a text file, at=" + file, unreadable);
    }
  }

  /**
   * {@return the defaults, overridden by {@code key=value} pairs separated by spaces, commas or
   * semicolons, as {@link #pairs} takes them}
   *
   * @param text the hints as text
   * @throws InvalidUseException if a pair has no {@code =} or a known key has an invalid value
   */
  public static Hints parse(String text) {
    return of(pairs(text));
  }

  /**
   * {@return the {@code key=value} pairs separated by spaces, commas or semicolons; the last of
   * equal keys counts}
   *
   * <p>A comma separates only where a key and {@code =} follow; others are part of the value, as
   * those of {@code cb_config_list=a:2,b:1}.
   *
   * @param text the hints as text
   * @throws InvalidUseException if a pair has no {@code =}
   */
  public static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : SEPARATOR.split(text.trim())) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new InvalidUseException("hint: actual=" + pair + ", expected=key=value");
      }
      pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs;
  }

  /**
   * {@return these hints, overridden by every pair of {@code info}}
   *
   * @param info hints by name
   */
  public Hints with(Map<String, String> info) {
    Hints hints = this;
    for (Map.Entry<String, String> pair : new TreeMap<>(info).entrySet()) {
      hints = hints.with(pair.getKey(), pair.getValue());
    }
    return hints;
  }

  /**
   * {@return these hints with one key changed; an unknown key is kept among {@link #others}}
   *
   * @param key the name of the hint
   * @param value the value
   */
  public Hints with(String key, String value) {
    String text = value.trim();
    return switch (key) {
      case "cb_buffer_size",
          "cb_nodes",
          "romio_cb_read",
          "romio_cb_write",
          "collective_buffering",
          "romio_min_fdomain_size",
          "romio_no_indep_rw" ->
          withBuffering(buffered(key, text));
      case "romio_ds_read", "romio_ds_write", "ind_rd_buffer_size", "ind_wr_buffer_size" ->
          withSieving(sieved(key, text));
      case "striping_factor" -> withStriping(new Striping(count(key, text), striping.unitBytes));
      case "striping_unit" -> withStriping(new Striping(striping.factor, number(key, text, 0)));
      case "romio_synchronized_flush" ->
          new Hints(buffering, sieving, striping, choice, variant, isTrue(text), others);
      case "hyperslab_selection", "hyperslab_messages", "hyperslab_group", "hyperslab_in_flight" ->
          withVariant(varied(key, text));
      case RECORD_VIEWS -> other(key, text);
      case DEADLINE -> other(key, checked(key, text, Hints::isSeconds, "seconds below 1000000"));
      case KEPT_SCHEDULES ->
          other(key, checked(key, text, SWITCHES::contains, "enable or disable"));
      case DECLARED -> {
        String words = "automatic, messages, memory or window";
        yield other(key, checked(key, text, DeclaredTransport.WORDS::contains, words));
      }
      case REQUESTS ->
          other(key, checked(key, text, REQUEST_WORDS::contains, "threads or io_uring"));
      case ACCESS_STYLE -> other(key, checked(key, text, STYLES::contains, STYLES.toString()));
      case CB_CONFIG_LIST -> {
        String form = "host:number, with * for any host or number";
        yield other(key, checked(key, text, item -> item.matches("[^:]+(:(\\d{1,6}|\\*))?"), form));
      }
      case FILE_PERM ->
          other(key, checked(key, text, item -> item.matches("[0-7]{1,4}"), "an octal number"));
      default -> key.startsWith("hyperslab_") ? withChoice(chosen(key, text)) : other(key, value);
    };
  }

  private Buffering buffered(String key, String value) {
    Buffering b = buffering;
    Toggle read = b.read;
    Toggle write = b.write;
    long bytes = b.bufferBytes;
    int nodes = b.nodes;
    long least = b.minDomainBytes;
    boolean never = b.neverIndependent;
    switch (key) {
      case "cb_buffer_size" -> bytes = number(key, value, 1);
      case "cb_nodes" -> nodes = count(key, value);
      case "romio_cb_read" -> read = Toggle.parse(key, value);
      case "romio_cb_write" -> write = Toggle.parse(key, value);
      case "collective_buffering" -> {
        read = Toggle.parse(key, value);
        write = read;
      }
      case "romio_min_fdomain_size" -> least = number(key, value, 0);
      default -> never = isTrue(value);
    }
    return new Buffering(read, write, bytes, nodes, least, never);
  }

  private Sieving sieved(String key, String value) {
    Sieving s = sieving;
    return switch (key) {
      case "romio_ds_read" ->
          new Sieving(Toggle.parse(key, value), s.write, s.readBufferBytes, s.writeBufferBytes);
      case "romio_ds_write" ->
          new Sieving(s.read, Toggle.parse(key, value), s.readBufferBytes, s.writeBufferBytes);
      case "ind_rd_buffer_size" ->
          new Sieving(s.read, s.write, number(key, value, 1), s.writeBufferBytes);
      default -> new Sieving(s.read, s.write, s.readBufferBytes, number(key, value, 1));
    };
  }

  private Choice chosen(String key, String value) {
    Choice c = choice;
    String collective = c.collective;
    String domains = c.domains;
    long block = c.blockBytes;
    String transfer = c.transfer;
    String aggregators = c.aggregators;
    Toggle shared = c.sharedMemory;
    String saturation = c.saturation;
    String assignment = c.assignment;
    String machine = c.machine;
    switch (key) {
      case "hyperslab_collective" -> collective = value;
      case "hyperslab_domains" -> domains = value;
      case "hyperslab_block" -> block = number(key, value, 0);
      case "hyperslab_transfer" -> transfer = value;
      case "hyperslab_aggregators" -> aggregators = value;
      case "hyperslab_shared_memory" -> shared = Toggle.parse(key, value);
      case "hyperslab_saturation" -> saturation = saturation(key, value);
      case "hyperslab_assignment" -> assignment = value;
      case "hyperslab_machine" -> machine = value;
      default ->
          throw new InvalidUseException(
              "hint: actual="
                  + key
                  + ", expected=hyperslab_collective, _domains, _block, _transfer, _aggregators,"
                  + " _shared_memory, _saturation, _assignment, _machine, _selection, _messages,"
                  + " _group, _in_flight, _record_views, _schedules, _deadline, _declared or"
                  + " _requests");
    }
    return new Choice(
        collective, domains, block, transfer, aggregators, shared, saturation, assignment, machine);
  }

  /** Returns a comma-separated list of words after checking each. */
  private static String checked(
      String key, String value, Predicate<String> sound, String expected) {
    for (String item : value.split(",", -1)) {
      if (!sound.test(item.trim())) {
        throw new InvalidUseException(
            "hint: actual=" + key + "=" + value + ", expected=" + expected);
      }
    }
    return value;
  }

  /** {@return the words of {@code access_style}; none if it is not given} */
  public Set<String> accessStyle() {
    String value = others.getOrDefault(ACCESS_STYLE, "");
    return value.isEmpty()
        ? Set.of()
        : Arrays.stream(value.split(",", -1)).map(String::trim).collect(Collectors.toSet());
  }

  /** {@return the keys that this library does not honour, sorted} */
  public List<String> unknown() {
    return others.keySet().stream().filter(key -> !UNDERSTOOD.contains(key)).toList();
  }

  private Variant varied(String key, String value) {
    Variant v = variant;
    return switch (key) {
      case "hyperslab_selection" -> new Variant(value, v.messages, v.groupRanks, v.inFlightBytes);
      case "hyperslab_messages" -> {
        if (!value.equals(PACKED) && !value.equals(UNPACKED)) {
          throw new InvalidUseException(
              "hint: actual=" + key + "=" + value + ", expected=packed or unpacked");
        }
        yield new Variant(v.selection, value, v.groupRanks, v.inFlightBytes);
      }
      case "hyperslab_group" ->
          new Variant(v.selection, v.messages, count(key, value), v.inFlightBytes);
      default -> new Variant(v.selection, v.messages, v.groupRanks, number(key, value, 0));
    };
  }

  private static String saturation(String key, String value) {
    boolean word = value.equals(AUTO) || value.equals(MEASURED);
    return word ? value : Long.toString(number(key, value, 1));
  }

  private Hints withBuffering(Buffering changed) {
    return new Hints(changed, sieving, striping, choice, variant, synchronizedFlush, others);
  }

  private Hints withSieving(Sieving changed) {
    return new Hints(buffering, changed, striping, choice, variant, synchronizedFlush, others);
  }

  private Hints withStriping(Striping changed) {
    return new Hints(buffering, sieving, changed, choice, variant, synchronizedFlush, others);
  }

  private Hints withChoice(Choice changed) {
    return new Hints(buffering, sieving, striping, changed, variant, synchronizedFlush, others);
  }

  private Hints withVariant(Variant changed) {
    return new Hints(buffering, sieving, striping, choice, changed, synchronizedFlush, others);
  }

  private Hints other(String key, String value) {
    Map<String, String> more = new TreeMap<>(others);
    more.put(key, value);
    return new Hints(buffering, sieving, striping, choice, variant, synchronizedFlush, more);
  }

  /** {@return every hint with its effective value, in a fixed order, then the unknown ones} */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("cb_buffer_size", Long.toString(buffering.bufferBytes));
    if (buffering.nodes > 0) {
      map.put("cb_nodes", Integer.toString(buffering.nodes));
    }
    map.put("romio_cb_read", buffering.read.word());
    map.put("romio_cb_write", buffering.write.word());
    map.put("romio_min_fdomain_size", Long.toString(buffering.minDomainBytes));
    map.put("romio_no_indep_rw", Boolean.toString(buffering.neverIndependent));
    map.put("romio_ds_read", sieving.read.word());
    map.put("romio_ds_write", sieving.write.word());
    map.put("ind_rd_buffer_size", Long.toString(sieving.readBufferBytes));
    map.put("ind_wr_buffer_size", Long.toString(sieving.writeBufferBytes));
    if (striping.factor > 0) {
      map.put("striping_factor", Integer.toString(striping.factor));
    }
    if (striping.unitBytes > 0) {
      map.put("striping_unit", Long.toString(striping.unitBytes));
    }
    map.put("romio_synchronized_flush", synchronizedFlush ? "enable" : "disable");
    map.put("hyperslab_collective", choice.collective);
    map.put("hyperslab_domains", choice.domains);
    map.put("hyperslab_block", Long.toString(choice.blockBytes));
    map.put("hyperslab_transfer", choice.transfer);
    map.put("hyperslab_aggregators", choice.aggregators);
    map.put("hyperslab_shared_memory", choice.sharedMemory.word());
    map.put("hyperslab_saturation", choice.saturation);
    map.put("hyperslab_assignment", choice.assignment);
    map.put("hyperslab_machine", choice.machine);
    map.put("hyperslab_selection", variant.selection);
    map.put("hyperslab_messages", variant.messages);
    map.put("hyperslab_group", Integer.toString(variant.groupRanks));
    map.put("hyperslab_in_flight", Long.toString(variant.inFlightBytes));
    map.putAll(others);
    return map;
  }

  private static boolean isTrue(String value) {
    return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("enable");
  }

  /** Returns a number of things; the greatest int for any larger number. */
  private static int count(String key, String value) {
    return (int) Math.min(Integer.MAX_VALUE, number(key, value, 0));
  }

  private static long number(String key, String value, long least) {
    try {
      long number = Long.parseLong(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      throw new InvalidUseException(
          "hint: actual=" + key + "=" + value + ", expected=a whole number", notANumber);
    }
    throw new InvalidUseException(
        "hint: actual=" + key + "=" + value + ", expected=at least " + least);
  }
}
