/**
 * Stores of bytes at offsets: files, memory, families of files, HTTP ranges, and decorators. No
 * class here knows the HDF5 format.
 */
package org.hyperslab.format.store;
