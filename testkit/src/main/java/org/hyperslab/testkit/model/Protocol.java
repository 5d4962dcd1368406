package org.hyperslab.testkit.model;

import java.util.List;
import java.util.Optional;

/**
 * A protocol: the states that a program, its storage and its clients can be in, what may happen in
 * each, and what must hold in all. States are values: equal ones are one state.
 *
 * <p>Thread rule: without state of its own.
 *
 * @param <S> the states
 */
public interface Protocol<S> {

  /**
   * Something that may happen in a state.
   *
   * @param name what happens
   * @param next the state after it
   * @param <S> the states
   */
  record Step<S>(String name, S next) {}

  /** {@return the states in which it may begin} */
  List<S> starts();

  /**
   * Returns what may happen next: steps of the program, and those of nobody's choice, such as a
   * crash.
   *
   * @param state a state
   * @return the steps
   */
  List<Step<S>> steps(S state);

  /**
   * Returns the promise that a state breaks.
   *
   * @param state a state
   * @return the promise; empty if all hold
   */
  Optional<String> broken(S state);

  /**
   * Returns whether nothing needs to happen any more.
   *
   * @param state a state
   * @return whether it may be the last one
   */
  boolean mayEnd(S state);
}
