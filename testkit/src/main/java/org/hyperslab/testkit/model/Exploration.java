package org.hyperslab.testkit.model;

import java.util.List;
import java.util.Optional;

/**
 * What a search through all states of a protocol has found.
 *
 * @param states the number of states
 * @param depth the greatest number of steps that lead to a state, on the shortest way
 * @param trouble the promise that does not hold; empty if all do
 * @param way the names of the steps that lead to the trouble, a shortest one; empty without trouble
 */
public record Exploration(int states, int depth, Optional<String> trouble, List<String> way) {}
