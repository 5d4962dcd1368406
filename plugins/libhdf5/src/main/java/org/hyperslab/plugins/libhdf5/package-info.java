/**
 * A connector of libhdf5's virtual object layer over the connectors of this project, for programs
 * written for the C library.
 */
package org.hyperslab.plugins.libhdf5;
