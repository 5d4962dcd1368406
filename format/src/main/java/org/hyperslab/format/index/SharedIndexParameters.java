package org.hyperslab.format.index;

/**
 * One index of shared messages, as a file's creator asks for it.
 *
 * @param messageTypes a bit for each message type indexed: {@code 1 << type code}
 * @param minimumBytes smaller messages are not shared
 * @param listMaximum the largest number of messages in a list; more make it a B-tree
 * @param treeMinimum the smallest number of messages in a B-tree; fewer make it a list again
 */
record SharedIndexParameters(
    int messageTypes, long minimumBytes, int listMaximum, int treeMinimum) {}
