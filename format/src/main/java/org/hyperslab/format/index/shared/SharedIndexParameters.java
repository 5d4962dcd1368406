package org.hyperslab.format.index.shared;

/**
 * The creation parameters of an index of shared messages.
 *
 * @param messageTypes a bit for each indexed message type: {@code 1 << type code}
 * @param minimumBytes the size in bytes of the smallest messages that are shared
 * @param listMaximum the greatest number of messages in a list; one more makes it a B-tree
 * @param treeMinimum the least number of messages in a B-tree; one fewer makes it a list
 */
record SharedIndexParameters(
    int messageTypes, long minimumBytes, int listMaximum, int treeMinimum) {}
