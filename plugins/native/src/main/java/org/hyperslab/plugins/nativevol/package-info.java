/**
 * Provides the native connector: HDF5 files on this machine, in pure Java. {@code NativeConnector}
 * receives operations; its handlers find the objects that they name, and pass them to the packages
 * below, which DESIGN.md of this module lists from the bottom up.
 */
package org.hyperslab.plugins.nativevol;
