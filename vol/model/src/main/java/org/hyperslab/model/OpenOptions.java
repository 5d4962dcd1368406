package org.hyperslab.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for opening a file.
 *
 * <p>Thread rule: immutable.
 */
public final class OpenOptions {

  /** The properties whose values are not printed. */
  private static final List<String> SECRETS =
      List.of("http.password", "http.bearer", "http.headers");

  /** Opens a file for reading, with defaults for all else. */
  public static final OpenOptions READ = builder().build();

  /** For reading and editing. */
  public static final OpenOptions EDIT = READ.withWritable(true);

  private final boolean writable;
  private final boolean swmr;
  private final Locking locking;
  private final Durability durability;
  private final FormatVersion low;
  private final FormatVersion high;
  private final long cacheBytes;
  private final int threads;
  private final Map<String, String> properties;

  private OpenOptions(Builder builder) {
    writable = builder.writable;
    swmr = builder.swmr;
    locking = builder.locking;
    durability = builder.durability;
    low = builder.low;
    high = builder.high;
    cacheBytes = builder.cacheBytes;
    threads = builder.threads;
    properties = Map.copyOf(builder.properties);
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.writable = writable;
    builder.swmr = swmr;
    builder.locking = locking;
    builder.durability = durability;
    builder.low = low;
    builder.high = high;
    builder.cacheBytes = cacheBytes;
    builder.threads = threads;
    builder.properties.putAll(properties);
    return builder;
  }

  /** {@return whether the file may be edited} */
  public boolean writable() {
    return writable;
  }

  /**
   * {@return whether one writer and many readers may have the file open at once} A writer appends
   * to datasets, and what it has flushed is seen by readers when they refresh an object. A new file
   * gets the superblock that this requires; readers can follow it after it is next opened.
   */
  public boolean swmr() {
    return swmr;
  }

  /** {@return whether other processes are kept out} */
  public Locking locking() {
    return locking;
  }

  /** {@return what flush and close guarantee} */
  public Durability durability() {
    return durability;
  }

  /** {@return the oldest form of structures that are added} */
  public FormatVersion low() {
    return low;
  }

  /**
   * {@return the newest form of structures that are added} Content that it cannot hold is written
   * in an older form, complex numbers as the compound {r, i} and revised references as old ones, or
   * refused. docs/version-bounds.md has the table. {@link FormatVersion#EARLIEST} stands for {@link
   * FormatVersion#V18} here.
   */
  public FormatVersion high() {
    return high;
  }

  /**
   * {@return memory for chunks and metadata, at most; 0 for the default: 256 MiB of chunks, or a
   * quarter of the JVM's heap if that is less, and metadata besides}
   */
  public long cacheBytes() {
    return cacheBytes;
  }

  /** {@return the number of threads that filter chunks; 0 for one per core} */
  public int threads() {
    return threads;
  }

  /**
   * {@return further settings, by names that the connector documents} Another name is an {@link
   * InvalidUseException} when a file is opened or created.
   */
  public Map<String, String> properties() {
    return properties;
  }

  /**
   * {@return these options for editing or for reading only}
   *
   * @param newWritable whether the file may be edited
   */
  public OpenOptions withWritable(boolean newWritable) {
    return toBuilder().writable(newWritable).build();
  }

  /**
   * {@return these options with SWMR access or without}
   *
   * @param newSwmr whether one writer and many readers share the file
   */
  public OpenOptions withSwmr(boolean newSwmr) {
    return toBuilder().swmr(newSwmr).build();
  }

  /**
   * {@return these options with another rule for locks}
   *
   * @param newLocking whether the file is locked
   */
  public OpenOptions withLocking(Locking newLocking) {
    return toBuilder().locking(newLocking).build();
  }

  /**
   * {@return these options with another durability}
   *
   * @param newDurability what a completed flush promises
   */
  public OpenOptions withDurability(Durability newDurability) {
    return toBuilder().durability(newDurability).build();
  }

  /**
   * {@return these options with other version bounds}
   *
   * @param newLow the lower version bound
   * @param newHigh the upper version bound
   */
  public OpenOptions withBounds(FormatVersion newLow, FormatVersion newHigh) {
    return toBuilder().low(newLow).high(newHigh).build();
  }

  /**
   * {@return these options with another number of threads}
   *
   * @param newThreads the number of threads; 0 for one per core
   */
  public OpenOptions withThreads(int newThreads) {
    return toBuilder().threads(newThreads).build();
  }

  /**
   * {@return these options with another size of the cache}
   *
   * @param newCacheBytes the most bytes of chunks and metadata kept in memory; 0 for the default
   */
  public OpenOptions withCacheBytes(long newCacheBytes) {
    return toBuilder().cacheBytes(newCacheBytes).build();
  }

