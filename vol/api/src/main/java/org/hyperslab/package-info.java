/**
 * HDF5 for the JVM, as a user sees it: {@link org.hyperslab.Hdf5} opens and creates files, {@link
 * org.hyperslab.Group}, {@link org.hyperslab.Dataset}, {@link org.hyperslab.Attribute} and {@link
 * org.hyperslab.CommittedType} are what is in them. Every call becomes an {@link
 * org.hyperslab.vol.Operation} that a connector carries out; nothing here knows of bytes in files.
 */
@NullMarked
package org.hyperslab;

import org.jspecify.annotations.NullMarked;
