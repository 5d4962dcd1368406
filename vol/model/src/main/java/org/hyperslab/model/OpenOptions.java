package org.hyperslab.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for opening a file.
 *
 * @param writable whether it may be edited
 * @param swmr whether one writer and many readers may have it open at once: a writer appends to
 *     datasets, and what it has flushed is seen by readers when they refresh an object. A new file
 *     gets the superblock that this requires; readers can follow it after it is next opened
 * @param locking whether other processes are kept out
 * @param durability what flush and close guarantee
 * @param low the oldest form of structures that are added
 * @param high the newest form of structures that are added: content that it cannot hold is written
 *     in an older form, complex numbers as the compound {r, i} and revised references as old ones,
 *     or refused. docs/version-bounds.md has the table. {@link FormatVersion#EARLIEST} stands for
 *     {@link FormatVersion#V18} here
 * @param cacheBytes memory for chunks and metadata, at most; 0 for the default: 256 MiB of chunks,
 *     or a quarter of the JVM's heap if that is less, and metadata besides
 * @param threads threads that filter chunks; 0 for one per core
 * @param properties further settings, by names that the connector documents; another name is an
 *     {@link InvalidUseException} when a file is opened or created
 */
public record OpenOptions(
    boolean writable,
    boolean swmr,
    Locking locking,
    Durability durability,
    FormatVersion low,
    FormatVersion high,
    long cacheBytes,
    int threads,
    Map<String, String> properties) {

  /** The properties whose values are not printed. */
  private static final List<String> SECRETS =
      List.of("http.password", "http.bearer", "http.headers");

  /** For reading. */
  public static final OpenOptions READ =
      new OpenOptions(
          false,
          false,
          Locking.DEFAULT,
          Durability.POWER_CUT,
          FormatVersion.EARLIEST,
          FormatVersion.V110,
          0,
          0,
          Map.of());

  /** For reading and editing. */
  public static final OpenOptions EDIT = READ.withWritable(true);

  /**
   * Copies the properties.
   *
   * @throws InvalidUseException if the lower bound is above the upper one, or a number is negative
   */
  public OpenOptions {
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
    properties = Map.copyOf(properties);
  }

  /**
   * {@return these options for editing or for reading only}
   *
   * @param newWritable whether the file may be edited
   */
  public OpenOptions withWritable(boolean newWritable) {
    return new OpenOptions(
        newWritable, swmr, locking, durability, low, high, cacheBytes, threads, properties);
  }

  /**
   * {@return these options with SWMR access or without}
   *
   * @param newSwmr whether one writer and many readers share the file
   */
  public OpenOptions withSwmr(boolean newSwmr) {
    return new OpenOptions(
        writable, newSwmr, locking, durability, low, high, cacheBytes, threads, properties);
  }

  /**
   * {@return these options with another rule for locks}
   *
   * @param newLocking whether the file is locked
   */
  public OpenOptions withLocking(Locking newLocking) {
    return new OpenOptions(
        writable, swmr, newLocking, durability, low, high, cacheBytes, threads, properties);
  }

  /**
   * {@return these options with another durability}
   *
   * @param newDurability what a completed flush promises
   */
  public OpenOptions withDurability(Durability newDurability) {
    return new OpenOptions(
        writable, swmr, locking, newDurability, low, high, cacheBytes, threads, properties);
  }

  /**
   * {@return these options with other version bounds}
   *
   * @param newLow the lower version bound
   * @param newHigh the upper version bound
   */
  public OpenOptions withBounds(FormatVersion newLow, FormatVersion newHigh) {
    return new OpenOptions(
        writable, swmr, locking, durability, newLow, newHigh, cacheBytes, threads, properties);
  }

  /**
   * {@return these options with another number of threads}
   *
   * @param newThreads the number of threads; 0 for one per core
   */
  public OpenOptions withThreads(int newThreads) {
    return new OpenOptions(
        writable, swmr, locking, durability, low, high, cacheBytes, newThreads, properties);
  }

  /**
   * {@return these options with another size of the cache}
   *
   * @param newCacheBytes the most bytes of chunks and metadata kept in memory; 0 for the default
   */
  public OpenOptions withCacheBytes(long newCacheBytes) {
    return new OpenOptions(
        writable, swmr, locking, durability, low, high, newCacheBytes, threads, properties);
  }

  /**
   * {@return these options with one more property} A name that the connector does not know is an
   * {@link InvalidUseException} when a file is opened or created with the options.
   *
   * @param name the name
   * @param value the property's value
   */
  public OpenOptions withProperty(String name, String value) {
    var all = new HashMap<>(properties);
    all.put(name, value);
    return new OpenOptions(
        writable, swmr, locking, durability, low, high, cacheBytes, threads, all);
  }

  /**
   * Returns the options without secrets. Written by hand: the method generated for a record creates
   * classes at run time, which delays the start of a job's ranks.
   */
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

  private Map<String, String> shownProperties() {
    Map<String, String> shown = new TreeMap<>(properties);
    SECRETS.forEach(name -> shown.replace(name, "..."));
    return shown;
  }
}
