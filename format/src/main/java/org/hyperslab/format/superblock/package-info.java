/**
 * Reads and writes the start of an HDF5 file: the superblock of every version, the symbol table
 * entry of the root group, and the information of file drivers.
 */
package org.hyperslab.format.superblock;
