package org.hyperslab.plugins.mpiio;

import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorOptions;

/**
 * The options of the connector.
 *
 * <p>In configuration strings: {@code transfers=collective} makes every transfer of elements
 * collective, whatever its options say ({@code transfers=asked}, the default, follows the options);
 * {@code allocation=asked} allocates a new dataset's storage when the native connector would,
 * instead of at its creation ({@code allocation=early}, the default), so that ranks cannot write to
 * it independently before a collective write; {@code metadata=independent} lets each rank open
 * objects and read metadata by itself ({@code metadata=collective}, the default, makes that
 * collective); {@code io=vendor} moves the elements of collective transfers by the MPI library's
 * own MPI-IO instead of this library's ({@code io=own}, the default), if the ranks are processes of
 * an MPI job; {@code progress=thread}, {@code engine} or {@code wait} selects what advances large
 * collective transfers while the rank does other work (with {@code wait} nothing does: they have
 * ended when the call returns); every other key is a hint, see {@link Hints}. An unknown key is an
 * error.
 *
 * <p>Independent transfers use this library's I/O with {@code io=vendor} too: only all ranks
 * together can set a file's view, which MPI-IO needs for noncontiguous elements, and MPI guarantees
 * no order between accesses through the file and through a second opening by one rank.
 *
 * @param hints the hints for collective accesses
 * @param alwaysCollective whether every transfer of elements is collective
 * @param earlyAllocation whether storage of datasets without filters is allocated when they are
 *     created, unless their options set an allocation time
 * @param independentMetadata whether each rank opens objects and reads metadata by itself, for
 *     which ranks ask rank 0 on connections of TCP beside MPI
 * @param stores wraps each store through which a rank accesses raw data, for tests
 */
public record MpiioOptions(
    Hints hints,
    boolean alwaysCollective,
    boolean earlyAllocation,
    boolean independentMetadata,
    UnaryOperator<ByteStore> stores) {

  /** The defaults: ROMIO's hints, and transfers as their options say. */
  public static final MpiioOptions DEFAULT =
      new MpiioOptions(Hints.defaults(), false, true, false, UnaryOperator.identity());

  private static final String TRANSFERS = "transfers";
  private static final String ALLOCATION = "allocation";
  private static final String METADATA = "metadata";
  private static final String IO = "io";

  /** Hints that are kept unchanged. */
  private static final Set<String> KNOWN =
      Set.of(
          IO,
          TransferLane.Progress.HINT,
          Hints.KEPT_SCHEDULES,
          Hints.DEADLINE,
          Hints.ACCESS_STYLE,
          Hints.CB_CONFIG_LIST,
          Hints.FILE_PERM);

  /** Checks that nothing is null. */
  public MpiioOptions {
    Objects.requireNonNull(hints, "hints");
    Objects.requireNonNull(stores, "stores");
  }

  /**
   * {@return these options with other hints}
   *
   * @param newHints the hints
   */
  public MpiioOptions withHints(Hints newHints) {
    return new MpiioOptions(
        newHints, alwaysCollective, earlyAllocation, independentMetadata, stores);
  }

  /**
   * {@return these options with every transfer collective or not}
   *
   * @param always whether every transfer is collective
   */
  public MpiioOptions withAlwaysCollective(boolean always) {
    return new MpiioOptions(hints, always, earlyAllocation, independentMetadata, stores);
  }

  /**
   * {@return these options with storage allocated early or not}
   *
   * @param early whether storage is allocated when a dataset is created
   */
  public MpiioOptions withEarlyAllocation(boolean early) {
    return new MpiioOptions(hints, alwaysCollective, early, independentMetadata, stores);
  }

  /**
   * {@return these options with another wrapping of stores}
   *
   * @param newStores wraps the store of each file that is opened
   */
  public MpiioOptions withStores(UnaryOperator<ByteStore> newStores) {
    return new MpiioOptions(
        hints, alwaysCollective, earlyAllocation, independentMetadata, newStores);
  }

  /**
   * {@return these options with metadata that each rank reads by itself or not}
   *
   * @param independent whether each rank opens objects and reads metadata by itself
   */
  public MpiioOptions withIndependentMetadata(boolean independent) {
    return new MpiioOptions(hints, alwaysCollective, earlyAllocation, independent, stores);
  }

  /** Parses a configuration. */
  static MpiioOptions of(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    boolean collective = chosen(options, TRANSFERS, "asked", "collective");
    boolean late = chosen(options, ALLOCATION, "early", "asked");
    TreeMap<String, String> info = new TreeMap<>(configuration.options());
    info.remove(TRANSFERS);
    boolean alone = chosen(options, METADATA, "collective", "independent");
    info.remove(ALLOCATION);
    info.remove(METADATA);
    Hints hints = Hints.ofEnvironment().with(info);
    chosen(options, IO, "own", "vendor");
    boolean known = KNOWN.containsAll(hints.others().keySet());
    if (!known || configuration.below().isPresent()) {
      throw new InvalidUseException(
          "connector mpiio: actual="
              + configuration
              + ", expected=transfers=…, allocation=…, metadata=…, hints such as cb_nodes=…, and no connector"
              + " below it; unknown: "
              + hints.others().keySet());
    }
    return new MpiioOptions(hints, collective, !late, alone, UnaryOperator.identity());
  }

  /** Returns whether the second of two values was chosen; the first is the default. */
  private static boolean chosen(ConnectorOptions options, String key, String first, String second) {
    String value = options.text(key).orElse(first);
    if (!value.equals(first) && !value.equals(second)) {
      throw new InvalidUseException(
          "option "
              + key
              + " of connector mpiio: actual="
              + value
              + ", expected="
              + first
              + " or "
              + second);
    }
    return value.equals(second);
  }
}
