/** The filters that the HDF5 library has itself. */
package org.hyperslab.format.filter.library;
