/**
 * The commands of {@code hyperslab}. Among others they list a file as {@code h5ls} does, compare
 * two files object by object and element by element, rewrite a file, print statistics of a file's
 * objects and space, and run the kernels of parallel I/O under {@code example}.
 */
package org.hyperslab.tools;
