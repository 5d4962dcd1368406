package org.hyperslab.vol.base;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.TypeOperation;
import org.hyperslab.vol.query.Questions;

/**
 * Carries out operations in the thread that submits them, which have completed when {@link #submit}
 * returns. A subclass has a method for each kind of operation that it supports, which returns the
 * operation's result or throws. What the method throws becomes the failure of the stage, and, if
 * the operation opens a handle, that of the operations on this handle.
 *
 * <p>Thread rule: any thread, if the subclass says nothing else.
 */
public abstract class SynchronousConnector implements Connector {

  private final String name;
  private final Set<Capability> capabilities;
  private final OpenTable<?> open;

  /**
   * Creates a connector.
   *
   * @param name the name by which configuration strings choose it
   * @param capabilities what it can do
   * @param open what is open, where failures of opening are recorded
   */
  protected SynchronousConnector(String name, Set<Capability> capabilities, OpenTable<?> open) {
    this.name = name;
    this.capabilities = Collections.unmodifiableSet(EnumSet.copyOf(capabilities));
    this.open = open;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  @SuppressWarnings("unchecked") // an operation's record states the type of its result
  public final <R> CompletionStage<R> submit(Operation<R> operation) {
    try {
      return CompletableFuture.completedFuture((R) carryOut(operation));
    } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError failure) {
      HyperslabException typed = typed(failure, operation);
      operation.opens().ifPresent(handle -> open.fail(handle, typed));
      return CompletableFuture.failedFuture(typed);
    }
  }

  /**
   * Carries out an operation by the method for its kind. Overridden to do something before or after
   * all operations, such as to hold a lock.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object carryOut(Operation<?> operation) {
    return switch (operation) {
      case FileOperation<?> file -> file(file);
      case GroupOperation<?> group -> group(group);
      case LinkOperation<?> link -> link(link);
      case ObjectOperation<?> object -> object(object);
      case DatasetOperation.Question<?> question -> question(question);
      case DatasetOperation<?> dataset -> dataset(dataset);
      case AttributeOperation<?> attribute -> attribute(attribute);
      case TypeOperation<?> type -> type(type);
      case StepOperation<?> step -> step(step);
    };
  }

  /**
   * Carries out an operation on a file.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected abstract Object file(FileOperation<?> operation);

  /**
   * Carries out an operation on a group. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object group(GroupOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Carries out an operation on a link. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object link(LinkOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Carries out an operation on an object of any kind. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object object(ObjectOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Carries out an operation on a dataset. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object dataset(DatasetOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Answers a question about a dataset. By reading it if not overridden.
   *
   * @param question the question
   * @return its answer
   */
  protected Object question(DatasetOperation.Question<?> question) {
    return Questions.byReading(this, question);
  }

  /**
   * Carries out an operation on an attribute. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object attribute(AttributeOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Carries out an operation on a committed type. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object type(TypeOperation<?> operation) {
    throw unsupported(operation);
  }

  /**
   * Carries out an operation on the steps of a file. Unsupported if not overridden.
   *
   * @param operation the operation
   * @return its result; null if it has none
   */
  protected Object step(StepOperation<?> operation) {
    throw new UnsupportedFeatureException(
        "connector "
            + name
            + ": actual=steps, whose readers follow the file, expected=files as a whole; write"
            + " steps through native or a staging server (forwarding)");
  }

  /**
   * {@return the error of an operation that this connector cannot carry out}
   *
   * @param operation the operation
   */
  protected final UnsupportedFeatureException unsupported(Operation<?> operation) {
    return new UnsupportedFeatureException(
        "connector "
            + name
            + ": actual="
            + operation.getClass().getSimpleName()
            + ", expected=an operation that it can carry out");
  }

  /**
   * {@return the failure of an operation} An exception that is not typed counts as a defect.
   * Overridden by connectors over another library, whose exceptions have meanings.
   *
   * @param failure what the method for the operation threw
   * @param operation the operation
   */
  protected HyperslabException typed(Throwable failure, Operation<?> operation) {
    String what = failure instanceof OutOfMemoryError ? sized(operation) : operation.toString();
    return HyperslabException.of(failure, what);
  }

  /** Returns the name of an operation, with the size of the elements that it moves. */
  private static String sized(Operation<?> operation) {
    String kind = operation.getClass().getSimpleName();
    return switch (operation) {
      case DatasetOperation.Read read -> kind + read.transfer().describeSize();
      case DatasetOperation.Write write -> kind + write.transfer().describeSize();
      default -> kind;
    };
  }
}
