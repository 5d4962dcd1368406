/**
 * The native connector: HDF5 files on this machine, in pure Java. Operations come in at {@code
 * NativeConnector}, whose handlers find the objects of an open file: headers, groups and their
 * links, paths, attributes, committed types, reference counts, deletion and copying; and datasets:
 * what their headers say, where their elements are, and how these move between file and memory. The
 * open file itself and the movement of bytes are in the packages below.
 */
package org.hyperslab.plugins.nativevol;
