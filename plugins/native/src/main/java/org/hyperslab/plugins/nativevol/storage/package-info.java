/**
 * The elements of a dataset: the dataset's header, and the storage of the elements in one array of
 * bytes, in the header, in the file, or in other files.
 */
package org.hyperslab.plugins.nativevol.storage;
