/**
 * Provides the native connector: HDF5 files on this machine, in pure Java. {@code NativeConnector}
 * receives operations, and its handlers find the objects of an open file: headers, groups and their
 * links, paths, attributes, committed types, reference counts, deletion and copying. For datasets,
 * they decode headers, locate elements, and move these between file and memory. The packages below
 * hold the open file itself and the transfer of bytes.
 */
package org.hyperslab.plugins.nativevol;
