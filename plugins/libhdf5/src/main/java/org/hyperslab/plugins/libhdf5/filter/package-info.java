/** Filters that the program or its libhdf5 has. */
package org.hyperslab.plugins.libhdf5.filter;
