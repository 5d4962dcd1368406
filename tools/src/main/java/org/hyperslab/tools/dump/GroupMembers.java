package org.hyperslab.tools.dump;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;

/**
 * Iterates over the links of a group in order, with the texts of members that other threads have
 * formatted before their turn.
 *
 * <p>Thread rule: confined to one thread; the workers print.
 */
final class GroupMembers implements Iterator<GroupMembers.Member> {

  private static final int BATCH = 32;

  private static final int BATCHES_AHEAD = 2 * Runtime.getRuntime().availableProcessors();

  /**
   * A link of the group.
   *
   * @param link the link
   * @param text its object's text; null if it is not printed yet
   */
  record Member(Link link, String text) {}

  private final Iterator<Link> links;
  private final ExecutorService workers;
  private final Supplier<Function<Link, String>> printers;
  private final Deque<Future<List<Member>>> ahead = new ArrayDeque<>();
  private Iterator<Member> batch = List.<Member>of().iterator();
  private HyperslabException failure;
  private boolean begun;

  /**
   * Creates the members of a group.
   *
   * @param links its links
   * @param workers the threads that format members before their turn; null for none
   * @param printers creates what prints the targets of some links by one thread, and returns null
   *     for one that must wait; called by workers
   */
  GroupMembers(
      Iterator<Link> links, ExecutorService workers, Supplier<Function<Link, String>> printers) {
    this.links = links;
    this.workers = workers;
    this.printers = printers;
  }

  /**
   * {@inheritDoc}
   *
   * @throws HyperslabException if the rest of the group cannot be listed
   */
  @Override
  public boolean hasNext() {
    while (!batch.hasNext()) {
      readAhead();
      if (ahead.isEmpty()) {
        if (failure != null) {
          HyperslabException once = failure;
          failure = null;
          throw once;
        }
        return false;
      }
      batch = result(ahead.removeFirst()).iterator();
    }
    return true;
  }

  @Override
  public Member next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return batch.next();
  }

  private void readAhead() {
    try {
      while (failure == null && ahead.size() < BATCHES_AHEAD && links.hasNext()) {
        List<Link> some = new ArrayList<>(BATCH);
        try {
          while (some.size() < BATCH && links.hasNext()) {
            some.add(links.next());
          }
        } finally {
          submit(some);
        }
      }
    } catch (HyperslabException unreadable) {
      failure = unreadable; // reported after the members that could be listed
    }
  }

  /** Submits links to the workers. A few members are not worth another thread. */
  private void submit(List<Link> some) {
    boolean few = workers == null || (!begun && some.size() < BATCH);
    begun = true;
    ahead.addLast(
        few
            ? CompletableFuture.completedFuture(
                some.stream().map(link -> new Member(link, null)).toList())
            : workers.submit(() -> print(some)));
  }

  private List<Member> print(List<Link> some) {
    Function<Link, String> printer = printers.get();
    List<Member> members = new ArrayList<>(some.size());
    for (Link link : some) {
      members.add(new Member(link, printer.apply(link)));
    }
    return members;
  }

  private static List<Member> result(Future<List<Member>> future) {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while members of a group were printed", stop);
    }
  }
}
