package org.hyperslab.testkit.model;

/**
 * Something that may happen in a state.
 *
 * @param name what happens
 * @param next the state after it
 * @param <S> the states
 */
public record Step<S>(String name, S next) {}
