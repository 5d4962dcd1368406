package org.hyperslab.plugins.nativevol.statistics;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The statistics of the datasets of an open file, by the addresses of their headers.
 *
 * <p>Thread rule: any thread.
 */
public final class ValueStatistics {

  private final Map<Long, DatasetStatistics> datasets = new TreeMap<>();
  private final Set<Long> deleted = new HashSet<>();
  private volatile boolean bypassed;
  private volatile boolean empty = true;
  private boolean begun;
  private long moment;

  /** Creates the statistics of a file in which no dataset has any. */
  public ValueStatistics() {}

  /**
   * Adds the statistics of a dataset.
   *
   * @param address the address of its header
   * @param statistics the statistics
   */
  public synchronized void add(long address, DatasetStatistics statistics) {
    datasets.put(address, statistics);
    empty = false;
  }

  /**
   * {@return the statistics of a dataset, if it has any}
   *
   * @param address the address of its header
   */
  public Optional<DatasetStatistics> of(long address) {
    if (empty) {
      return Optional.empty();
    }
    synchronized (this) {
      return Optional.ofNullable(datasets.get(address));
    }
  }

  /**
   * Removes the statistics of a dataset that is deleted.
   *
   * @param address the address of its header
   */
  public synchronized void delete(long address) {
    if (datasets.remove(address) != null) {
      deleted.add(address);
    }
  }

  /**
   * Has the statistics of a dataset that does not exist be removed from the file.
   *
   * @param address the address of its header
   */
  public synchronized void forgetFile(long address) {
    deleted.add(address);
  }

  /** {@return the addresses of deleted datasets whose statistics the file may have, once} */
  public synchronized Set<Long> takeDeleted() {
    Set<Long> taken = Set.copyOf(deleted);
    deleted.clear();
    return taken;
  }

  /** {@return all statistics, by the addresses of the datasets' headers} */
  public synchronized Map<Long, DatasetStatistics> all() {
    return Map.copyOf(datasets);
  }

  /** {@return whether no dataset has statistics, and none had that was deleted} */
  public boolean isEmpty() {
    return empty;
  }

  /**
   * Says that elements of the file are written without this class, or that storing statistics has
   * failed: nothing is known any more, and nothing will be as long as the file is open.
   */
  public synchronized void bypass() {
    bypassed = true;
    datasets.values().forEach(DatasetStatistics::giveUp);
  }

  /** {@return whether the file's statistics have not been looked for; asked once} */
  public synchronized boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /**
   * Takes note that the file's statistics have been read or written.
   *
   * @param sealed when the file was sealed that has them; 0 if this process edits it
   */
  public synchronized void loaded(long sealed) {
    moment = sealed;
  }

  /** {@return when the file was sealed from which the statistics were read; 0 if it was not} */
  public synchronized long moment() {
    return moment;
  }

  /** {@return whether elements are written without this class} */
  public boolean isBypassed() {
    return bypassed;
  }

  /** {@return whether the file has all that is known, and all that was written is known} */
  public synchronized boolean isStored() {
    return !bypassed
        && deleted.isEmpty()
        && datasets.values().stream().allMatch(DatasetStatistics::isStored);
  }
}