  /**
   * {@return these options with one more property} A name that the connector does not know is an
   * {@link InvalidUseException} when a file is opened or created with the options.
   *
   * @param name the name
   * @param value the property's value
   */
  public OpenOptions withProperty(String name, String value) {
    return toBuilder().property(name, value).build();
  }

  private Map<String, String> shownProperties() {
    Map<String, String> shown = new TreeMap<>(properties);
    SECRETS.forEach(name -> shown.replace(name, "..."));
    return shown;
  }

  private List<Object> values() {
    return List.of(writable, swmr, locking, durability, low, high, cacheBytes, threads, properties);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpenOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values but for secrets. */
  @Override
  public String toString() {
    return "OpenOptions[writable="
        + writable
        + ", swmr="
        + swmr
        + ", locking="
        + locking
        + ", durability="
        + durability
        + ", low="
        + low
        + ", high="
        + high
        + ", cacheBytes="
        + cacheBytes
        + ", threads="
        + threads
        + ", properties="
        + shownProperties()
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean writable;
    private boolean swmr;
    private Locking locking = Locking.DEFAULT;
    private Durability durability = Durability.POWER_CUT;
    private FormatVersion low = FormatVersion.EARLIEST;
    private FormatVersion high = FormatVersion.V110;
    private long cacheBytes;
    private int threads;
    private final Map<String, String> properties = new HashMap<>();

    private Builder() {}

    /**
     * Sets whether the file may be edited.
     *
     * @param newWritable whether the file may be edited
     * @return this builder
     */
    public Builder writable(boolean newWritable) {
      this.writable = newWritable;
      return this;
    }

    /**
     * Sets whether one writer and many readers may have the file open at once.
     *
     * @param newSwmr whether one writer and many readers may have the file open at once
     * @return this builder
     */
    public Builder swmr(boolean newSwmr) {
      this.swmr = newSwmr;
      return this;
    }

    /**
     * Sets whether other processes are kept out.
     *
     * @param newLocking whether other processes are kept out
     * @return this builder
     */
    public Builder locking(Locking newLocking) {
      this.locking = newLocking;
      return this;
    }

    /**
     * Sets what flush and close guarantee.
     *
     * @param newDurability what flush and close guarantee
     * @return this builder
     */
    public Builder durability(Durability newDurability) {
      this.durability = newDurability;
      return this;
    }

    /**
     * Sets the oldest form of structures that are added.
     *
     * @param newLow the oldest form of structures that are added
     * @return this builder
     */
    public Builder low(FormatVersion newLow) {
      this.low = newLow;
      return this;
    }

    /**
     * Sets the newest form of structures that are added.
     *
     * @param newHigh the newest form of structures that are added
     * @return this builder
     */
    public Builder high(FormatVersion newHigh) {
      this.high = newHigh;
      return this;
    }

    /**
     * Sets memory for chunks and metadata, at most; 0 for the default: 256 MiB of chunks, or a
     * quarter of the JVM's heap if that is less, and metadata besides.
     *
     * @param newCacheBytes memory for chunks and metadata, at most; 0 for the default: 256 MiB of
     *     chunks, or a quarter of the JVM's heap if that is less, and metadata besides
     * @return this builder
     */
    public Builder cacheBytes(long newCacheBytes) {
      this.cacheBytes = newCacheBytes;
      return this;
    }

    /**
     * Sets the number of threads that filter chunks; 0 for one per core.
     *
     * @param newThreads the number of threads that filter chunks; 0 for one per core
     * @return this builder
     */
    public Builder threads(int newThreads) {
      this.threads = newThreads;
      return this;
    }

    /**
     * Sets further settings, by names that the connector documents.
     *
     * @param newProperties further settings, by names that the connector documents
     * @return this builder
     */
    public Builder properties(Map<String, String> newProperties) {
      properties.clear();
      properties.putAll(newProperties);
      return this;
    }

    /**
     * Adds a property, or replaces the one of its name.
     *
     * @param name the name, which the connector documents
     * @param value the property's value
     * @return this builder
     */
    public Builder property(String name, String value) {
      properties.put(name, value);
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if the lower bound is above the upper one, or a number is
     *     negative
     */
    public OpenOptions build() {
      if (low.compareTo(high) > 0) {
        throw new InvalidUseException(
            "version bounds: actual=" + low + " to " + high + ", expected=the older one first");
      }
      if (cacheBytes < 0 || threads < 0) {
        throw new InvalidUseException(
            "cache and threads: actual="
                + cacheBytes
                + " bytes and "
                + threads
                + " threads, expected=neither negative; 0 stands for the default");
      }
      return new OpenOptions(this);
    }
  }
}
