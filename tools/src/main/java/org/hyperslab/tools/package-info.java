/**
 * The commands of {@code hyperslab} and what they do: listing a file as {@code h5ls} does,
 * comparing two files object by object and element by element, writing a file anew, statistics of a
 * file's objects and space, and the kernels of parallel I/O under {@code example}.
 */
package org.hyperslab.tools;
