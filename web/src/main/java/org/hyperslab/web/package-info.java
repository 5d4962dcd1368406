/** Shows and serves HDF5 files over HTTP. */
package org.hyperslab.web;
