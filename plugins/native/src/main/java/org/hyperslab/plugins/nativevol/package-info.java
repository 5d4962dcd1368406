/**
 * The native connector: HDF5 files on this machine, in pure Java. Operations come in here; what
 * they do is in the packages below.
 */
package org.hyperslab.plugins.nativevol;
