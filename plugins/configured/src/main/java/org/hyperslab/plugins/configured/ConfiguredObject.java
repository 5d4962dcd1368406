package org.hyperslab.plugins.configured;

/**
 * What a handle names: a file, which stands for its root, or an object in it.
 *
 * @param file the file
 * @param path the path by which the program reached it, from the root; empty if it is not known
 * @param transfer the properties of transfers, if it is a dataset
 */
record ConfiguredObject(ConfiguredFile file, String path, TransferChoice transfer) {}
