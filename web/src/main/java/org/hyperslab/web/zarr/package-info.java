/** Stores of Zarr version 2: keys to metadata and decoded chunks. */
package org.hyperslab.web.zarr;
