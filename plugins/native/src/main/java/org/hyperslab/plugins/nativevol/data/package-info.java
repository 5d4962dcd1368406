/**
 * Datasets and their elements: what a dataset's header says, where its elements are, and how they
 * move between file and memory.
 */
package org.hyperslab.plugins.nativevol.data;
