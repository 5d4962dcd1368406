package org.hyperslab.plugins.mpiio;

import java.util.List;
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
 * <p>Thread rule: immutable.
 */
public final class MpiioOptions {

  /** The defaults: ROMIO's hints, and transfers as their options say. */
  public static final MpiioOptions DEFAULT = builder().build();

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

  private final Hints hints;
  private final boolean alwaysCollective;
  private final boolean earlyAllocation;
  private final boolean independentMetadata;
  private final UnaryOperator<ByteStore> stores;

  private MpiioOptions(Builder builder) {
    hints = builder.hints;
    alwaysCollective = builder.alwaysCollective;
    earlyAllocation = builder.earlyAllocation;
    independentMetadata = builder.independentMetadata;
    stores = builder.stores;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.hints = hints;
    builder.alwaysCollective = alwaysCollective;
    builder.earlyAllocation = earlyAllocation;
    builder.independentMetadata = independentMetadata;
    builder.stores = stores;
    return builder;
  }

  /** {@return the hints for collective accesses} */
  public Hints hints() {
    return hints;
  }

  /** {@return whether every transfer of elements is collective} */
  public boolean alwaysCollective() {
    return alwaysCollective;
  }

  /**
   * {@return whether storage of datasets without filters is allocated when they are created, unless
   * their options set an allocation time}
   */
  public boolean earlyAllocation() {
    return earlyAllocation;
  }

  /**
   * {@return whether each rank opens objects and reads metadata by itself, for which ranks ask rank
   * 0 on connections of TCP beside MPI}
   */
  public boolean independentMetadata() {
    return independentMetadata;
  }

  /** {@return wraps each store through which a rank accesses raw data, for tests} */
  public UnaryOperator<ByteStore> stores() {
    return stores;
  }

  /**
   * {@return these options with other hints}
   *
   * @param newHints the hints
   */
  public MpiioOptions withHints(Hints newHints) {
    return toBuilder().hints(newHints).build();
  }

  /**
   * {@return these options with every transfer collective or not}
   *
   * @param always whether every transfer is collective
   */
  public MpiioOptions withAlwaysCollective(boolean always) {
    return toBuilder().alwaysCollective(always).build();
  }

  /**
   * {@return these options with storage allocated early or not}
   *
   * @param early whether storage is allocated when a dataset is created
   */
  public MpiioOptions withEarlyAllocation(boolean early) {
    return toBuilder().earlyAllocation(early).build();
  }

  /**
   * {@return these options with another wrapping of stores}
   *
   * @param newStores wraps the store of each file that is opened
   */
  public MpiioOptions withStores(UnaryOperator<ByteStore> newStores) {
    return toBuilder().stores(newStores).build();
  }

  /**
   * {@return these options with metadata that each rank reads by itself or not}
   *
   * @param independent whether each rank opens objects and reads metadata by itself
   */
  public MpiioOptions withIndependentMetadata(boolean independent) {
    return toBuilder().independentMetadata(independent).build();
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
    return builder()
        .hints(hints)
        .alwaysCollective(collective)
        .earlyAllocation(!late)
        .independentMetadata(alone)
        .build();
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

  private List<Object> values() {
    return List.of(hints, alwaysCollective, earlyAllocation, independentMetadata, stores);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MpiioOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "MpiioOptions[hints="
        + hints
        + ", alwaysCollective="
        + alwaysCollective
        + ", earlyAllocation="
        + earlyAllocation
        + ", independentMetadata="
        + independentMetadata
        + ", stores="
        + stores
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Hints hints = Hints.defaults();
    private boolean alwaysCollective;
    private boolean earlyAllocation = true;
    private boolean independentMetadata;
    private UnaryOperator<ByteStore> stores = UnaryOperator.identity();

    private Builder() {}

    /**
     * Sets the hints for collective accesses.
     *
     * @param newHints the hints for collective accesses
     * @return this builder
     */
    public Builder hints(Hints newHints) {
      this.hints = newHints;
      return this;
    }

    /**
     * Sets whether every transfer of elements is collective.
     *
     * @param newAlwaysCollective whether every transfer of elements is collective
     * @return this builder
     */
    public Builder alwaysCollective(boolean newAlwaysCollective) {
      this.alwaysCollective = newAlwaysCollective;
      return this;
    }

    /**
     * Sets whether storage of datasets without filters is allocated when they are created, unless
     * their options set an allocation time.
     *
     * @param newEarlyAllocation whether storage of datasets without filters is allocated when they
     *     are created, unless their options set an allocation time
     * @return this builder
     */
    public Builder earlyAllocation(boolean newEarlyAllocation) {
      this.earlyAllocation = newEarlyAllocation;
      return this;
    }

    /**
     * Sets whether each rank opens objects and reads metadata by itself, for which ranks ask rank 0
     * on connections of TCP beside MPI.
     *
     * @param newIndependentMetadata whether each rank opens objects and reads metadata by itself,
     *     for which ranks ask rank 0 on connections of TCP beside MPI
     * @return this builder
     */
    public Builder independentMetadata(boolean newIndependentMetadata) {
      this.independentMetadata = newIndependentMetadata;
      return this;
    }

    /**
     * Sets wraps each store through which a rank accesses raw data, for tests.
     *
     * @param newStores wraps each store through which a rank accesses raw data, for tests
     * @return this builder
     */
    public Builder stores(UnaryOperator<ByteStore> newStores) {
      this.stores = newStores;
      return this;
    }

    /** {@return the options} */
    public MpiioOptions build() {
      Objects.requireNonNull(hints, "hints");
      Objects.requireNonNull(stores, "stores");

      return new MpiioOptions(this);
    }
  }
}
